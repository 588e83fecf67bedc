/// The persisted record of a launch with kept sockets or a keep-alive handler. After a restart of the system, the system
/// takes the sockets of a suspended app again by it.
public struct SocketRecord: Hashable, Sendable, Codable {
    /// The most answers that wait until the app runs.
    package static let mostAnswers = 64

    /// The launch.
    public let launch: LaunchID
    /// The sockets, oldest first.
    public var sockets: [KeptSocket] = []
    /// The time between two calls of the keep-alive handler; nil if there is none.
    public var keepAlive: Nanoseconds?

    /// The record of a launch without sockets.
    public init(launch: LaunchID) { self.launch = launch }

    /// Whether the record says nothing.
    public var isEmpty: Bool { sockets.isEmpty && keepAlive == nil }
}

/// A change of the records of kept sockets.
public enum SocketChange: Hashable, Sendable, Codable {
    /// An empty record is removed.
    case client(SocketRecord)
}

extension SocketChange: RecordedChange {
    private var record: SocketRecord {
        switch self {
        case .client(let record): record
        }
    }
    package var subject: RecordSubject { .sockets(of: record.launch.app) }
    package var isRemoval: Bool { record.isEmpty }
    package var subjectsBuiltUpon: [RecordSubject] { [subject] }
}

extension RecordSubject {
    package static func sockets(of app: AppID) -> RecordSubject { RecordSubject("sockets", of: app) }
}

extension [ConcernRecord] {
    /// The launches with kept sockets or a keep-alive handler.
    public var sockets: [SocketRecord] {
        compactMap { if case .socket(.client(let record)) = $0 { record } else { nil } }
    }
}
