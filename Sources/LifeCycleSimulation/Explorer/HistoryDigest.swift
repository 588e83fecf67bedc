import LifeCycleModel
import LifeCyclePolicy
import Synchronization

/// A digest of whole histories. Two processes or builds with equal digests had the same input and output.
///
/// The digest depends on encoded values only: on no address, and on no hash, which differs between processes. Within a
/// block of seeds each history continues the digest of the history before. The digest of a run is the sum of its
/// blocks' digests. Several machines can therefore run whole blocks, and their digests add up.
public struct HistoryDigest: Hashable, Sendable, CustomStringConvertible {
    /// The length of a block, in seeds. Blocks start at its multiples.
    static let block: UInt64 = 64

    /// The digest of all events with their times and effects.
    public let value: UInt64
    /// How many histories are included.
    public let histories: Int
    /// How many events are included.
    public let events: Int
    /// The first seed whose history broke an invariant; nil if there is none. Later histories are not included.
    public let brokenSeed: UInt64?

    /// The value as 16 hexadecimal digits.
    public var digits: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// `digest 0123456789abcdef of 1000 events in 10 histories`.
    public var description: String { "digest \(digits) of \(events) events in \(histories) histories" }

    /// A digest that grows with each event. Thread-safe.
    final class Growing: Sendable {
        private static let start: UInt64 = 0xCBF2_9CE4_8422_2325
        /// The digest of the current block, nil before its first event; and the sum of the earlier blocks' digests.
        private let digest = Mutex<(block: UInt64?, sum: UInt64)>((nil, 0))

        var value: UInt64 { digest.withLock { $0.sum &+ ($0.block ?? 0) } }

        /// Starts a new block if `seed` is the first seed of a block.
        func begin(seed: UInt64) {
            guard seed.isMultiple(of: HistoryDigest.block) else { return }
            digest.withLock { $0 = (nil, $0.sum &+ ($0.block ?? 0)) }
        }

        func note(_ event: Event, _ now: Moment, _ effects: [Effect]) {
            digest.withLock { digest in
                let fingerprint = Fingerprint(exactlyAfter: digest.block ?? Self.start)
                fingerprint.add(now)
                fingerprint.add(event)
                // The count marks where the list ends.
                fingerprint.add(effects.count)
                fingerprint.add(effects)
                digest.block = fingerprint.value
            }
        }
    }
}
