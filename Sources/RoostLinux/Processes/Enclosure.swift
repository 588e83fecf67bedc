internal import LifeCycleModel
internal import RoostPorts

/// What holds all processes of one launch together, so that they can be frozen and ended as one: a cgroup, or,
/// where none may be had, a session.
protocol Enclosure: AnyObject {
    /// What evidence calls it: a path, or `process group N`.
    var place: String { get }

    /// The descriptor that shows EPOLLPRI when `isFrozen` or `isPopulated` may have changed; nil where nothing tells.
    var watch: Int32? { get }

    /// Asks the kernel to freeze everything in it, and looks whether it has: at once, and up to `looks` times
    /// more, at most `pause` apart. The pidfd is that of the launch's first process.
    func freeze(first pidfd: Int32, looks: Int32, pause: Nanoseconds) throws(SystemError) -> FreezerGlance

    /// Lets everything in it run.
    func thaw() throws(SystemError)

    /// Whether every thread stands still, as of now.
    func isFrozen() throws(SystemError) -> Bool

    /// Whether any process is left that has not exited.
    func isPopulated() -> Bool

    /// Every process in it.
    func processes() -> [Int32]

    /// The same, to be asked on another thread.
    var processList: @Sendable () -> [Int32] { get }

    /// Whether a process is in it, or in what an app made inside it; false where that can't be read.
    func contains(_ pid: Int32) -> Bool

    /// Sends SIGKILL to everything in it, frozen or not.
    func kill() throws(SystemError)

    /// After the first process has exited and before it is reaped: ends what it left behind, waiting no longer than
    /// `patience`. False if something is still there.
    func dissolve(patience: Nanoseconds) -> Bool

    /// What the kernel says of the freezer, for people.
    func freezerText() -> String

    /// Processor time used by everything that is or was in it.
    func processorTime() -> Nanoseconds?
}

/// What was seen right after a freeze was asked for.
struct FreezerGlance {
    /// Whether every thread stood still.
    let isFrozen: Bool
    /// Whether the launch's first process was seen inside; where not, it may be there all the same.
    let showsFirst: Bool
}
