/// When to try again to reach a system that has gone: at once the first time, then after ever longer waits, so that a
/// system that turns the app away again and again is not stormed. After the last wait only the watch is left.
struct Retry: Hashable, Sendable {
    /// A connection that held this long was a good one, in nanoseconds.
    static let good: UInt64 = 5_000_000_000

    private var count = 0

    /// The next wait, in milliseconds; nil if there is none.
    mutating func next() -> Int? {
        defer { count += 1 }
        switch count {
        case 0: return 0
        case 1...12: return 10 << count
        default: return nil
        }
    }

    /// A connection was lost that had held for so long.
    mutating func lost(after held: UInt64) {
        if held >= Self.good { count = 0 }
    }

    /// Something has changed: begin anew.
    mutating func reset() { count = 0 }
}
