import LifeCycleModel
import RoostPorts
import Testing

@testable import RoostStore

/// Local notifications in the store.
@Suite struct NotificationRowsTests {
    private let folder = TemporaryFolder()
    private var path: String { folder("store.db") }

    /// A notification that needs only the columns. `full` has every property. Both notifications have unusual
    /// characters in their texts.
    private static let simple: LocalNotification = {
        var notification = LocalNotification()
        notification.fireDate = Nanoseconds(-7)
        notification.alertBody = "안녕\u{0}\n"
        notification.sound = .standard
        notification.badge = -3
        return notification
    }()

    private static let full: LocalNotification = {
        var notification = LocalNotification()
        notification.fireDate = .distantFuture
        notification.timeZone = "Europe/Berlin"
        notification.repeats = .quarter
        notification.alertBody = ""
        notification.alertTitle = "title\u{0}"
        notification.alertAction = "action"
        notification.hasAction = false
        notification.alertLaunchImage = "image"
        notification.sound = .named("")
        notification.badge = .max
        notification.userInfo = "AAAA"
        notification.category = "category"
        return notification
    }()

    private static func client(_ app: Int32) -> NotificationClientRecord {
        var record = NotificationClientRecord(app: AppID(app))
        record.badge = 4
        record.registered = [.alert, .sound]
        record.isAllowed = false
        record.lastNumber = 9
        record.launch = 3
        record.received = 12
        return record
    }

    private static func id(_ app: Int32, _ number: Int64) -> NotificationID {
        NotificationID(app: AppID(app), number: number)
    }

    private static let changes: [NotificationRecord] = [
        .client(client(2)), .client(client(1)),
        .scheduled(ScheduledRecord(id: id(1, 2), notification: full, start: nil)),
        .scheduled(
            ScheduledRecord(
                id: id(1, 1), notification: simple, start: CivilTime(seconds: -5, nanoseconds: 999_999_999),
                last: Nanoseconds(11))),
        .scheduled(ScheduledRecord(id: id(2, 1), notification: LocalNotification(), start: nil)),
        .delivered(
            DeliveredRecord(
                id: id(1, 4), notification: full, types: [.badge], fired: Nanoseconds(-1), stage: .delivering)),
        .delivered(
            DeliveredRecord(id: id(1, 3), notification: simple, types: .all, fired: .seconds(2), stage: .sounding)),
        .delivered(
            DeliveredRecord(id: id(2, 3), notification: simple, types: [], fired: .seconds(2), stage: .shown)),
        .delivered(
            DeliveredRecord(
                id: id(2, 4), notification: full, types: .all, fired: .seconds(3), stage: .shown,
                push: PushID(app: AppID(2), number: 9))),
        .remote(RemoteRecord(id: PushID(app: AppID(2), number: 9), notification: remote)),
        .remote(RemoteRecord(id: PushID(app: AppID(1), number: 7), notification: remote)),
    ]

    private static let remote = RemoteNotification(
        payload: "{\"aps\":{\"alert\":\"☃️\",\"thread-id\":\"a/b\",\"interruption-level\":\"passive\"}}\n",
        isContentAvailable: true,
        presentation: RemoteNotification.Presentation(full, badge: 0, thread: "a/b", level: "passive"))

    private static func records(_ changes: [NotificationRecord]) -> NotificationRecords {
        var records = NotificationRecords()
        for change in changes { records.apply(change) }
        return records
    }

    private func store() throws -> SQLiteStore {
        let store = try SQLiteStore(path: path)
        try store.commit(Self.changes.map { .record(.concern(.notification($0))) })
        return store
    }

