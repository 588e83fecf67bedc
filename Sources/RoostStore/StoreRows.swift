internal import FoundationEssentials
internal import GRDB
internal import LifeCycleModel
internal import RoostPorts
internal import RoostWire

/// Converts records to rows and back. An invalid row is an error that names it, never a crash.
enum StoreRows {
    /// The ranges of counters. No system reaches their ends, so that counting never overflows.
    static let short = 0..<Int32.max / 2
    static let long = 0..<Int64.max / 2

    static let selectApps = """
        SELECT id, identifier, manifest, is_force_quit, last_launch, allows_background_refresh, scenes, switcher_place
        FROM app ORDER BY id
        """

    static let selectDevice = "SELECT id, record FROM device"

    static let selectLaunches = """
        SELECT app, number, reason, is_in_front, may_be_active, is_suspended, ending, is_adopted, pid, start_time, boot_id,
            token
        FROM launch ORDER BY app, number
        """

    static func app(_ row: Row) throws -> AppRecord {
        let cells = try Cells(row, table: "app", key: ["id"])
        let manifest: AppManifest = try cells.json("manifest")
        guard manifest.identifier.rawValue == (try cells.value("identifier") as String) else {
            throw cells.fault("identifier", "it is not the manifest's, \(manifest.identifier)")
        }
        var record = AppRecord(
            app: AppID(try cells.value("id")), manifest: manifest,
            isForceQuit: try cells.value("is_force_quit"), lastLaunch: try cells.value("last_launch", in: short))
        record.allowsBackgroundRefresh = try cells.value("allows_background_refresh")
        record.scenes = try cells.json("scenes")
        try cells.check(record.scenes.last, in: short, "last", of: "scenes")
        record.switcherPlace = try cells.value("switcher_place", in: long)
        return record
    }

    static func device(_ row: Row) throws -> DeviceRecord {
        let cells = try Cells(row, table: "device", key: ["id"])
        let record: DeviceRecord = try cells.json("record")
        try cells.check(record.clockChanges, in: long, "clockChanges", of: "record")
        try cells.check(record.settings.batteryLevel, in: 0..<101, "batteryLevel", of: "record")
        return record
    }

    static func launch(_ row: Row) throws -> StoredLaunch {
        let cells = try Cells(row, table: "launch", key: ["app", "number"])
        let text: String = try cells.value("reason")
        guard let reason = LaunchReason(rawValue: text) else {
            throw cells.fault("reason", "there is no launch reason \"\(text)\"")
        }
        var process: StoredProcess?
        if !cells.isNull("pid") {
            process = StoredProcess(
                pid: try cells.value("pid"),
                startTime: UInt64(bitPattern: try cells.value("start_time")),
                bootID: try cells.value("boot_id"))
        }
        let record = LaunchRecord(
            launch: LaunchID(app: AppID(try cells.value("app")), number: try cells.value("number", in: short)),
            reason: reason,
            isInForeground: try cells.value("is_in_front"),
            mayBeActive: try cells.value("may_be_active"),
            isSuspended: try cells.value("is_suspended"),
            ending: cells.isNull("ending") ? nil : try cells.json("ending"),
            isAdopted: try cells.value("is_adopted"))
        return StoredLaunch(record: record, process: process, token: try cells.value("token"))
    }

    static func apply(_ change: StoreChange, to db: Database) throws {
        switch change {
        case .record(.app(let record)): try put(record, db)
        case .record(.device(let record)):
            try db.cachedStatement(
                sql:
                    "INSERT INTO device (id, record) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET record = excluded.record"
            ).execute(arguments: [try json(record)])
        case .record(.launch(let record)): try put(record, db)
        case .filesRemoved(let identifier):
            try db.cachedStatement(sql: "DELETE FROM removal WHERE identifier = ?")
                .execute(arguments: [identifier.rawValue])
        case .record(.appRemoved(let app)):
            // In the same transaction: files are deleted only if the removal is on disk.
            try db.cachedStatement(
                sql: "INSERT OR IGNORE INTO removal (identifier) SELECT identifier FROM app WHERE id = ?"
            ).execute(arguments: [app.rawValue])
            try db.cachedStatement(sql: "DELETE FROM app WHERE id = ?").execute(arguments: [app.rawValue])
            // The brain removes each record itself. This deletion is a safeguard, so that no later start resumes work
            // of a removed app.
            for rows in ConcernRows.all { try rows.removeAll(of: app, db) }
        case .record(.launchEnded(let launch)):
            try db.cachedStatement(sql: "DELETE FROM launch WHERE app = ? AND number = ?")
                .execute(arguments: [launch.app.rawValue, launch.number])
        case .record(.concern(let change)): try ConcernRows.apply(change, db)
        case .process(let launch, let process, let token): try put(process, token: token, of: launch, db)
        }
    }

