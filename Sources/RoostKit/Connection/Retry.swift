import Glibc

/// When to try again to reach a system that has gone: at once the first time, then after ever longer waits, so that a
/// system that turns the app away again and again is not stormed.
struct Retry: Hashable, Sendable {
    /// A connection that held this long was a good one, in nanoseconds.
    static let good: UInt64 = 5_000_000_000

    /// The longest wait, in milliseconds.
    static let longest = 5_000

    private static let most = 12

    private var count = 0

    /// Whether trying again is of no use after an attempt that failed like this, until something changes at the
    /// socket's path: it is not there, or nobody has listened at it for long. Any other failure (no descriptor is
    /// left, the system is behind) may pass without a trace there.
    func isFutile(after errno: Int32) -> Bool {
        switch errno {
        case ENOENT: true
        case ECONNREFUSED: count > Self.most
        default: false
        }
    }

    /// The next wait, in milliseconds.
    mutating func next() -> Int {
        defer { count = min(count, Self.most) + 1 }
        return count == 0 ? 0 : min(10 << count, Self.longest)
    }

    /// A connection was lost that had held for so long.
    mutating func lost(after held: UInt64) {
        if held >= Self.good { count = 0 }
    }

    /// Something has changed: begin anew.
    mutating func reset() { count = 0 }
}