    @Test func keepsEveryField() throws {
        let store = try store()
        #expect(try SQLiteStore(path: path).load().concerns.notifications == Self.records(Self.changes))
        var client = Self.client(1)
        client.registered = nil
        let more: [NotificationRecord] = [
            .client(client), .unscheduled(Self.id(1, 2)), .unscheduled(Self.id(1, 2)), .removed(Self.id(1, 3)),
            .remoteRemoved(PushID(app: AppID(1), number: 7)),
            .scheduled(ScheduledRecord(id: Self.id(1, 1), notification: Self.full, start: CivilTime(seconds: 1))),
            .delivered(
                DeliveredRecord(
                    id: Self.id(1, 4), notification: Self.simple, types: .all, fired: .zero, stage: .shown)),
        ]
        try store.commit(more.map { .record(.concern(.notification($0))) })
        #expect(try SQLiteStore(path: path).load().concerns.notifications == Self.records(Self.changes + more))
    }

    @Test func aRemovedAppLeavesNoRecords() throws {
        let store = try store()
        try store.commit([.record(.appRemoved(AppID(1)))])
        var left = Self.records(Self.changes)
        left.forget(AppID(1))
        #expect(try store.load().concerns.notifications == left)
        #expect(left.scheduled.count == 1 && left.delivered.count == 2 && left.remotes.count == 1)
    }

    /// The tables of version 7 come before those of version 8, also if the store is older than both.
    @Test func aStoreOfVersion6IsBroughtToTheNewest() throws {
        let old = try SQLiteStore(path: path)
        for table in [
            "notification_client", "notification_scheduled", "notification_delivered", "push", "remote_notification",
        ] {
            try old.execute("DROP TABLE \(table)")
        }
        try old.execute("DELETE FROM grdb_migrations WHERE identifier IN ('7', '8', '9', '12')")
        #expect(try SQLiteStore.kept(at: path)?.concerns.notifications == NotificationRecords())
        #expect(try store().load().concerns.notifications == Self.records(Self.changes))
        let token = try #require(DeviceToken([UInt8](repeating: 1, count: DeviceToken.size)))
        try SQLiteStore(path: path).commit([.record(.concern(.push(PushRecord(app: AppID(1), token: token))))])
        #expect(try SQLiteStore(path: path).load().concerns.pushes == [PushRecord(app: AppID(1), token: token)])
    }

    /// A store without displayed remote notifications.
    @Test func aStoreOfVersion8IsBroughtToTheNewest() throws {
        let old = try store()
        try old.execute("ALTER TABLE notification_delivered DROP COLUMN push")
        try old.execute("DROP TABLE remote_notification")
        try old.execute("DELETE FROM grdb_migrations WHERE identifier IN ('9', '12')")
        let kept = try #require(try SQLiteStore.kept(at: path)).concerns.notifications
        #expect(kept.delivered.allSatisfy { $0.push == nil })
        #expect(try store().load().concerns.notifications == Self.records(Self.changes), "stored again")
    }

    /// A store that had a remote notification in each row about it, without its thread and level. Three notifications
    /// are displayed. The first app's is also held back. The second app's pending notification is another one, and the
    /// third app has only a pending one.
    @Test func aStoreOfVersion11IsBroughtToTheNewest() throws {
        let old = try SQLiteStore(path: path)
        func push(_ app: Int32, _ number: Int64?) -> PushRecord {
            let id = number.map { PushID(app: AppID(app), number: $0) }
            return PushRecord(app: AppID(app), token: nil, wakes: [.seconds(1)], held: id)
        }
        func delivered(_ app: Int32, _ number: Int64) -> NotificationRecord {
            .delivered(
                DeliveredRecord(
                    id: Self.id(app, number), notification: Self.full, types: .all, fired: .zero, stage: .shown,
                    push: PushID(app: AppID(app), number: number)))
        }
        func remote(_ app: Int32, _ number: Int64, _ remote: RemoteNotification) -> NotificationRecord {
            .remote(RemoteRecord(id: PushID(app: AppID(app), number: number), notification: remote))
        }
        let silent = RemoteNotification(payload: "{\"aps\":{},\"a\":\"/\\u0041\"}", isContentAvailable: true)
        let changes = [
            delivered(1, 3), delivered(1, 4), delivered(2, 6), remote(1, 3, Self.remote), remote(1, 4, Self.remote),
            remote(2, 6, Self.remote), remote(2, 7, silent), remote(3, 1, silent),
        ]
        let pushes = [push(1, 4), push(2, 7), push(3, 1), push(4, nil)]
        try old.commit(
            changes.map { .record(.concern(.notification($0))) } + pushes.map { .record(.concern(.push($0))) })
        try old.execute(
            """
            UPDATE remote_notification SET notification = json_remove(
                notification, '$.presentation.thread', '$.presentation.level');
            ALTER TABLE notification_delivered ADD COLUMN remote TEXT;
            UPDATE notification_delivered SET remote = (
                SELECT notification FROM remote_notification AS other
                WHERE other.app = notification_delivered.app AND other.number = notification_delivered.push);
            UPDATE push SET record = json_set(record, '$.held', json((
                    SELECT notification FROM remote_notification AS other
                    WHERE other.app = push.app AND other.number = json_extract(record, '$.held.number'))))
                WHERE json_extract(record, '$.held') IS NOT NULL;
            ALTER TABLE notification_delivered DROP COLUMN push;
            DROP TABLE remote_notification;
            DELETE FROM grdb_migrations WHERE identifier = '12';
            """)
        let kept = try #require(try SQLiteStore.kept(at: path)).concerns
        #expect(kept.notifications == Self.records(changes))
        #expect(kept.pushes == pushes)
    }

