public import LifeCycleModel

/// What it takes to start one launch.
public struct LaunchSpecification: Hashable, Sendable {
    /// Which launch.
    public var launch: LaunchID
    /// Whose: names the cgroup.
    public var identifier: BundleIdentifier
    /// The executable's absolute path.
    public var executable: String
    /// The arguments after `argv[0]`.
    public var arguments: [String]
    /// The whole environment, as `NAME=value`.
    public var environment: [String]
    /// The directory it starts in.
    public var workingDirectory: String
    /// The file its output and errors go to, opened for appending and made where it is missing.
    public var logFile: String
    /// What it may use; nil for what the system itself may.
    public var limits: ProcessLimits?
    /// What it is shut in with; nil for a process that is trusted.
    public var confinement: Confinement?

    /// A specification with these values.
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

/// A process of a launch, held by a pidfd: never by a bare pid that may have been reused.
public struct ProcessHandle: Hashable, Sendable {
    /// Its pid, for people to read.
    public let pid: Int32
    /// Its pidfd, readable once it has exited. Owned by the organ that gave it out.
    public let descriptor: Int32
    /// When it started, in the kernel's ticks since boot: with the pid it tells the process from a later one.
    public let startTime: UInt64

    /// A handle with these parts.
    public init(pid: Int32, descriptor: Int32, startTime: UInt64) {
        self.pid = pid
        self.descriptor = descriptor
        self.startTime = startTime
    }
}

/// The process at the other end of a socket. Its number may be another's by now; whoever looks by it has to look at the
/// pidfd afterwards.
public struct PeerProcess: Hashable, Sendable {
    /// Its pid when it connected.
    public let pid: Int32
    /// Its pidfd; nil where it was gone when it was asked for.
    public let descriptor: Int32?

    /// A process with this number, held by this pidfd.
    public init(pid: Int32, descriptor: Int32?) {
        self.pid = pid
        self.descriptor = descriptor
    }
}

/// What a request to freeze has come to so far.
public enum FreezeProgress: Hashable, Sendable {
    /// Every thread stands still.
    case frozen
    /// Not yet: look again when this descriptor reports EPOLLPRI, or after the time given where it is nil.
    case pending(watch: Int32?, lookAgainAfter: Nanoseconds)
}

/// The kernel's own word on a launch, for `roost ps` and for evidence.
public struct KernelEvidence: Hashable, Sendable, Codable {
    /// What the freezer says: `frozen 1`, `frozen 0`, or `stopped`/`running` where signals stand in for it.
    public var freezer: String
    /// Whether any process is left in it.
    public var isPopulated: Bool
    /// Memory held, in bytes: the sum of PSS; nil where it can't be read.
    public var memory: Int64?
    /// Processor time used so far; nil where it can't be read.
    public var processorTime: Nanoseconds?
    /// The cgroup's path, or `process group N` where signals stand in for it.
    public var place: String
    /// What its share of the processor goes by, read back, `cpu.weight 1`, `cpu.shares 2`, `autogroup nice 19`,
    /// `nice 19` or `batch`, and after a comma that of the disks, `io.weight 1`, `bfq.weight 1`, `blkio.weight 1` or
    /// `ionice 7`; nil where neither can be read.
    public var priority: String?

    /// Evidence with these values.
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

/// Processes and their freezer. Used on the loop's thread only. A call takes a millisecond or so, but for two: `start` may
/// have to copy a log that has grown too long, and `collect` waits 50 ms for what an app has left behind.
public protocol ProcessControl: AnyObject {
    /// What freezes apps here, in a few words: `cgroup v2 at /sys/fs/cgroup/roost-1a2b`, or `SIGSTOP`.
    var mechanism: String { get }

    /// What has to be done to an app's files before its launch is started; nil if nothing has to be. It takes as long as the
    /// files are many, and may be done on any thread. Once it was done this gives nil, until the files are others.
    func preparation(
        of specification: LaunchSpecification
    ) throws(SystemError) -> (@Sendable () -> Result<Void, SystemError>)?

    /// Starts a launch in a cgroup of its own and gives its process, once its files are prepared. It takes as long as a log that has grown too large
    /// takes to be copied, some ten milliseconds, and gives up on a process that does not come to life within 5 s.
    func start(_ specification: LaunchSpecification) throws(SystemError) -> ProcessHandle

    /// Takes a launch back that an earlier run of the system started; nil if its process is gone or is another's.
    func find(_ launch: LaunchID, identifier: BundleIdentifier, pid: Int32, startTime: UInt64) -> ProcessHandle?

    /// How many processes a launch has besides its first, which has exited: they end when it is collected.
    func left(of launch: LaunchID) -> Int

    /// Collects the exit of a launch whose pidfd is readable, ends whatever it left behind in its cgroup, for which it
    /// waits 50 ms at most, and forgets it; after a `find` that gave nothing, how the launch ended meanwhile. `.unknown`
    /// where neither the kernel nor the guardian can say.
    func collect(_ launch: LaunchID) -> ExitStatus

    /// Asks the kernel to freeze a launch and looks for a few hundred microseconds whether it has.
    func freeze(_ launch: LaunchID) throws(SystemError) -> FreezeProgress

    /// Looks once more at a launch asked to freeze.
    func freezeProgress(_ launch: LaunchID) throws(SystemError) -> FreezeProgress

    /// The descriptor that shows EPOLLPRI when a frozen launch may have been thawed by another process; nil where nothing
    /// shows that. It is valid as long as the launch is held.
    func thawWatch(of launch: LaunchID) -> Int32?

    /// How the memory a launch holds is measured: what its end would give back, in bytes. That takes longer than all else
    /// here, a millisecond for every hundred MiB or so, and may be done on any thread. Nil for a launch it does not hold.
    func footprint(of launch: LaunchID) -> (@Sendable () -> Int64)?

    /// Lets a launch run again.
    func thaw(_ launch: LaunchID) throws(SystemError)

    /// Gives a launch its share of the processor and the disks beside the others'.
    func setPriority(_ launch: LaunchID, _ priority: ProcessPriority) throws(SystemError)

    /// Sends SIGTERM to a launch's first process.
    func requestExit(_ launch: LaunchID) throws(SystemError)

    /// Ends every process of a launch at once, frozen or not. Their exit shows at the pidfd.
    func kill(_ launch: LaunchID) throws(SystemError)

    /// Whether the process is in the launch's cgroup: how an app's word about itself is checked.
    func contains(_ launch: LaunchID, _ peer: PeerProcess) -> Bool

    /// Whether the process is any app's: in the cgroup of any launch of this system, or, where signals stand in
    /// for cgroups, in a session that one of its launches leads. Nil if it is gone or can't be read: whoever would
    /// keep apps out must refuse then, too.
    func isAppProcess(_ peer: PeerProcess) -> Bool?

    /// The kernel's own word on a launch; nil for a launch it does not hold.
    func evidence(_ launch: LaunchID) -> KernelEvidence?
}

/// Who reaps the processes of launches in our stead, and tells how they ended: the guardian. For the loop's thread.
public protocol ExitRecords: AnyObject {
    /// When the last process of this number that has ended had started, in the kernel's ticks since boot; nil where none
    /// is known to have ended.
    func startTimeOfLast(pid: Int32) -> UInt64?

    /// How the process ended that is told by its number and its start; `.unknown` where that is not known.
    func exitStatus(pid: Int32, startTime: UInt64) -> ExitStatus
}
