internal import GRDB
internal import LifeCycleModel

/// The tables of notifications.
extension NotificationRows {
    static var versions: [StoreSchema.Version] { [(7, addNotifications), (8, addPushes), (9, addShownPushes)] }

    /// Local notifications: those that are scheduled, those that have fired and were not dealt with, and their apps.
    @Sendable private static func addNotifications(_ db: Database) throws {
        let columns = """
            app INTEGER NOT NULL,
            number INTEGER NOT NULL,
            fire_date INTEGER,
            time_zone BLOB,
            repeats TEXT,
            body BLOB,
            sound BLOB,
            badge INTEGER NOT NULL,
            rest TEXT
            """
        try db.execute(
            sql: """
                CREATE TABLE notification_client (
                    app INTEGER PRIMARY KEY,
                    record TEXT NOT NULL
                ) STRICT;
                CREATE TABLE notification_scheduled (
                    \(columns),
                    start_seconds INTEGER,
                    start_nanoseconds INTEGER,
                    last INTEGER,
                    PRIMARY KEY (app, number)
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE notification_delivered (
                    \(columns),
                    types INTEGER NOT NULL,
                    fired INTEGER NOT NULL,
                    stage TEXT NOT NULL,
                    PRIMARY KEY (app, number)
                ) STRICT, WITHOUT ROWID;
                """)
    }

    /// Who has registered for remote notifications, and what is held back.
    @Sendable private static func addPushes(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE push (
                    app INTEGER PRIMARY KEY,
                    record TEXT NOT NULL
                ) STRICT;
                """)
    }

    /// What a provider has sent that is shown to the user.
    @Sendable private static func addShownPushes(_ db: Database) throws {
        try db.execute(sql: "ALTER TABLE notification_delivered ADD COLUMN remote TEXT")
    }
}

extension PushRecord: KeyedRecord {
    static var table: String { "push" }

    func check(_ cells: Cells) throws {
        if let count = token?.bytes.count, count != DeviceToken.size {
            throw cells.fault("record", "its token has \(count) bytes")
        }
    }
}

extension NotificationClientRecord: KeyedRecord {
    static var table: String { "notification_client" }

    func check(_ cells: Cells) throws {
        try cells.check(lastNumber, in: StoreRows.long, "lastNumber", of: "record")
        try cells.check(launch, in: StoreRows.short, "launch", of: "record")
    }
}
