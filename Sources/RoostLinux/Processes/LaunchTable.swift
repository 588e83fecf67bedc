internal import LifeCycleModel

/// What is held of each launch. There are few, and they are asked for after long pauses, when nothing of them is in any
/// cache: then a walk through their ids is over while a dictionary still fetches what it needs for its hash.
struct LaunchTable<Held> {
    private var launches: [LaunchID] = []
    private(set) var values: [Held] = []

    /// What is held of `launch`; nil where nothing is.
    subscript(launch: LaunchID) -> Held? { launches.firstIndex(of: launch).map { values[$0] } }

    /// Holds on to `held`, for a launch of which nothing is held yet.
    mutating func insert(_ held: Held, for launch: LaunchID) {
        launches.append(launch)
        values.append(held)
    }

    /// Lets go of what is held of `launch`, and gives it back; nil where nothing is.
    mutating func remove(_ launch: LaunchID) -> Held? {
        guard let index = launches.firstIndex(of: launch) else { return nil }
        launches.remove(at: index)
        return values.remove(at: index)
    }
}
