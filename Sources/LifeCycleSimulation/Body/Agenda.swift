package import LifeCycleModel

/// Planned happenings, ordered by time. Happenings with the same time keep the order in which they were planned.
package struct Agenda<Happening: Sendable>: Sendable {
    private struct Entry: Sendable {
        let at: Nanoseconds
        let sequence: Int
        let happening: Happening
    }

    /// Latest first, so that the next entry is the last element.
    private var entries: [Entry] = []
    private var sequence = 0

    package init() {}

    package var nextTime: Nanoseconds? { entries.last?.at }

    package mutating func plan(_ happening: Happening, at time: Nanoseconds) {
        sequence += 1
        let entry = Entry(at: time, sequence: sequence, happening: happening)
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].at > time { low = middle + 1 } else { high = middle }
        }
        entries.insert(entry, at: low)
    }

    package mutating func takeNext() -> (at: Nanoseconds, happening: Happening)? {
        entries.popLast().map { ($0.at, $0.happening) }
    }

    /// Removes the happenings for which `fits` is true, and returns them ordered by time.
    package mutating func take(where fits: (Happening) -> Bool) -> [Happening] {
        let taken = entries.filter { fits($0.happening) }.reversed().map(\.happening)
        if !taken.isEmpty { entries.removeAll { fits($0.happening) } }
        return taken
    }
}
