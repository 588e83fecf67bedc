public import LifeCycleModel

/// A launch as the store persists it: the brain's record, and how the body finds the process again.
public struct StoredLaunch: Hashable, Sendable {
    /// The brain's part.
    public var record: LaunchRecord
    /// The launch's process; nil while the launch has no process.
    public var process: StoredProcess?
    /// The token by which its connections prove their identity.
    public var token: String

    /// Created by the store when it reads the state.
    public init(record: LaunchRecord, process: StoredProcess?, token: String) {
        self.record = record
        self.process = process
        self.token = token
    }
}

/// The identity of a process across the system's restart.
public struct StoredProcess: Hashable, Sendable {
    /// The pid, which the kernel may have given to another process since.
    public var pid: Int32
    /// When it started, in the kernel's ticks since boot.
    public var startTime: UInt64
    /// The boot in which it started, from `/proc/sys/kernel/random/boot_id`.
    public var bootID: String

    /// All three values together identify the process.
    public init(pid: Int32, startTime: UInt64, bootID: String) {
        self.pid = pid
        self.startTime = startTime
        self.bootID = bootID
    }
}

/// A change to the persisted state.
public enum StoreChange: Hashable, Sendable {
    /// A record of the brain.
    case record(Record)
    /// The process and the token of a launch that the store already knows.
    case process(LaunchID, StoredProcess?, token: String)
    /// The files of a removed app are deleted; its removal no longer needs to be stored.
    case filesRemoved(BundleIdentifier)

    /// The subjects whose effects wait until the change is on disk.
    public var subjects: [RecordSubject] {
        if case .record(let record) = self { record.subjects } else { [] }
    }
}

/// The whole persisted state. Each list is sorted by number.
public struct StoredState: Hashable, Sendable {
    /// The device itself.
    public var device = DeviceRecord()
    /// The installed apps.
    public var apps: [AppRecord] = []
    /// The launches that were under way.
    public var launches: [StoredLaunch] = []
    /// The records of each concern, such as downloads and notifications.
    public var concerns: [ConcernRecord] = []

    /// Whether the state is so large, with thousands of downloads and notifications, that writing all of it as text
    /// takes too long.
    public var isLarge: Bool { concerns.count > 1000 }

    /// An empty state.
    public init() {}
}

/// The persistent store of the system's state. Used on the loop's thread only.
public protocol Store: AnyObject {
    /// The whole persisted state.
    func load() throws(SystemError) -> StoredState

    /// Applies changes in their order, in one transaction. If any effect waits for one of the changes, all of them are
    /// on disk when the call returns.
    func commit(_ changes: [StoreChange]) throws(SystemError)

    /// An id for a new app, never given before. Nothing is stored until the app's record is committed.
    func nextAppID() throws(SystemError) -> AppID
}
