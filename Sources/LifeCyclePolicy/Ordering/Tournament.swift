/// The smallest of many keys, one for each slot. Reading it and changing a key take time logarithmic in the slots.
///
/// A knockout tournament: every inner node holds the smaller of the two keys below it. Its layout depends only on the
/// keys and not on their order of arrival, so that equal devices stay equal. A heap's layout depends on its history.
struct Tournament: Hashable, Sendable, Codable {
    /// The nodes. The root is at index 1, and the leaves are the slots.
    private var keys = [Self.none, Self.none]
    private var slots = 0

    /// The key of a slot without a key: larger than all others.
    private static let none = Int64.max

    private var width: Int { keys.count / 2 }

    /// The smallest key; nil if no slot has a key.
    var smallest: Int64? { keys[1] == Self.none ? nil : keys[1] }

    /// The slot with the smallest key; of equal keys the lowest slot. Nil if no slot has a key.
    var best: (slot: Int, key: Int64)? {
        guard let key = smallest else { return nil }
        var node = 1
        while node < width { node = keys[2 * node] == key ? 2 * node : 2 * node + 1 }
        return (node - width, key)
    }

    /// Makes room for `count` slots; new slots have no key.
    mutating func resize(to count: Int) { play(Array(keys[width...].prefix(min(slots, count))), slots: count) }

    /// Whether it has this many slots, and its inner nodes agree with its keys.
    func isSound(slots: Int) -> Bool {
        guard self.slots == slots else { return false }
        var played = self
        played.resize(to: slots)
        return played == self
    }

    /// Inserts a slot without a key at `slot`; later slots move up.
    mutating func insertSlot(at slot: Int) {
        var leaves = Array(keys[width..<width + slots])
        leaves.insert(Self.none, at: slot)
        play(leaves, slots: slots + 1)
    }

    /// Removes the slot; later slots move down.
    mutating func removeSlot(at slot: Int) {
        var leaves = Array(keys[width..<width + slots])
        leaves.remove(at: slot)
        play(leaves, slots: slots - 1)
    }

    private mutating func play(_ leaves: [Int64], slots count: Int) {
        slots = count
        var width = 1
        while width < count { width *= 2 }
        keys = Array(repeating: Self.none, count: width) + leaves
        keys += Array(repeating: Self.none, count: 2 * width - keys.count)
        for node in stride(from: width - 1, to: 0, by: -1) { keys[node] = min(keys[2 * node], keys[2 * node + 1]) }
    }

    /// Sets the key of `slot`, or removes it.
    mutating func set(_ key: Int64?, at slot: Int) {
        var node = width + slot
        var smallest = key.map { min($0, Self.none - 1) } ?? Self.none
        // Most keys stay the same.
        if keys[node] == smallest { return }
        // Through a buffer, so that the array is checked only once for other owners.
        keys.withUnsafeMutableBufferPointer { keys in
            // If a node does not change, no node above it does.
            while keys[node] != smallest {
                keys[node] = smallest
                guard node > 1 else { return }
                smallest = min(smallest, keys[node ^ 1])
                node /= 2
            }
        }
    }
}
