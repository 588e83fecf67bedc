/// Random numbers that depend on their seed alone (SplitMix64).
public struct RandomSource: Hashable, Sendable {
    private var state: UInt64

    /// The sequence that belongs to `seed`.
    public init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 ^ 0xD1B5_4A32_D192_ED03 }

    /// One of the sequences that belong to `seed`, by its number. The sequences are independent of each other.
    public init(seed: UInt64, part: UInt64) {
        var first = RandomSource(seed: seed)
        self.init(seed: first.next() ^ part &* 0xA24B_AED4_963E_E407)
    }

    /// The next 64 bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    /// A number from 0 to `bound` - 1. A `bound` below 1 counts as 1.
    public mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(max(1, bound))) }

    /// True `parts` times in `whole`, on average.
    public mutating func chance(_ parts: Int, in whole: Int) -> Bool { below(whole) < parts }

    /// A duration below `longest`. Short durations are the most frequent.
    public mutating func span(upTo longest: Int64) -> Int64 {
        let scale = Int64(below(4))
        let bound = max(1, longest >> (scale * 3))
        return Int64(next() % UInt64(bound))
    }
}
