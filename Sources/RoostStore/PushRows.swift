internal import GRDB
internal import LifeCycleModel

/// What is kept of remote notifications to rows, and back.
enum PushRows {
    static let select = "SELECT app, record FROM push ORDER BY app"

    static func push(_ row: Row) throws -> PushRecord {
        let cells = try Cells(row, table: "push", key: ["app"])
        let record: PushRecord = try cells.json("record")
        guard record.app == AppID(try cells.value("app")) else { throw cells.fault("record", "it is of \(record.app)") }
        if let count = record.token?.bytes.count, count != DeviceToken.size {
            throw cells.fault("record", "its token has \(count) bytes")
        }
        return record
    }

    static func put(_ record: PushRecord, _ db: Database) throws {
        try db.cachedStatement(
            sql: "INSERT INTO push (app, record) VALUES (?, ?) ON CONFLICT (app) DO UPDATE SET record = excluded.record"
        ).execute(arguments: [record.app.rawValue, try StoreRows.json(record)])
    }

    static func remove(_ app: AppID, _ db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM push WHERE app = ?").execute(arguments: [app.rawValue])
    }
}
