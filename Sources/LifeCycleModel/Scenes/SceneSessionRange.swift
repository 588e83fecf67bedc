/// Scene sessions whose numbers follow each other: those of one app are closed in the order they were opened in.
///
/// Two numbers, and no array: callbacks are copied often.
public struct SceneSessionRange: Hashable, Sendable, Codable, ExpressibleByArrayLiteral {
    private var first: Int32
    private var count: Int32

    /// The run of numbers that `sessions`, in the order of their numbers, begin with.
    public init(_ sessions: [SceneSessionID]) {
        first = sessions.first?.rawValue ?? 1
        count = 0
        for session in sessions where session.rawValue == first &+ count { count += 1 }
    }

    /// As `init(_:)`.
    public init(arrayLiteral sessions: SceneSessionID...) { self.init(sessions) }

    /// Whether there is none.
    public var isEmpty: Bool { count == 0 }

    /// The sessions, in the order of their numbers.
    public var sessions: [SceneSessionID] { (0..<count).map { SceneSessionID(first + $0) } }
}
