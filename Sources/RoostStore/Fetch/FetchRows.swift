internal import GRDB
internal import LifeCycleModel

/// Each app's settings and statistics of background fetch.
enum FetchRows: RowsOfConcern {
    static var versions: [StoreSchema.Version] { [(6, addFetches)] }

    static func load(_ db: Database) throws -> [ConcernRecord] { try KeyedRows.load(db).map { .fetch(.client($0)) } }

    static func apply(_ change: ConcernRecord, _ db: Database) throws -> Bool {
        guard case .fetch(let change) = change else { return false }
        switch change {
        case .client(let record): try KeyedRows.put(record, db)
        case .removed(let app): try removeAll(of: app, db)
        }
        return true
    }

    static func removeAll(of app: AppID, _ db: Database) throws { try KeyedRows<FetchRecord>.remove(app, db) }

    @Sendable private static func addFetches(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE fetch (
                    app INTEGER PRIMARY KEY,
                    record TEXT NOT NULL
                ) STRICT;
                """)
    }
}

extension FetchRecord: KeyedRecord {
    static var table: String { "fetch" }

    func check(_ cells: Cells) throws {
        guard minimumInterval >= .zero else { throw cells.fault("record", "its interval is \(minimumInterval)") }
        try cells.check(unproductive, in: StoreRows.short, "fruitless", of: "record")
    }
}
