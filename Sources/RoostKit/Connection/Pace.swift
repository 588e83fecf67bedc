import Glibc
import LifeCycleModel

/// A rate limiter for an app's requests: the system closes a connection that sends too many per second. An app that
/// creates ten thousand downloads in a loop therefore waits a moment.
final class Pace {
    /// Requests per second. Two of our seconds may overlap one of the system's, and 16,000 is still below its 20,000.
    static let most = 8_000
    private static let second: Int64 = 1_000_000_000

    private var begin: Int64 = .min
    private var count = 0

    /// The time to wait before a request sent at `now`.
    func wait(at now: Nanoseconds) -> Nanoseconds {
        if begin == .min || now.rawValue - begin >= Self.second { (begin, count) = (now.rawValue, 0) }
        count += 1
        guard count > Self.most else { return .zero }
        let end = begin + Self.second
        (begin, count) = (end, 1)
        return Nanoseconds(end - now.rawValue)
    }

    /// Blocks until a request may be sent.
    func keep() {
        let span = wait(at: AppSession.monotonic)
        if span > .zero { poll(nil, 0, Int32(span.rawValue / 1_000_000) + 1) }
    }
}
