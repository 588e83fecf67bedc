internal import GRDB
internal import LifeCycleModel

/// The rows of a concern, and the schema versions that create its tables.
protocol RowsOfConcern: SendableMetatype {
    static var versions: [StoreSchema.Version] { get }
    static func load(_ db: Database) throws -> [ConcernRecord]
    /// Applies a change; false if the change is of another concern.
    static func apply(_ change: ConcernRecord, _ db: Database) throws -> Bool
    static func removeAll(of app: AppID, _ db: Database) throws
}

enum ConcernRows {
    static let all: [any RowsOfConcern.Type] = [
        TransferRows.self,
        NotificationRows.self,
        FetchRows.self,
        LocationRows.self,
        VoIPRows.self,
        SocketRows.self,
    ]

    /// Applies a change. If no concern accepts it, that is a bug in Roost: the change would be lost at the next start.
    static func apply(_ change: ConcernRecord, _ db: Database) throws {
        for rows in all { if try rows.apply(change, db) { return } }
        preconditionFailure("the rows of \(change) are not in ConcernRows.all")
    }
}