    private static func put(_ record: AppRecord, _ db: Database) throws {
        let sql = """
            INSERT INTO app (
                id, identifier, manifest, is_force_quit, last_launch, allows_background_refresh, scenes, switcher_place
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET identifier = excluded.identifier, manifest = excluded.manifest,
                is_force_quit = excluded.is_force_quit, last_launch = excluded.last_launch,
                allows_background_refresh = excluded.allows_background_refresh, scenes = excluded.scenes,
                switcher_place = excluded.switcher_place
            """
        try db.cachedStatement(sql: sql).execute(arguments: [
            record.app.rawValue, record.manifest.identifier.rawValue, try json(record.manifest), record.isForceQuit,
            record.lastLaunch, record.allowsBackgroundRefresh, try json(record.scenes), record.switcherPlace,
        ])
        // The app was installed again before its files were deleted. The files belong to the new app.
        try db.cachedStatement(sql: "DELETE FROM removal WHERE identifier = ?")
            .execute(arguments: [record.manifest.identifier.rawValue])
    }

    private static func put(_ record: LaunchRecord, _ db: Database) throws {
        let sql = """
            INSERT INTO launch (app, number, reason, is_in_front, may_be_active, is_suspended, ending, is_adopted)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (app, number) DO UPDATE SET reason = excluded.reason, is_in_front = excluded.is_in_front,
                may_be_active = excluded.may_be_active, is_suspended = excluded.is_suspended, ending = excluded.ending,
                is_adopted = excluded.is_adopted
            """
        try db.cachedStatement(sql: sql).execute(arguments: [
            record.launch.app.rawValue, record.launch.number, record.reason.rawValue, record.isInForeground,
            record.mayBeActive, record.isSuspended, try record.ending.map { try json($0) }, record.isAdopted,
        ])
    }

    private static func put(_ process: StoredProcess?, token: String, of launch: LaunchID, _ db: Database) throws {
        let sql = "UPDATE launch SET pid = ?, start_time = ?, boot_id = ?, token = ? WHERE app = ? AND number = ?"
        try db.cachedStatement(sql: sql).execute(arguments: [
            process?.pid, process.map { Int64(bitPattern: $0.startTime) }, process?.bootID, token,
            launch.app.rawValue, launch.number,
        ])
        guard db.changesCount == 1 else {
            throw StoreFault(reason: "cannot record the process of launch \(launch): table launch has no row for it")
        }
    }

    static func json(_ value: some Encodable) throws -> String {
        try LineEncoder().text(of: value)
    }
}

/// The cells of one row, read with a type check.
struct Cells {
    private let row: Row
    private let table: String
    private let name: String

    init(_ row: Row, table: String, key: [String]) throws {
        self.row = row
        self.table = table
        name = key.map { column in "\(column) \(row[column] as DatabaseValue)" }.joined(separator: ", ")
    }

    func isNull(_ column: String) -> Bool { (row[column] as DatabaseValue).isNull }

    func value<Value: DatabaseValueConvertible>(_ column: String) throws -> Value {
        let cell: DatabaseValue = row[column]
        guard let value = Value.fromDatabaseValue(cell) else { throw fault(column, "it cannot be \(cell)") }
        return value
    }

    /// A value that only the system writes. A value out of range is damage, and must not be used in calculations.
    func value<Value: DatabaseValueConvertible & Comparable>(_ column: String, in range: Range<Value>) throws -> Value {
        let value: Value = try value(column)
        guard range.contains(value) else { throw fault(column, "it cannot be \(value)") }
        return value
    }

    /// Checks the range of a value inside a record.
    func check<Value: Comparable>(
        _ value: Value, in range: Range<Value>, _ name: String, of column: String
    ) throws {
        if !range.contains(value) { throw fault(column, "its \(name) cannot be \(value)") }
    }

    func json<Value: Decodable>(_ column: String) throws -> Value {
        let text: String = try value(column)
        do {
            return try JSONDecoder().decode(Value.self, from: Data(text.utf8))
        } catch {
            throw fault(column, "\(error)")
        }
    }

    func fault(_ column: String, _ reason: String) -> StoreFault {
        StoreFault(reason: "table \(table), row \(name), column \(column): \(reason)", isDamage: true)
    }
}
