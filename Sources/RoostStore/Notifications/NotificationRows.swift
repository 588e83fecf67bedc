internal import FoundationEssentials
internal import GRDB
internal import LifeCycleModel

/// Converts local notifications, and their apps' permissions, to rows and back.
///
/// There may be tens of thousands of notifications, and all are read at each start. Most properties are columns,
/// because decoding JSON takes thirty times as long. Texts are stored as UTF-8 blobs, because an app may have put a NUL
/// into one.
enum NotificationRows: RowsOfConcern {
    private static let columns = "app, number, fire_date, time_zone, repeats, body, sound, badge, rest"
    private static let selectScheduled = """
        SELECT \(columns), start_seconds, start_nanoseconds, last FROM notification_scheduled ORDER BY app, number
        """
    private static let selectDelivered = """
        SELECT \(columns), types, fired, stage, push FROM notification_delivered ORDER BY app, number
        """
    private static let selectRemote = "SELECT app, number, notification FROM remote_notification ORDER BY app, number"
    /// The number of columns for the notification itself.
    private static let own = 9
    /// The civil times that are possible in any zone, in seconds since 1970.
    private static let range: ClosedRange<Int64> = -9_224_000_000...9_224_000_000

    static func load(_ db: Database) throws -> [ConcernRecord] {
        var records: [ConcernRecord] = try KeyedRows.load(db).map { .push($0) }
        records += try KeyedRows.load(db).map { .notification(.client($0)) }
        let scheduled = try Row.fetchCursor(db, sql: selectScheduled)
        while let row = try scheduled.next() {
            let cells = NotificationCells(row: row, table: "notification_scheduled")
            records.append(.notification(.scheduled(try self.scheduled(cells))))
        }
        let delivered = try Row.fetchCursor(db, sql: selectDelivered)
        while let row = try delivered.next() {
            let cells = NotificationCells(row: row, table: "notification_delivered")
            records.append(.notification(.delivered(try self.delivered(cells))))
        }
        let remote = try Row.fetchCursor(db, sql: selectRemote)
        while let row = try remote.next() {
            let cells = NotificationCells(row: row, table: "remote_notification")
            let id = try cells.id()
            records.append(
                .notification(
                    .remote(
                        RemoteRecord(
                            id: PushID(app: id.app, number: id.number), notification: try cells.remote(2)))))
        }
        try check(records.pushes, records.notifications)
        return records
    }

    private static func scheduled(_ cells: NotificationCells) throws -> ScheduledRecord {
        var start: CivilTime?
        if let seconds: Int64 = try cells.ifThere(own) {
            guard range.contains(seconds) else {
                throw try cells.fault("column start_seconds: it cannot be \(seconds)")
            }
            let nanoseconds: Int32 = try cells.value(own + 1)
            guard (0..<1_000_000_000).contains(nanoseconds) else {
                throw try cells.fault("column start_nanoseconds: it cannot be \(nanoseconds)")
            }
            start = CivilTime(seconds: seconds, nanoseconds: nanoseconds)
        }
        return ScheduledRecord(
            id: try cells.id(), notification: try cells.notification(), start: start,
            last: try cells.ifThere(own + 2).map { Nanoseconds($0) })
    }

    private static func delivered(_ cells: NotificationCells) throws -> DeliveredRecord {
        let word: String = try cells.value(own + 2)
        guard let stage = DeliveredRecord.Stage(rawValue: word) else {
            throw try cells.fault("there is no stage \"\(word)\"")
        }
        return DeliveredRecord(
            id: try cells.id(), notification: try cells.notification(),
            types: NotificationTypes(rawValue: try cells.value(own)), fired: Nanoseconds(try cells.value(own + 1)),
            stage: stage,
            push: try cells.ifThere(own + 3).map { PushID(app: AppID(try cells.value(0)), number: $0) })
    }

    static func apply(_ change: ConcernRecord, _ db: Database) throws -> Bool {
        switch change {
        case .notification(let change): try apply(change, db)
        case .push(let record): try KeyedRows.put(record, db)
        default: return false
        }
        return true
    }

    private static func apply(_ change: NotificationRecord, _ db: Database) throws {
        switch change {
        case .client(let record): try KeyedRows.put(record, db)
        case .scheduled(let record):
            let arguments = try arguments(record.id, record.notification)
            try db.cachedStatement(
                sql: """
                    INSERT OR REPLACE INTO notification_scheduled (\(columns), start_seconds, start_nanoseconds, last)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """
            ).execute(
                arguments: arguments + [record.start?.seconds, record.start?.nanoseconds, record.last?.rawValue])
        case .delivered(let record):
            let arguments = try arguments(record.id, record.notification)
            try db.cachedStatement(
                sql: """
                    INSERT OR REPLACE INTO notification_delivered (\(columns), types, fired, stage, push)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """
            ).execute(
                arguments: arguments + [
                    record.types.rawValue, record.fired.rawValue, record.stage.rawValue,
                    record.push?.number,
                ])
        case .unscheduled(let id): try remove(id, from: "notification_scheduled", db)
        case .removed(let id): try remove(id, from: "notification_delivered", db)
        case .remote(let record):
            // The notification arrived and was removed in one event. A later change in this commit removes the record.
            guard let notification = record.notification else { return }
            try db.cachedStatement(
                sql: "INSERT OR REPLACE INTO remote_notification (app, number, notification) VALUES (?, ?, ?)"
            ).execute(arguments: [record.id.app.rawValue, record.id.number, try StoreRows.json(notification)])
        case .remoteRemoved(let id):
            try remove(NotificationID(app: id.app, number: id.number), from: "remote_notification", db)
        }
    }

