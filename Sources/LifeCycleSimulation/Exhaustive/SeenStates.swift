/// The states reached so far, by fingerprint, numbered in the order in which they were reached. The set is an
/// open-addressing hash table, because the states are many.
struct SeenStates: Sendable {
    private var slots: [(fingerprint: UInt64, number: UInt32)]
    private var mask: Int
    private(set) var count = 0

    init() {
        mask = 1 << 12 - 1
        slots = Array(repeating: (0, .max), count: mask + 1)
    }

    /// Adds the state if it is new. O(1) on average.
    mutating func number(of fingerprint: UInt64) -> (number: UInt32, isNew: Bool) {
        if count * 2 > mask { grow() }
        var slot = Int(truncatingIfNeeded: fingerprint) & mask
        while slots[slot].number != .max {
            if slots[slot].fingerprint == fingerprint { return (slots[slot].number, false) }
            slot = (slot + 1) & mask
        }
        slots[slot] = (fingerprint, UInt32(count))
        count += 1
        return (UInt32(count - 1), true)
    }

    private mutating func grow() {
        let old = slots
        mask = mask * 2 + 1
        slots = Array(repeating: (0, .max), count: mask + 1)
        for entry in old where entry.number != .max {
            var slot = Int(truncatingIfNeeded: entry.fingerprint) & mask
            while slots[slot].number != .max { slot = (slot + 1) & mask }
            slots[slot] = entry
        }
    }
}
