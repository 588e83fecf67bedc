internal import GRDB

/// The tables, by version. A released version is never changed; a new version is added after it.
enum StoreSchema {
    /// A migration and the number of the version that it produces.
    typealias Version = (number: Int, migrate: @Sendable (Database) throws -> Void)

    /// All versions that this program knows, oldest first.
    private static let versions =
        (own + ConcernRows.all.flatMap { $0.versions }).sorted { $0.number < $1.number }

    static let newest = versions.map(\.number).max() ?? 0

    private static let own: [Version] = [
        (1, createTables), (2, addDevice), (3, addActivity), (10, splitLocation), (11, addRemovals),
        (13, addAdopted),
    ]

    /// Migrates a store from any known version to the newest.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for version in versions { migrator.registerMigration(String(version.number), migrate: version.migrate) }
        return migrator
    }

    /// Refuses a file that is damaged, belongs to another program, or was written by a newer Roost.
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
        let applied = try migrator.appliedIdentifiers(db)
        let found = applied.compactMap { Int($0) }.max() ?? 0
        guard found <= newest, applied.allSatisfy({ Int($0) != nil }) else {
            throw StoreFault(
                reason: "it is of version \(found) and this Roost knows versions up to \(newest): use the newer Roost, "
                    + "or another state directory")
        }
    }

    /// AUTOINCREMENT keeps the highest number ever used, so a removed app's number is never given again. A launch has
    /// no foreign key on its app, because it stays until its process ends, even if the app's record is removed.
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

    /// The device itself, and the columns of an app for settings and scenes. An older manifest does not mention scenes:
    /// the app was installed as an app without scenes.
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

    /// Whether a launch may believe that it is active. For older launches this is unknown, unless they are suspended.
    @Sendable private static func addActivity(_ db: Database) throws {
        try db.execute(
            sql: """
                ALTER TABLE launch ADD COLUMN may_be_active INTEGER NOT NULL DEFAULT 0 CHECK (may_be_active IN (0, 1));
                UPDATE launch SET may_be_active = 1 - is_suspended;
                """)
    }

    /// Apps whose files are to be deleted: an app's files are deleted only while it is in this table.
    @Sendable private static func addRemovals(_ db: Database) throws {
        try db.execute(sql: "CREATE TABLE removal (identifier TEXT NOT NULL PRIMARY KEY) STRICT, WITHOUT ROWID")
    }

    /// Whether a launch is that of an adopted app. For older launches the app's manifest says so.
    @Sendable private static func addAdopted(_ db: Database) throws {
        try db.execute(
            sql: """
                ALTER TABLE launch ADD COLUMN is_adopted INTEGER NOT NULL DEFAULT 0 CHECK (is_adopted IN (0, 1));
                UPDATE launch SET is_adopted = 1
                    WHERE app IN (SELECT id FROM app WHERE json_extract(manifest, '$.isAdopted'));
                """)
    }

    /// Renames the launch reason `location` to `locationUpdate`. It was the only reason for location launches, and only
    /// apps with the mode `location` had such launches.
    @Sendable private static func splitLocation(_ db: Database) throws {
        try db.execute(
            sql: """
                UPDATE launch SET reason = 'locationUpdate' WHERE reason = 'location';
                UPDATE launch SET ending = replace(
                    ending, '{"launch":{"_0":"location"}}', '{"launch":{"_0":"locationUpdate"}}');
                """)
    }
}
