/// A `UISceneSession` of one app, counted up from 1: it outlives its scene and the app's process (T25).
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

/// The scene sessions of one app. One at a time, as on an iPhone: the app's card in the switcher.
public struct SceneSessions: Hashable, Sendable, Codable {
    /// The newest number given out; 0 before the first.
    public private(set) var last: Int32 = 0
    /// The session of the app's one scene; nil until the app is next launched.
    public private(set) var current: SceneSessionID?
    /// Those the user has closed, of which the app has not heard yet (T18).
    public private(set) var discarded: [SceneSessionID] = []

    /// No session yet.
    public init() {}

    /// The session a launch belongs to: the one there is, or a new one.
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

    /// Those of `discarded` that the app is to hear of next.
    public var untold: SceneSessionRange { SceneSessionRange(discarded) }

    /// The app has heard of these.
    public mutating func told(_ range: SceneSessionRange) {
        let sessions = range.sessions
        discarded.removeAll { sessions.contains($0) }
    }
}