    @Test(arguments: ["push", "notification_delivered"]) func missesARemoteNotification(table: String) throws {
        let store = try store()
        let push = PushRecord(app: AppID(2), token: nil, held: PushID(app: AppID(2), number: 9))
        try store.commit([.record(.concern(.push(push)))])
        try store.execute(
            table == "push"
                ? "UPDATE notification_delivered SET push = NULL"
                : "UPDATE push SET record = json_remove(record, '$.held')")
        try store.execute("DELETE FROM remote_notification WHERE app = 2")
        let error = #expect(throws: SystemError.self) { try store.load() }
        #expect(error?.reason.contains("table \(table), row app 2") == true, "\(error!)")
        #expect(error?.reason.contains("there is no remote notification 2.9") == true, "\(error!)")
    }

    @Test(arguments: [
        ("notification_client", "record = '{}'", "app"), ("notification_client", "app = 3", "app"),
        ("notification_scheduled", "repeats = 'now and then'", "number 1"),
        ("notification_scheduled", "rest = '{'", "number"), ("notification_delivered", "stage = ''", "number 3"),
        ("notification_delivered", "badge = 5000000000, rest = NULL", "number 3"),
        ("notification_delivered", "push = 5", "number 3"), ("remote_notification", "notification = '{}'", "number 7"),
        // Values that SQLite can hold and the system never writes; the system would calculate with them.
        ("notification_scheduled", "start_seconds = 9223372036854775807", "column start_seconds: it cannot be 92"),
        ("notification_scheduled", "start_seconds = -9223372036854775808", "column start_seconds: it cannot be -92"),
        ("notification_scheduled", "start_seconds = 9300000000", "column start_seconds: it cannot be 9300000000"),
        (
            "notification_scheduled", "start_seconds = 1, start_nanoseconds = -2147483648",
            "column start_nanoseconds: it cannot be -2147483648"
        ),
        (
            "notification_client", "record = json_set(record, '$.lastNumber', 9223372036854775807)",
            "column record: its lastNumber cannot be 9223372036854775807"
        ),
        ("notification_client", "record = json_set(record, '$.launch', -1)", "its launch cannot be -1"),
        ("notification_scheduled", "number = number + 9223372036854775000", "column number: it cannot be"),
    ])
    func namesTheBrokenRow(table: String, change: String, row: String) throws {
        let store = try store()
        try store.execute("UPDATE \(table) SET \(change) WHERE app = 1")
        let error = #expect(throws: SystemError.self) { try store.load() }
        #expect(error?.subject == path)
        #expect(error?.reason.contains("table \(table), row app") == true, "\(error!)")
        #expect(error?.reason.contains(row) == true, "\(error!)")
    }
}
