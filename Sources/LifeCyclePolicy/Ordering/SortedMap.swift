/// Values by key, in the order of the keys. Insertion, lookup and removal are O(log n), also at both ends.
///
/// The map is stored in short runs, whose lengths depend on its history. Two maps are equal if their contents are
/// equal.
struct SortedMap<Key: Comparable & Hashable & Sendable & Codable, Value: Hashable & Sendable & Codable>: Sendable {
    private struct Run: Sendable {
        var keys: [Key]
        var values: [Value]
    }

    /// No run is empty.
    private var runs: [Run] = []
    private(set) var count = 0

    /// The most keys of a run; a longer run is split.
    private static var longest: Int { 64 }

    var isEmpty: Bool { count == 0 }

    /// The run that `key` is in, or belongs in: the first whose last key is not smaller.
    private func run(of key: Key) -> Int {
        var low = 0
        var high = runs.count
        while low < high {
            let middle = (low + high) / 2
            if let last = runs[middle].keys.last, last < key { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func place(of key: Key) -> (run: Int, index: Int)? {
        // Most maps have one run.
        let run = runs.count == 1 ? 0 : run(of: key)
        guard run < runs.count else { return nil }
        let index = runs[run].keys.sortedIndex(of: key)
        return index < runs[run].keys.count && runs[run].keys[index] == key ? (run, index) : nil
    }

    /// The value of `key`; nil if there is none. The subscript is inlined, so that reading a part of the value copies
    /// only that part.
    @inline(__always) subscript(key: Key) -> Value? {
        guard let place = place(of: key) else { return nil }
        return runs[place.run].values[place.index]
    }

    /// Changes the value of `key` in place. Returns the result of `change`; nil if there is no value.
    @discardableResult
    mutating func update<Result>(_ key: Key, _ change: (inout Value) -> Result) -> Result? {
        guard let place = place(of: key) else { return nil }
        return change(&runs[place.run].values[place.index])
    }

    /// Inserts `value`, or replaces the existing value.
    mutating func set(_ value: Value, for key: Key) {
        let run = Swift.min(run(of: key), Swift.max(0, runs.count - 1))
        guard run < runs.count else {
            runs.append(Run(keys: [key], values: [value]))
            count = 1
            return
        }
        let index = runs[run].keys.sortedIndex(of: key)
        if index < runs[run].keys.count, runs[run].keys[index] == key {
            runs[run].values[index] = value
            return
        }
        runs[run].keys.insert(key, at: index)
        runs[run].values.insert(value, at: index)
        count += 1
        if runs[run].keys.count > Self.longest { split(run, at: index) }
    }

    /// Splits a run in the middle. If the map grows at its end, the old run stays full.
    private mutating func split(_ run: Int, at index: Int) {
        let isAtEnd = run == runs.count - 1 && index == runs[run].keys.count - 1
        let middle = isAtEnd ? index : runs[run].keys.count / 2
        let keys = Array(runs[run].keys[middle...])
        let values = Array(runs[run].values[middle...])
        runs[run].keys.removeSubrange(middle...)
        runs[run].values.removeSubrange(middle...)
        runs.insert(Run(keys: keys, values: values), at: run + 1)
    }

    @discardableResult
    mutating func remove(_ key: Key) -> Value? {
        guard let place = place(of: key) else { return nil }
        runs[place.run].keys.remove(at: place.index)
        let value = runs[place.run].values.remove(at: place.index)
        count -= 1
        if runs[place.run].keys.isEmpty {
            runs.remove(at: place.run)
        } else if place.run + 1 < runs.count,
            runs[place.run].keys.count + runs[place.run + 1].keys.count <= Self.longest / 2
        {
            let next = runs.remove(at: place.run + 1)
            runs[place.run].keys += next.keys
            runs[place.run].values += next.values
        }
        return value
    }

    @inline(__always) var first: (key: Key, value: Value)? {
        guard let run = runs.first, let key = run.keys.first, let value = run.values.first else { return nil }
        return (key, value)
    }

    @inline(__always) var last: (key: Key, value: Value)? {
        guard let run = runs.last, let key = run.keys.last, let value = run.values.last else { return nil }
        return (key, value)
    }

    /// The first entry whose key is `key` or greater.
    @inline(__always) func first(from key: Key) -> (key: Key, value: Value)? {
        let run = run(of: key)
        guard run < runs.count else { return nil }
        let index = runs[run].keys.sortedIndex(of: key)
        return (runs[run].keys[index], runs[run].values[index])
    }

    /// All keys, in order.
    var keys: [Key] { runs.flatMap(\.keys) }
}

extension SortedMap: Sequence {
    struct Iterator: IteratorProtocol {
        fileprivate let map: SortedMap
        fileprivate var run = 0
        fileprivate var index = 0

        mutating func next() -> (key: Key, value: Value)? {
            guard run < map.runs.count else { return nil }
            let element = (map.runs[run].keys[index], map.runs[run].values[index])
            index += 1
            if index == map.runs[run].keys.count { (run, index) = (run + 1, 0) }
            return element
        }
    }

    func makeIterator() -> Iterator { Iterator(map: self) }

    var underestimatedCount: Int { count }
}

extension SortedMap: Hashable {
    static func == (left: Self, right: Self) -> Bool {
        left.count == right.count && left.elementsEqual(right) { $0.key == $1.key && $0.value == $1.value }
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for (key, value) in self {
            hasher.combine(key)
            hasher.combine(value)
        }
    }
}

extension SortedMap: Codable {
    private struct Entry: Codable {
        let key: Key
        let value: Value
    }

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd {
            let entry = try container.decode(Entry.self)
            set(entry.value, for: entry.key)
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for (key, value) in self { try container.encode(Entry(key: key, value: value)) }
    }
}

/// The value in a map that is used as a sorted set of its keys.
struct Present: Hashable, Sendable, Codable {}

extension SortedMap where Value == Present {
    mutating func insert(_ key: Key) { set(Present(), for: key) }

    func contains(_ key: Key) -> Bool { self[key] != nil }
}
