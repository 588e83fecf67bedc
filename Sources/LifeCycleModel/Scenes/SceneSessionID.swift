/// A `UISceneSession` of an app, counted up from 1. It outlives its scene and the app's process (T25).
public struct SceneSessionID: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    /// The number itself.
    public let rawValue: Int32

    /// Wraps a session's number.
    public init(_ rawValue: Int32) { self.rawValue = rawValue }

    /// Reads a whole number.
    public init(from decoder: any Decoder) throws {
        rawValue = try decoder.singleValueContainer().decode(Int32.self)
    }

    /// Writes a whole number.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }

    /// In the order of the numbers.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// The number with its kind, for logs and reports.
    public var description: String { "session \(rawValue)" }
}

/// The scene sessions of one app. As on an iPhone, an app has one session at a time: its card in the switcher.
public struct SceneSessions: Hashable, Sendable, Codable {
    /// The newest number; 0 before the first.
    public private(set) var last: Int32 = 0
    /// The session of the app's one scene; nil until the app is next launched.
    public private(set) var current: SceneSessionID?
    /// The sessions that the user closed and that the app has not been notified of (T18).
    public private(set) var discarded: [SceneSessionID] = []

    /// Makes an empty set of sessions.
    public init() {}

    /// The session for a launch: the current session, or a new session if there is none.
    public mutating func open() -> SceneSessionID {
        if let current { return current }
        last += 1
        let session = SceneSessionID(last)
        current = session
        return session
    }

    /// The user closed the app's card.
    public mutating func discard() {
        guard let closed = current else { return }
        current = nil
        discarded.append(closed)
    }

    /// The part of `discarded` that the app is notified of next.
    public var nextDiscarded: SceneSessionRange { SceneSessionRange(discarded) }

    /// Removes sessions from `discarded`, because the app has been notified of them.
    public mutating func reported(_ range: SceneSessionRange) {
        let sessions = range.sessions
        discarded.removeAll { sessions.contains($0) }
    }
}
