import Glibc

/// The reconnection delays: no delay the first time, then longer delays. An app thus does not flood a system that
/// refuses every connection.
struct Retry: Hashable, Sendable {
    /// The shortest duration of a successful connection, in nanoseconds.
    static let good: UInt64 = 5_000_000_000

    /// The longest delay, in milliseconds.
    static let longest = 5_000

    private static let most = 12

    private var count = 0

    /// Whether to wait for a change at the socket's path instead of trying again. True if the socket does not exist, or
    /// if connections have been refused many times. Other failures may end without a change at the path, for example if
    /// no descriptor was free.
    func isFutile(after errno: Int32) -> Bool {
        switch errno {
        case ENOENT: true
        case ECONNREFUSED: count > Self.most
        default: false
        }
    }

    /// The next delay, in milliseconds.
    mutating func next() -> Int {
        defer { count = min(count, Self.most) + 1 }
        return count == 0 ? 0 : min(10 << count, Self.longest)
    }

    /// Records that a connection was lost, and how long it lasted in nanoseconds.
    mutating func lost(after held: UInt64) {
        if held >= Self.good { count = 0 }
    }

    /// Restarts with the shortest delay, because something has changed.
    mutating func reset() { count = 0 }
}
