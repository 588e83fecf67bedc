internal import LifeCycleModel

/// A dictionary by launch. The table holds few entries, and after long pauses between look-ups no entry is in a cache.
/// A linear search is then faster than hashing.
struct LaunchTable<Held> {
    private var launches: [LaunchID] = []
    private(set) var values: [Held] = []

    /// The value for `launch`; nil if there is none.
    subscript(launch: LaunchID) -> Held? { launches.firstIndex(of: launch).map { values[$0] } }

    /// Adds a value for a launch that has no value yet.
    mutating func insert(_ held: Held, for launch: LaunchID) {
        launches.append(launch)
        values.append(held)
    }

    /// Removes and returns the value for `launch`; nil if there is none.
    mutating func remove(_ launch: LaunchID) -> Held? {
        guard let index = launches.firstIndex(of: launch) else { return nil }
        launches.remove(at: index)
        return values.remove(at: index)
    }
}
