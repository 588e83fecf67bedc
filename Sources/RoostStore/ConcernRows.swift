internal import GRDB
internal import LifeCycleModel

/// The rows of a concern, and the versions of the store that have made its tables.
protocol RowsOfConcern: SendableMetatype {
    static var versions: [StoreSchema.Version] { get }
    static func load(_ db: Database) throws -> [ConcernRecord]
    /// Makes a change. A change of another concern is left to that one.
    static func apply(_ change: ConcernRecord, _ db: Database) throws
    static func removeAll(of app: AppID, _ db: Database) throws
}

/// The rows of every concern.
enum ConcernRows {
    static let all: [any RowsOfConcern.Type] = [TransferRows.self, NotificationRows.self, FetchRows.self]
}
