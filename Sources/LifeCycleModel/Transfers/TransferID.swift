/// An app's name for a background session, `URLSessionConfiguration.identifier`: unique in the app.
public struct SessionIdentifier: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    /// The longest name, in bytes of UTF-8.
    public static let longest = 1024

    /// The name itself.
    public let rawValue: String

    /// Wraps a name; nil if it is empty or too long.
    public init?(_ rawValue: String) {
        guard !rawValue.isEmpty, rawValue.utf8.count <= Self.longest else { return nil }
        self.rawValue = rawValue
    }

    /// The session of an app's Newsstand downloads. RoostKit opens it, and no app does so itself.
    public static let newsstand = Self(unchecked: "roost.newsstand")

    private init(unchecked rawValue: String) { self.rawValue = rawValue }

    /// In the order of the names.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// The name.
    public var description: String { rawValue }

    /// Reads a string, and checks it. Throws if it is empty or too long.
    public init(from decoder: any Decoder) throws {
        let name = try decoder.singleValueContainer().decode(String.self)
        guard let identifier = Self(name) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "a session's identifier is empty or too long"))
        }
        self = identifier
    }

    /// Writes a string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}

/// A background session of an app, as the system numbers it.
public struct TransferSessionID: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    /// The app that owns the session.
    public let app: AppID
    /// The number among the app's sessions. It counts up from 1 and is never given twice while the app is installed.
    public let number: Int32

    /// The `number`th session of `app`.
    public init(app: AppID, number: Int32) {
        self.app = app
        self.number = number
    }

    /// In the order of the numbers.
    public static func < (left: Self, right: Self) -> Bool { (left.app, left.number) < (right.app, right.number) }

    /// `app.session`, for logs and reports.
    public var description: String { "\(app.rawValue).\(number)" }
}

/// A task of a background session: a transfer.
public struct TransferID: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    /// The task's session.
    public let session: TransferSessionID
    /// `URLSessionTask.taskIdentifier`: the number from the app, from 1, unique in the session.
    public let number: Int64

    /// The task `number` of `session`.
    public init(session: TransferSessionID, number: Int64) {
        self.session = session
        self.number = number
    }

    /// In the order of the numbers.
    public static func < (left: Self, right: Self) -> Bool {
        (left.session, left.number) < (right.session, right.number)
    }

    /// `app.session.task`, for display and as an argument of `roost transfers`.
    public var description: String { "\(session).\(number)" }
}
