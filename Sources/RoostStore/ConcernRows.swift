internal import GRDB
internal import LifeCycleModel

/// The rows of a concern, and the versions of the store that have made its tables.
protocol RowsOfConcern: SendableMetatype {
    static var versions: [StoreSchema.Version] { get }
    static func load(_ db: Database) throws -> [ConcernRecord]
    /// Makes a change; false for a change of another concern, which is left to that one.
    static func apply(_ change: ConcernRecord, _ db: Database) throws -> Bool
    static func removeAll(of app: AppID, _ db: Database) throws
}

/// The rows of every concern.
enum ConcernRows {
    static let all: [any RowsOfConcern.Type] = [
        TransferRows.self,
        NotificationRows.self,
        FetchRows.self,
    ]

    /// Makes a change. That no concern knows it is a fault of ours: it would be lost at the next start.
    static func apply(_ change: ConcernRecord, _ db: Database) throws {
        for rows in all { if try rows.apply(change, db) { return } }
        preconditionFailure("the rows of \(change) are not in ConcernRows.all")
    }
}
