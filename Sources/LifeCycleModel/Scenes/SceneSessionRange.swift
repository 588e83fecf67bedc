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
        for session in sessions {
            // The peer's word may be any number: behind the last there is none.
            let (next, isBeyond) = first.addingReportingOverflow(count)
            guard !isBeyond, session.rawValue == next else { break }
            count += 1
        }
    }

    /// Reads what `encode(to:)` writes. Throws where that could not be counted.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        first = try container.decode(Int32.self, forKey: .first)
        count = try container.decode(Int32.self, forKey: .count)
        guard count >= 0, count == 0 || !first.addingReportingOverflow(count - 1).overflow else {
            throw DecodingError.dataCorruptedError(
                forKey: .count, in: container, debugDescription: "there are no \(count) sessions from \(first) on")
        }
    }

    /// As `init(_:)`.
    public init(arrayLiteral sessions: SceneSessionID...) { self.init(sessions) }

    /// Whether there is none.
    public var isEmpty: Bool { count == 0 }

    /// The sessions, in the order of their numbers.
    public var sessions: [SceneSessionID] { (0..<count).map { SceneSessionID(first + $0) } }
}
