/// When to try again to reach a system that has gone: at once the first time, then after ever longer waits, so that a
/// system that turns the app away again and again is not stormed.
struct Retry: Hashable, Sendable {
    /// A connection that held this long was a good one, in nanoseconds.
    static let good: UInt64 = 5_000_000_000

    private static let most = 12

    private var count = 0

    /// Whether it has been tried so often that a socket nobody listens at is better waited for by the watch alone.
    var isExhausted: Bool { count > Self.most }

    /// The next wait, in milliseconds.
    mutating func next() -> Int {
        defer { count = min(count, Self.most) + 1 }
        return count == 0 ? 0 : 10 << min(count, Self.most)
    }

    /// A connection was lost that had held for so long.
    mutating func lost(after held: UInt64) {
        if held >= Self.good { count = 0 }
    }

    /// Something has changed: begin anew.
    mutating func reset() { count = 0 }
}
