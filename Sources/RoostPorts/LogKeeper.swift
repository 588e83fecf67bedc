public import LifeCycleModel

/// Limits the size of running apps' logs, on a thread of its own. Called on the loop's thread only.
public protocol LogKeeper: AnyObject {
    /// Starts watching a launch's log at this path.
    func follow(_ launch: LaunchID, log: String)

    /// Stops watching a launch's log.
    func forget(_ launch: LaunchID)
}
