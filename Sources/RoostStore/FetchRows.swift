internal import GRDB
internal import LifeCycleModel

/// What is kept of background fetch to rows, and back.
enum FetchRows {
    static let select = "SELECT app, record FROM fetch ORDER BY app"

    static func fetch(_ row: Row) throws -> FetchRecord {
        let cells = try Cells(row, table: "fetch", key: ["app"])
        let record: FetchRecord = try cells.json("record")
        guard record.app == AppID(try cells.value("app")) else { throw cells.fault("record", "it is of \(record.app)") }
        guard record.minimumInterval >= .zero else {
            throw cells.fault("record", "its interval is \(record.minimumInterval)")
        }
        try cells.check(record.fruitless, in: StoreRows.short, "fruitless", of: "record")
        return record
    }

    static func put(_ record: FetchRecord, _ db: Database) throws {
        try db.cachedStatement(
            sql:
                "INSERT INTO fetch (app, record) VALUES (?, ?) ON CONFLICT (app) DO UPDATE SET record = excluded.record"
        ).execute(arguments: [record.app.rawValue, try StoreRows.json(record)])
    }

    static func remove(_ app: AppID, _ db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM fetch WHERE app = ?").execute(arguments: [app.rawValue])
    }
}
