/// Scene sessions with consecutive numbers. An app's sessions are closed in the order in which they were opened.
///
/// The range is two numbers and not an array, because callbacks are copied often.
public struct SceneSessionRange: Hashable, Sendable, Codable, ExpressibleByArrayLiteral {
    private var first: Int32
    private var count: Int32

    /// The longest run of consecutive numbers at the beginning of `sessions`, which are in the order of their numbers.
    public init(_ sessions: [SceneSessionID]) {
        first = sessions.first?.rawValue ?? 1
        count = 0
        for session in sessions {
            // A number from the peer may be any number, and the highest has no successor.
            let (next, isBeyond) = first.addingReportingOverflow(count)
            guard !isBeyond, session.rawValue == next else { break }
            count += 1
        }
    }

    /// Reads the output of `encode(to:)`. Throws if the count is negative, or leads beyond the highest number.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        first = try container.decode(Int32.self, forKey: .first)
        count = try container.decode(Int32.self, forKey: .count)
        guard count >= 0, count == 0 || !first.addingReportingOverflow(count - 1).overflow else {
            throw DecodingError.dataCorruptedError(
                forKey: .count, in: container, debugDescription: "there are no \(count) sessions from \(first) on")
        }
    }

    /// Allows an array literal. As in `init(_:)`, sessions after a gap in the numbers are dropped.
    public init(arrayLiteral sessions: SceneSessionID...) { self.init(sessions) }

    /// Whether the range has no session.
    public var isEmpty: Bool { count == 0 }

    /// The sessions, in the order of their numbers.
    public var sessions: [SceneSessionID] { (0..<count).map { SceneSessionID(first + $0) } }
}
