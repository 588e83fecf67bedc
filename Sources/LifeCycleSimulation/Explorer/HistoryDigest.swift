import LifeCycleModel
import LifeCyclePolicy
import Synchronization

/// A digest of whole histories: equal in every process and build, or what went in or came out is not.
///
/// It goes by what values encode, so by no address, and by no hash, which differs from process to process. Within a block
/// of seeds each history continues the digest of the one before. The digest of a run is the sum of its blocks' digests, so
/// that several machines can run whole blocks, and their digests add up.
public struct HistoryDigest: Hashable, Sendable, CustomStringConvertible {
    /// The length of a block, in seeds. Blocks start at its multiples.
    static let block: UInt64 = 64

    /// The digest, of every event with its time and its effects.
    public let value: UInt64
    /// Histories taken in.
    public let histories: Int
    /// Events taken in.
    public let events: Int
    /// The first seed whose history broke an invariant; the histories after it are not taken in.
    public let brokenSeed: UInt64?

    /// The value as 16 hexadecimal digits.
    public var digits: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// `digest 0123456789abcdef of 1000 events in 10 histories`.
    public var description: String { "digest \(digits) of \(events) events in \(histories) histories" }

    /// The digest as it grows.
    final class Growing: Sendable {
        private static let start: UInt64 = 0xCBF2_9CE4_8422_2325
        /// The digest of the present block, nil before its first event, and the sum of the blocks before it.
        private let digest = Mutex<(block: UInt64?, sum: UInt64)>((nil, 0))

        var value: UInt64 { digest.withLock { $0.sum &+ ($0.block ?? 0) } }

        /// A history began.
        func begin(seed: UInt64) {
            guard seed.isMultiple(of: HistoryDigest.block) else { return }
            digest.withLock { $0 = (nil, $0.sum &+ ($0.block ?? 0)) }
        }

        func note(_ event: Event, _ now: Moment, _ effects: [Effect]) {
            digest.withLock { digest in
                let fingerprint = Fingerprint(exactlyAfter: digest.block ?? Self.start)
                fingerprint.add(now)
                fingerprint.add(event)
                // The count tells where a list ends.
                fingerprint.add(effects.count)
                fingerprint.add(effects)
                digest.block = fingerprint.value
            }
        }
    }
}
