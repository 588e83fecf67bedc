/// The smallest of many keys, one a slot, each of which may change: both in time logarithmic in the slots.
///
/// A knockout tournament: every inner node holds the slot that won below it. Its layout depends on the keys alone,
/// never on the order in which they came, so that equal devices stay equal (a heap's layout is history).
struct Tournament<Key: Comparable & Hashable & Sendable & Codable>: Hashable, Sendable, Codable {
    private var keys: [Key?] = []
    /// Winners; the root is at 1, the leaves are the slots themselves. -1 where nobody plays.
    private var winners: [Int32] = [-1, -1]
    private var width = 1

    /// The slot with the smallest key; of equal ones the lowest. Nil where no slot has a key.
    var best: (slot: Int, key: Key)? {
        guard winners.count > 1, winners[1] >= 0, let key = keys[Int(winners[1])] else { return nil }
        return (Int(winners[1]), key)
    }

    /// Makes room for `count` slots; those that are new have no key.
    mutating func resize(to count: Int) {
        keys = Array(keys.prefix(count)) + Array(repeating: nil, count: max(0, count - keys.count))
        width = 1
        while width < max(count, 1) { width *= 2 }
        winners = Array(repeating: -1, count: 2 * width)
        for slot in keys.indices where keys[slot] != nil { winners[width + slot] = Int32(slot) }
        for node in stride(from: width - 1, to: 0, by: -1) { winners[node] = winner(below: node) }
    }

    /// Whether it has so many slots, and its winners are what its keys make of them.
    func isSound(slots: Int) -> Bool {
        guard keys.count == slots else { return false }
        var played = self
        played.resize(to: slots)
        return played == self
    }

    /// Puts in a slot at `slot`, without a key; later slots move up.
    mutating func insertSlot(at slot: Int) {
        keys.insert(nil, at: slot)
        resize(to: keys.count)
    }

    /// Takes the slot out; later slots move down.
    mutating func removeSlot(at slot: Int) {
        keys.remove(at: slot)
        resize(to: keys.count)
    }

    /// Gives `slot` another key, or none.
    mutating func set(_ key: Key?, at slot: Int) {
        if keys[slot] == key { return }
        keys[slot] = key
        var node = width + slot
        winners[node] = key == nil ? -1 : Int32(slot)
        node /= 2
        while node > 0 {
            let winner = winner(below: node)
            // If another slot won here and wins again, nothing changes further up.
            if winner == winners[node], winner != Int32(slot) { return }
            winners[node] = winner
            node /= 2
        }
    }

    private func winner(below node: Int) -> Int32 {
        let left = winners[2 * node]
        let right = winners[2 * node + 1]
        guard left >= 0, let leftKey = keys[Int(left)] else { return right }
        guard right >= 0, let rightKey = keys[Int(right)] else { return left }
        return rightKey < leftKey ? right : left
    }
}
