internal import GRDB
internal import LifeCycleModel

/// A record that each app has at most once. Its table has two columns: `app`, and `record` as JSON.
protocol KeyedRecord: Codable {
    static var table: String { get }
    var app: AppID { get }
    /// Throws a fault from `cells` if a value is out of range.
    func check(_ cells: Cells) throws
}

/// The rows of one kind of record.
enum KeyedRows<Persisted: KeyedRecord> {
    static func load(_ db: Database) throws -> [Persisted] {
        try Row.fetchAll(db, sql: "SELECT app, record FROM \(Persisted.table) ORDER BY app").map { row in
            let cells = try Cells(row, table: Persisted.table, key: ["app"])
            let record: Persisted = try cells.json("record")
            guard record.app == AppID(try cells.value("app")) else {
                throw cells.fault("record", "it is of \(record.app)")
            }
            try record.check(cells)
            return record
        }
    }

    static func put(_ record: Persisted, _ db: Database) throws {
        let sql = """
            INSERT INTO \(Persisted.table) (app, record) VALUES (?, ?)
            ON CONFLICT (app) DO UPDATE SET record = excluded.record
            """
        try db.cachedStatement(sql: sql).execute(arguments: [record.app.rawValue, try StoreRows.json(record)])
    }

    static func remove(_ app: AppID, _ db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM \(Persisted.table) WHERE app = ?").execute(arguments: [app.rawValue])
    }
}
