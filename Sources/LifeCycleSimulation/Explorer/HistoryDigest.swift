import LifeCycleModel
import LifeCyclePolicy
import Synchronization

/// A digest of whole histories: equal in every process and build, or what went in or came out is not.
///
/// It goes by what values encode, so by no address, and by no hash, which differs from process to process.
public struct HistoryDigest: Hashable, Sendable, CustomStringConvertible {
    /// The digest, of every event with its time and its effects.
    public let value: UInt64
    /// Histories taken in.
    public let histories: Int
    /// Events taken in.
    public let events: Int
    /// The first seed whose history broke an invariant; the histories after it are not taken in.
    public let brokenSeed: UInt64?

    /// `digest 0123456789abcdef of 1000 events in 10 histories`.
    public var description: String {
        let digits = String(value, radix: 16)
        let zeros = String(repeating: "0", count: 16 - digits.count)
        return "digest \(zeros)\(digits) of \(events) events in \(histories) histories"
    }

    /// The digest as it grows.
    final class Growing: Sendable {
        private let digest = Mutex<UInt64>(0xCBF2_9CE4_8422_2325)

        var value: UInt64 { digest.withLock { $0 } }

        func note(_ event: Event, _ now: Moment, _ effects: [Effect]) {
            digest.withLock { value in
                let fingerprint = Fingerprint(exactlyAfter: value)
                fingerprint.add(now)
                fingerprint.add(event)
                // The count tells where a list ends.
                fingerprint.add(effects.count)
                fingerprint.add(effects)
                value = fingerprint.value
            }
        }
    }
}
