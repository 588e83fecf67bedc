public import LifeCycleModel

/// The parameters of one process start.
public struct LaunchSpecification: Hashable, Sendable {
    /// The launch to start.
    public var launch: LaunchID
    /// The app that is launched; names the cgroup.
    public var identifier: BundleIdentifier
    /// The executable's absolute path.
    public var executable: String
    /// The arguments after `argv[0]`.
    public var arguments: [String]
    /// The whole environment, as `NAME=value`.
    public var environment: [String]
    /// The directory that the process starts in.
    public var workingDirectory: String
    /// The file that receives standard output and error. It is opened for appending, and created if missing.
    public var logFile: String
    /// Resource limits; nil for those of the system itself.
    public var limits: ProcessLimits?
    /// The sandbox; nil for a trusted process.
    public var confinement: Confinement?

    /// By default without arguments, limits and a sandbox.
    public init(
        launch: LaunchID, identifier: BundleIdentifier, executable: String, arguments: [String] = [],
        environment: [String], workingDirectory: String, logFile: String, limits: ProcessLimits? = nil,
        confinement: Confinement? = nil
    ) {
        self.launch = launch
        self.identifier = identifier
        self.executable = executable
        self.arguments = arguments
        self.environment = environment
        self.workingDirectory = workingDirectory
        self.logFile = logFile
        self.limits = limits
        self.confinement = confinement
    }
}

/// A process of a launch, held by a pidfd. A pid alone may have been reused.
public struct ProcessHandle: Hashable, Sendable {
    /// Its pid, for display.
    public let pid: Int32
    /// Its pidfd, readable once the process has exited. Owned by the adapter that created it.
    public let descriptor: Int32
    /// When it started, in the kernel's ticks since boot. Pid and start time together identify the process.
    public let startTime: UInt64

    /// Created by the adapter that has started or found the process.
    public init(pid: Int32, descriptor: Int32, startTime: UInt64) {
        self.pid = pid
        self.descriptor = descriptor
        self.startTime = startTime
    }
}

/// The process at the other end of a socket. Its pid may have been reused: after a look-up by pid, check that the pidfd
/// is still alive.
public struct PeerProcess: Hashable, Sendable {
    /// Its pid when it connected.
    public let pid: Int32
    /// Its pidfd; nil if the process was already gone.
    public let descriptor: Int32?

    /// Created when a connection is accepted.
    public init(pid: Int32, descriptor: Int32?) {
        self.pid = pid
        self.descriptor = descriptor
    }
}

/// The state of a request to freeze.
public enum FreezeProgress: Hashable, Sendable {
    /// No thread runs.
    case frozen
    /// Not frozen yet: look again when `watch` reports EPOLLPRI, or after `lookAgainAfter` if `watch` is nil.
    case pending(watch: Int32?, lookAgainAfter: Nanoseconds)
}

/// The kernel's view of a launch, for `roost ps` and as evidence in tests.
public struct KernelEvidence: Hashable, Sendable, Codable {
    /// The freezer's state: `frozen 1` or `frozen 0`; `stopped` or `running` if signals replace the cgroup freezer.
    public var freezer: String
    /// Whether the launch still has any process.
    public var isPopulated: Bool
    /// Memory held, in bytes: the sum of PSS; nil if it cannot be read.
    public var memory: Int64?
    /// Processor time used so far; nil if it cannot be read.
    public var processorTime: Nanoseconds?
    /// The cgroup's path, or `process group N` if signals replace cgroups.
    public var place: String
    /// The priority as the kernel reports it; nil if it cannot be read. First the processor's: `cpu.weight 1`,
    /// `cpu.shares 2`, `autogroup nice 19`, `nice 19` or `batch`. Then, after a comma, the disks': `io.weight 1`,
    /// `bfq.weight 1`, `blkio.weight 1` or `ionice 7`.
    public var priority: String?

    /// Read from the kernel at the time of the call.
    public init(
        freezer: String, isPopulated: Bool, memory: Int64?, processorTime: Nanoseconds?, place: String,
        priority: String? = nil
    ) {
        self.freezer = freezer
        self.isPopulated = isPopulated
        self.memory = memory
        self.processorTime = processorTime
        self.place = place
        self.priority = priority
    }
}