    private static func remove(_ id: NotificationID, from table: String, _ db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM \(table) WHERE app = ? AND number = ?")
            .execute(arguments: [id.app.rawValue, id.number])
    }

    static func removeAll(of app: AppID, _ db: Database) throws {
        try KeyedRows<NotificationClientRecord>.remove(app, db)
        try KeyedRows<PushRecord>.remove(app, db)
        for table in ["notification_scheduled", "notification_delivered", "remote_notification"] {
            try db.cachedStatement(sql: "DELETE FROM \(table) WHERE app = ?").execute(arguments: [app.rawValue])
        }
    }

    private static func arguments(
        _ id: NotificationID, _ notification: LocalNotification
    ) throws -> StatementArguments {
        let sound: Data? =
            switch notification.sound {
            case .none: nil
            case .standard: Data()
            case .named(let name): Data(name.utf8)
            }
        return [
            id.app.rawValue, id.number, notification.fireDate?.rawValue, notification.timeZone.map { Data($0.utf8) },
            notification.repeats?.rawValue, notification.alertBody.map { Data($0.utf8) }, sound, notification.badge,
            notification.isSimple ? nil : try StoreRows.json(notification),
        ]
    }
}

extension NotificationRows {
    /// Throws unless every remote notification that a record refers to exists.
    fileprivate static func check(_ pushes: [PushRecord], _ records: NotificationRecords) throws {
        let known = Set(records.remotes.map(\.id))
        func check(_ push: PushID?, _ table: String, _ row: String) throws {
            guard let push, !known.contains(push) else { return }
            throw StoreFault(
                reason: "table \(table), row \(row): there is no remote notification \(push)", isDamage: true)
        }
        for record in pushes { try check(record.held, "push", "app \(record.app.rawValue)") }
        for record in records.delivered {
            try check(
                record.push, "notification_delivered", "app \(record.id.app.rawValue), number \(record.id.number)")
        }
    }
}

extension LocalNotification {
    /// Whether the columns alone hold every property.
    fileprivate var isSimple: Bool {
        alertTitle == nil && alertAction == nil && alertLaunchImage == nil && userInfo == nil && category == nil
            && hasAction && sound != .named("")
    }
}

/// The cells of a notification, read by index. Looking up a column by its name takes longer than reading it.
private struct NotificationCells {
    let row: Row
    let table: String

    func value<Value: DatabaseValueConvertible>(_ place: Int) throws -> Value {
        guard let value: Value = try ifThere(place) else { throw try fault("column \(place) holds nothing") }
        return value
    }

    func ifThere<Value: DatabaseValueConvertible>(_ place: Int) throws -> Value? {
        let cell: DatabaseValue = row[place]
        if cell.isNull { return nil }
        guard let value = Value.fromDatabaseValue(cell) else { throw try fault("column \(place) cannot be \(cell)") }
        return value
    }

    func id() throws -> NotificationID {
        let number: Int64 = try value(1)
        guard StoreRows.long.contains(number) else { throw try fault("column number: it cannot be \(number)") }
        return NotificationID(app: AppID(try value(0)), number: number)
    }

    func notification() throws -> LocalNotification {
        if let rest: LocalNotification = try json(8) { return rest }
        var notification = LocalNotification()
        notification.fireDate = try ifThere(2).map { Nanoseconds($0) }
        notification.timeZone = try text(3)
        if let word: String = try ifThere(4) {
            guard let interval = RepeatInterval(rawValue: word) else {
                throw try fault("there is no interval \"\(word)\"")
            }
            notification.repeats = interval
        }
        notification.alertBody = try text(5)
        if let sound = try text(6) { notification.sound = sound.isEmpty ? .standard : .named(sound) }
        notification.badge = try value(7)
        return notification
    }

    func remote(_ place: Int) throws -> RemoteNotification {
        guard let remote: RemoteNotification = try json(place) else { throw try fault("column \(place) holds nothing") }
        return remote
    }

    private func json<Value: Decodable>(_ place: Int) throws -> Value? {
        guard let text: String = try ifThere(place) else { return nil }
        do {
            return try JSONDecoder().decode(Value.self, from: Data(text.utf8))
        } catch {
            throw try fault("\(error)")
        }
    }

    private func text(_ place: Int) throws -> String? {
        let data: Data? = try ifThere(place)
        return data.map { String(decoding: $0, as: UTF8.self) }
    }

    func fault(_ reason: String) throws -> StoreFault {
        let (app, number): (DatabaseValue, DatabaseValue) = (row[0], row[1])
        return StoreFault(reason: "table \(table), row app \(app), number \(number): \(reason)", isDamage: true)
    }
}
