public import LifeCycleModel

/// Limits the size of running apps' logs, on its own thread. Called on the loop's thread only.
public protocol LogKeeper: AnyObject {
    /// Starts watching a launch's log at this path.
    func follow(_ launch: LaunchID, log: String)

    /// Stops watching a launch's log.
    func forget(_ launch: LaunchID)
}
