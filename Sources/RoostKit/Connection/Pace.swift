import Glibc
import LifeCycleModel

/// Keeps an app that has much to say at once below what the system takes in a second, beyond which it ends the connection:
/// whoever makes ten thousand downloads in a loop waits a moment.
final class Pace {
    /// Even where two of our seconds meet in one of the system's, that is well below its 20,000.
    static let most = 8_000
    private static let second: Int64 = 1_000_000_000

    private var begin: Int64 = .min
    private var count = 0

    /// How long to wait before something is said at `now`.
    func wait(at now: Nanoseconds) -> Nanoseconds {
        if begin == .min || now.rawValue - begin >= Self.second { (begin, count) = (now.rawValue, 0) }
        count += 1
        guard count > Self.most else { return .zero }
        let end = begin + Self.second
        (begin, count) = (end, 1)
        return Nanoseconds(end - now.rawValue)
    }

    /// Waits until something may be said.
    func keep() {
        let span = wait(at: AppSession.monotonic)
        if span > .zero { poll(nil, 0, Int32(span.rawValue / 1_000_000) + 1) }
    }
}