/// The processes of launches, and their freezer. Used on the loop's thread only. A call takes about a millisecond, with
/// two exceptions: `start` may copy a log that has grown too long, and `collect` waits up to 50 ms for remaining
/// processes.
public protocol ProcessControl: AnyObject {
    /// The mechanism that freezes apps on this machine, in a few words: `cgroup v2 at /sys/fs/cgroup/roost-1a2b`, or
    /// `SIGSTOP`.
    var mechanism: String { get }

    /// The work that an app's files need before its launch can start; nil if no work is needed. The work may run on any
    /// thread, and its time grows with the number of files. Once it is done the result is nil, until the files have
    /// another owner again.
    func preparation(
        of specification: LaunchSpecification
    ) throws(SystemError) -> (@Sendable () -> Result<Void, SystemError>)?

    /// Starts a launch in its own cgroup, after its files are prepared. If the log has grown too large, the call also
    /// copies it, which takes about ten milliseconds. The start fails if the process does not run within 5 s.
    func start(_ specification: LaunchSpecification) throws(SystemError) -> ProcessHandle

    /// Finds the process of a launch that an earlier run of the system started; nil if it is gone, or if its pid was
    /// reused.
    func find(_ launch: LaunchID, identifier: BundleIdentifier, pid: Int32, startTime: UInt64) -> ProcessHandle?

    /// How many processes a launch still has after its first process has exited. `collect` ends them.
    func left(of launch: LaunchID) -> Int

    /// Reaps a launch whose pidfd is readable, kills the processes that are left in its cgroup, and forgets the launch.
    /// Waits at most 50 ms for those processes.
    ///
    /// After a `find` that returned nil, it returns how the launch ended in the meantime. `.unknown` if neither the
    /// kernel nor the guardian knows.
    func collect(_ launch: LaunchID) -> ExitStatus

    /// Removes the cgroups of collected launches whose last processes have exited since. Returns whether some are left.
    func finishCollecting() -> Bool

    /// Asks the kernel to freeze a launch, then checks for a few hundred microseconds whether it is frozen.
    func freeze(_ launch: LaunchID) throws(SystemError) -> FreezeProgress

    /// Checks again whether a launch is frozen.
    func freezeProgress(_ launch: LaunchID) throws(SystemError) -> FreezeProgress

    /// The descriptor that shows EPOLLPRI when another process may have thawed a frozen launch; nil if this cannot be
    /// watched. The descriptor is valid as long as the launch is held.
    func thawWatch(of launch: LaunchID) -> Int32?

    /// A function that measures the memory that a launch's end would free, in bytes. The function takes about a
    /// millisecond per hundred MiB, longer than all other calls here, and may run on any thread. Nil for a launch that
    /// is not held.
    func footprint(of launch: LaunchID) -> (@Sendable () -> Int64)?

    /// Lets a launch run again.
    func thaw(_ launch: LaunchID) throws(SystemError)

    /// Sets a launch's share of the processor and the disks.
    func setPriority(_ launch: LaunchID, _ priority: ProcessPriority) throws(SystemError)

    /// Sends SIGTERM to a launch's first process.
    func requestExit(_ launch: LaunchID) throws(SystemError)

    /// Kills every process of a launch at once, frozen or not. The pidfd becomes readable when the first process has
    /// exited.
    func kill(_ launch: LaunchID) throws(SystemError)

    /// Whether the process is in the launch's cgroup. This verifies an app's claim about its identity.
    func contains(_ launch: LaunchID, _ peer: PeerProcess) -> Bool

    /// Whether the process belongs to any app of this system: by its cgroup, or by its session if signals replace
    /// cgroups. Nil if it is gone or cannot be read; a caller that does not admit apps must then refuse the process.
    func isAppProcess(_ peer: PeerProcess) -> Bool?

    /// The kernel's view of a launch; nil for a launch that is not held.
    func evidence(_ launch: LaunchID) -> KernelEvidence?
}

/// The exit statuses of processes that the guardian reaps. Used on the loop's thread only.
public protocol ExitRecords: AnyObject {
    /// When the last ended process with this pid had started, in the kernel's ticks since boot; nil if no such process
    /// is known.
    func startTimeOfLast(pid: Int32) -> UInt64?

    /// The exit status of the process with this pid and start time; `.unknown` if it is not known.
    func exitStatus(pid: Int32, startTime: UInt64) -> ExitStatus
}
