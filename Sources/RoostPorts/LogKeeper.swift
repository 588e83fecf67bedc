public import LifeCycleModel

/// Keeps the logs of apps that run from filling the disk. Used on the loop's thread only.
public protocol LogKeeper: AnyObject {
    /// Readable when a followed log may have grown; owned by the organ. Nil where nothing tells, and only `tend` helps.
    var descriptor: Int32? { get }

    /// Looks after a launch's log from now on.
    func follow(_ launch: LaunchID, log: String)

    /// Leaves it alone.
    func forget(_ launch: LaunchID)

    /// Shortens the logs that are too long: a few milliseconds for each, in which it is copied. Gives the awake time at which to call again; nil to wait for `descriptor`.
    func tend(at now: Nanoseconds) -> Nanoseconds?
}
