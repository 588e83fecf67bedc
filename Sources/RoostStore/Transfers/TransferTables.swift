internal import GRDB

/// The tables of background sessions and their transfers.
extension TransferRows {
    static var versions: [StoreSchema.Version] { [(4, addTransfers), (5, addWaits)] }

    /// Background sessions and their transfers.
    ///
    /// There may be a hundred thousand transfers, and all are read at each start. Most properties are columns, because
    /// decoding JSON takes thirty times as long. `networks` has one bit each for cellular, expensive and constrained
    /// networks. `text` is a UTF-8 blob, because an app may have put a NUL into it.
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

    /// The reason for a transfer's wait, its start, and the end of the partial file's retention. For older transfers
    /// these values are unknown: the transfers wait for nothing, and are kept as long as before. An older device is on
    /// no metered network, and not in Low Data Mode.
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
}
