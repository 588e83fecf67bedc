public import LifeCycleModel

/// A launch as the store keeps it: the brain's record, and how the body finds the process again.
public struct StoredLaunch: Hashable, Sendable {
    /// What the brain wants to know again.
    public var record: LaunchRecord
    /// Its process; nil while it has none.
    public var process: StoredProcess?
    /// The token its connections prove themselves with.
    public var token: String

    /// A launch with these values.
    public init(record: LaunchRecord, process: StoredProcess?, token: String) {
        self.record = record
        self.process = process
        self.token = token
    }
}

/// How a process is found again after the system's restart.
public struct StoredProcess: Hashable, Sendable {
    /// Its pid.
    public var pid: Int32
    /// When it started, in the kernel's ticks since boot.
    public var startTime: UInt64
    /// Which boot that was, from `/proc/sys/kernel/random/boot_id`.
    public var bootID: String

    /// A process with these values.
    public init(pid: Int32, startTime: UInt64, bootID: String) {
        self.pid = pid
        self.startTime = startTime
        self.bootID = bootID
    }
}

/// A change of what the store keeps.
public enum StoreChange: Hashable, Sendable {
    /// A record of the brain's.
    case record(Record)
    /// The process of a launch the store already knows, and its token.
    case process(LaunchID, StoredProcess?, token: String)
    /// The files of an app that was removed are deleted: its removal needs to be known no longer.
    case filesRemoved(BundleIdentifier)

    /// The subjects whose effects wait until the change is on disk.
    public var subjects: [RecordSubject] {
        if case .record(let record) = self { record.subjects } else { [] }
    }
}

/// Everything a store keeps, each list in the order of its numbers.
public struct StoredState: Hashable, Sendable {
    /// The device itself.
    public var device = DeviceRecord()
    /// What is installed.
    public var apps: [AppRecord] = []
    /// What was under way.
    public var launches: [StoredLaunch] = []
    /// The records of all concerns.
    public var concerns: [ConcernRecord] = []

    /// Whether there is so much of it that putting all into words takes longer than anybody should wait: thousands of
    /// downloads and notifications.
    public var isLarge: Bool { concerns.count > 1000 }

    /// A store in which nothing is kept yet.
    public init() {}
}

/// What is kept over restarts. Used on the loop's thread only.
public protocol Store: AnyObject {
    /// Everything kept.
    func load() throws(SystemError) -> StoredState

    /// Makes changes in their order, in one transaction. Where any is owed it is on disk when the call returns.
    func commit(_ changes: [StoreChange]) throws(SystemError)

    /// A number for a new app that no app has had before. Nothing is kept until its record is committed.
    func nextAppID() throws(SystemError) -> AppID
}
