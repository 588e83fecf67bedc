public import LifeCycleModel

/// Keeps the logs of apps that run from filling the disk, on a thread of its own. Called on the loop's thread only.
public protocol LogKeeper: AnyObject {
    /// Looks after a launch's log from now on.
    func follow(_ launch: LaunchID, log: String)

    /// Leaves it alone.
    func forget(_ launch: LaunchID)
}
