internal import GRDB

/// The tables, by versions. A version that was ever released is never changed; a new one is added below it.
enum StoreSchema {
    /// The versions this program knows, oldest first: each migration is called by its number.
    private static let versions: [(number: Int, migrate: @Sendable (Database) throws -> Void)] = [
        (1, createTables), (2, addDevice), (3, addActivity), (4, addTransfers),
        (5, addWaits), (6, addFetches), (7, addNotifications), (8, addPushes),
        (9, addShownPushes), (10, splitLocation), (11, addRemovals),
    ]

    /// Brings a store of any known version to the newest.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for version in versions { migrator.registerMigration(String(version.number), migrate: version.migrate) }
        return migrator
    }

    /// Refuses a file that is damaged, is another program's, or was written by a newer Roost.
    static func check(_ db: Database, path: String) throws {
        let verdict = try String.fetchOne(db, sql: "PRAGMA quick_check(1)") ?? "no answer"
        guard verdict == "ok" else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: verdict)
        }
        guard try db.tableExists("grdb_migrations") else {
            let tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") ?? 0
            guard tables == 0 else {
                throw StoreFault(
                    reason: "the file is another program's database: move it elsewhere, or name another state "
                        + "directory with --state")
            }
            return
        }
        let known = versions.map(\.number).max() ?? 0
        let applied = try migrator.appliedIdentifiers(db)
        let newest = applied.compactMap { Int($0) }.max() ?? 0
        guard newest <= known, applied.allSatisfy({ Int($0) != nil }) else {
            throw StoreFault(
                reason: "it is of version \(newest) and this Roost knows versions up to \(known): use the newer Roost, "
                    + "or another state directory")
        }
    }

    /// AUTOINCREMENT keeps the highest number ever used, so that a removed app's number is never given again.
    /// A launch has no foreign key on its app: it may outlive its app's record for as long as its process lives.
    @Sendable private static func createTables(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE app (
                    id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id > 0),
                    identifier TEXT NOT NULL UNIQUE,
                    manifest TEXT NOT NULL,
                    is_force_quit INTEGER NOT NULL CHECK (is_force_quit IN (0, 1)),
                    last_launch INTEGER NOT NULL
                ) STRICT;
                CREATE TABLE launch (
                    app INTEGER NOT NULL,
                    number INTEGER NOT NULL,
                    reason TEXT NOT NULL,
                    is_in_front INTEGER NOT NULL CHECK (is_in_front IN (0, 1)),
                    is_suspended INTEGER NOT NULL CHECK (is_suspended IN (0, 1)),
                    ending TEXT,
                    pid INTEGER,
                    start_time INTEGER,
                    boot_id TEXT,
                    token TEXT NOT NULL DEFAULT '',
                    PRIMARY KEY (app, number)
                ) STRICT, WITHOUT ROWID;
                """)
    }

    /// The device itself, and what the user's wishes and scenes add to an app. A manifest from before says nothing of
    /// scenes: such an app was installed as one without.
    @Sendable private static func addDevice(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE device (
                    id INTEGER PRIMARY KEY CHECK (id = 1),
                    record TEXT NOT NULL
                ) STRICT;
                ALTER TABLE app ADD COLUMN allows_background_refresh INTEGER NOT NULL DEFAULT 1
                    CHECK (allows_background_refresh IN (0, 1));
                ALTER TABLE app ADD COLUMN scenes TEXT NOT NULL DEFAULT '{"discarded":[],"last":0}';
                ALTER TABLE app ADD COLUMN switcher_place INTEGER NOT NULL DEFAULT 0;
                UPDATE app SET manifest = json_set(manifest, '$.usesScenes', json('false'))
                    WHERE json_extract(manifest, '$.usesScenes') IS NULL;
                """)
    }

    /// Whether a launch may think itself active. Of those from before nobody knows, unless they stand still.
    @Sendable private static func addActivity(_ db: Database) throws {
        try db.execute(
            sql: """
                ALTER TABLE launch ADD COLUMN may_be_active INTEGER NOT NULL DEFAULT 0 CHECK (may_be_active IN (0, 1));
                UPDATE launch SET may_be_active = 1 - is_suspended;
                """)
    }

    /// Background sessions and their transfers. There may be a hundred thousand of these, all read at each start: what
    /// nearly each of them has lies in columns, since a coder takes thirty times as long. `networks` has a bit each for
    /// mobile, expensive and constrained ones; `text` is UTF-8, in which an app may have put a NUL.
    @Sendable private static func addTransfers(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE transfer_session (
                    app INTEGER NOT NULL,
                    number INTEGER NOT NULL,
                    identifier TEXT NOT NULL,
                    record TEXT NOT NULL,
                    PRIMARY KEY (app, number)
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE transfer (
                    app INTEGER NOT NULL,
                    session INTEGER NOT NULL,
                    number INTEGER NOT NULL,
                    place INTEGER NOT NULL,
                    url TEXT NOT NULL,
                    method TEXT NOT NULL,
                    fields TEXT,
                    body TEXT,
                    timeout INTEGER,
                    networks INTEGER NOT NULL CHECK (networks BETWEEN 0 AND 7),
                    text BLOB,
                    priority INTEGER NOT NULL,
                    earliest_begin INTEGER,
                    expected_to_receive INTEGER,
                    is_suspended INTEGER NOT NULL CHECK (is_suspended IN (0, 1)),
                    is_paused INTEGER NOT NULL CHECK (is_paused IN (0, 1)),
                    is_from_background INTEGER NOT NULL CHECK (is_from_background IN (0, 1)),
                    made INTEGER NOT NULL,
                    failures INTEGER NOT NULL,
                    checkpoint TEXT,
                    resumes TEXT,
                    outcome TEXT,
                    PRIMARY KEY (app, session, number)
                ) STRICT, WITHOUT ROWID;
                """)
    }

    /// What a transfer waits for and since when, and until when what has arrived of one is kept. Of those from before
    /// nobody knows: they wait for nothing, and are kept as long as they were. A device from before is on no metered
    /// network, and not in Low Data Mode.
    @Sendable private static func addWaits(_ db: Database) throws {
        try db.execute(
            sql: """
                ALTER TABLE transfer ADD COLUMN hold TEXT;
                ALTER TABLE transfer ADD COLUMN since INTEGER;
                ALTER TABLE transfer ADD COLUMN kept_until INTEGER;
                UPDATE device SET record = json_set(
                    record, '$.settings.isMetered', json('false'), '$.settings.lowDataMode', json('false'))
                    WHERE json_extract(record, '$.settings') IS NOT NULL
                        AND json_extract(record, '$.settings.isMetered') IS NULL;
                """)
    }

    /// What apps want of background fetch, and how it went.
    @Sendable private static func addFetches(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE fetch (
                    app INTEGER PRIMARY KEY,
                    record TEXT NOT NULL
                ) STRICT;
                """)
    }

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

    /// What a provider has sent that is shown to the user.
    @Sendable private static func addShownPushes(_ db: Database) throws {
        try db.execute(sql: "ALTER TABLE notification_delivered ADD COLUMN remote TEXT")
    }

    /// Apps whose files are to be deleted: an app's files are deleted only while it is in this table.
    @Sendable private static func addRemovals(_ db: Database) throws {
        try db.execute(sql: "CREATE TABLE removal (identifier TEXT NOT NULL PRIMARY KEY) STRICT, WITHOUT ROWID")
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

    /// Launches for a place, of which there was one reason: only apps with the mode `location` had any.
    @Sendable private static func splitLocation(_ db: Database) throws {
        try db.execute(
            sql: """
                UPDATE launch SET reason = 'locationUpdate' WHERE reason = 'location';
                UPDATE launch SET ending = replace(
                    ending, '{"launch":{"_0":"location"}}', '{"launch":{"_0":"locationUpdate"}}');
                """)
    }
}
