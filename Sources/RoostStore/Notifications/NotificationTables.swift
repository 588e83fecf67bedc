internal import GRDB
internal import LifeCycleModel

extension NotificationRows {
    static var versions: [StoreSchema.Version] {
        [(7, addNotifications), (8, addPushes), (9, addShownPushes), (12, separatePushes)]
    }

    /// Local notifications: the scheduled notifications, the fired notifications that the user has not answered, and
    /// one record per app.
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

    /// The registrations for remote notifications, and the notifications held back.
    @Sendable private static func addPushes(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE push (
                    app INTEGER PRIMARY KEY,
                    record TEXT NOT NULL
                ) STRICT;
                """)
    }

    /// The content of displayed remote notifications.
    @Sendable private static func addShownPushes(_ db: Database) throws {
        try db.execute(sql: "ALTER TABLE notification_delivered ADD COLUMN remote TEXT")
    }

    /// One row per remote notification, to which the other tables refer: a notification that is held back may also be
    /// displayed. Older versions did not store the thread and the level. A damaged row is not changed, so that loading
    /// reports the damage.
    @Sendable private static func separatePushes(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE remote_notification (
                    app INTEGER NOT NULL,
                    number INTEGER NOT NULL,
                    notification TEXT NOT NULL,
                    PRIMARY KEY (app, number)
                ) STRICT;
                ALTER TABLE notification_delivered ADD COLUMN push INTEGER;
                UPDATE notification_delivered SET push = number WHERE remote IS NOT NULL;
                INSERT INTO remote_notification (app, number, notification)
                    SELECT app, push, remote FROM notification_delivered WHERE push IS NOT NULL;
                ALTER TABLE notification_delivered DROP COLUMN remote;

                CREATE TEMP TABLE held AS
                    SELECT app, CASE WHEN json_valid(record) THEN json_extract(record, '$.held') END AS content
                    FROM push WHERE content IS NOT NULL;
                INSERT INTO remote_notification (app, number, notification)
                    SELECT app, (
                        SELECT coalesce(max(number), 0) + 1 FROM remote_notification AS other WHERE other.app = held.app
                    ), content FROM held
                    WHERE (app, content) NOT IN (SELECT app, notification FROM remote_notification);
                UPDATE push SET record = json_set(record, '$.held', json_object(
                        'app', json_object('rawValue', app),
                        'number', (
                            SELECT max(number) FROM remote_notification JOIN held USING (app)
                            WHERE app = push.app AND notification = content)))
                    WHERE app IN (SELECT app FROM held);
                DROP TABLE held;

                UPDATE remote_notification SET notification = json_set(
                        notification,
                        '$.presentation.thread',
                        json_extract(json_extract(notification, '$.payload'), '$.aps."thread-id"'),
                        '$.presentation.level',
                        json_extract(json_extract(notification, '$.payload'), '$.aps."interruption-level"'))
                    WHERE CASE WHEN json_valid(notification)
                        THEN json_valid(json_extract(notification, '$.payload'))
                            AND json_extract(notification, '$.presentation') IS NOT NULL END;
                """)
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
