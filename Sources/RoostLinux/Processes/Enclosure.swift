internal import LifeCycleModel
internal import RoostPorts

/// Contains all processes of one launch, so that they can be frozen and killed together: a cgroup or, if no cgroup is
/// available, a session.
protocol Enclosure: AnyObject {
    /// The enclosure's name in evidence: a path, or `process group N`.
    var place: String { get }

    /// The descriptor that shows EPOLLPRI when `isFrozen` or `isPopulated` may have changed; nil if changes cannot be
    /// watched.
    var watch: Int32? { get }

    /// Asks the kernel to freeze all processes, and checks whether they are frozen: at once, and up to `looks` more
    /// times, at most `pause` apart. The pidfd is that of the launch's first process.
    func freeze(first pidfd: Int32, looks: Int32, pause: Nanoseconds) throws(SystemError) -> FreezerGlance

    /// Lets all processes run.
    func thaw() throws(SystemError)

    /// Whether no thread runs at this moment.
    func isFrozen() throws(SystemError) -> Bool

    /// Whether any process has not exited yet.
    func isPopulated() -> Bool

    /// The pids of all processes.
    func processes() -> [Int32]

    /// A function that returns `processes` on another thread.
    var processList: @Sendable () -> [Int32] { get }

    /// Whether the enclosure contains a process, also in cgroups that an app created inside. False if the process's
    /// place cannot be read.
    func contains(_ pid: Int32) -> Bool

    /// Sends SIGKILL to all processes, frozen or not.
    func kill() throws(SystemError)

    /// Kills the remaining processes after the first one has exited and before it is reaped. Waits at most `patience`.
    /// False if a process is still there.
    func dissolve(patience: Nanoseconds) -> Bool

    /// The freezer's state as the kernel reports it, for display.
    func freezerText() -> String

    /// Processor time used by all its processes, including those that have exited; nil if it cannot be read.
    func processorTime() -> Nanoseconds?
}

/// The result of the checks right after a freeze request.
struct FreezerGlance {
    /// Whether no thread ran.
    let isFrozen: Bool
    /// Whether the launch's first process was seen inside. If false, the process may still be inside.
    let showsFirst: Bool
}
