public import LifeCycleModel

/// An installed app, as `roost ps` shows it.
public struct AppSummary: Hashable, Sendable, Codable {
    /// `CFBundleIdentifier`, by which commands name the app.
    public var identifier: BundleIdentifier
    /// The display name.
    public var name: String
    /// The state as tools show it.
    public var state: AppState
    /// The pid of the first process; nil without one.
    public var pid: Int32?
    /// The number of the launch; nil without one.
    public var launch: Int32?
    /// The state of the kernel's freezer.
    public var freezer: String?
    /// The path of the cgroup, or its substitute.
    public var place: String?
    /// The kernel's settings for the share of processor and disks.
    public var priority: String?
    /// The background time left; nil if no clock runs.
    public var timeRemaining: Nanoseconds?
    /// The open tasks, in the order of their ids.
    @WireTasks public var openTasks: [BackgroundTask]
    /// The memory in use, in bytes.
    public var memory: Int64?
    /// The used processor time.
    public var processorTime: Nanoseconds?
    /// The reasons not to suspend the app, as text.
    public var assertions: [String]
    /// Whether the user has swiped the app away and not opened it since.
    public var isForceQuit: Bool
    /// Whether the user allows Background App Refresh for the app.
    public var allowsBackgroundRefresh = true
    /// The background modes, sorted.
    public var modes: [BackgroundMode] = []
    /// Whether the app uses the life cycle of scenes.
    public var usesScenes = false
    /// Whether the app is not built on RoostKit.
    public var isAdopted: Bool
    /// The end of the last launch, as text; nil if there was none.
    public var lastEnd: String?

    /// A summary of an app without a process. The other properties can be set afterwards.
    public init(
        identifier: BundleIdentifier, name: String, state: AppState = .notRunning, openTasks: [BackgroundTask] = [],
        assertions: [String] = [], isForceQuit: Bool = false, isAdopted: Bool = false
    ) {
        self.identifier = identifier
        self.name = name
        self.state = state
        self.openTasks = openTasks
        self.assertions = assertions
        self.isForceQuit = isForceQuit
        self.isAdopted = isAdopted
    }
}

/// Tasks in the wire format.
@propertyWrapper public struct WireTasks: Hashable, Sendable, Codable {
    /// The property, which is encoded as a list of `Task`.
    public var wrappedValue: [BackgroundTask]

    /// Wraps tasks.
    public init(wrappedValue: [BackgroundTask]) { self.wrappedValue = wrappedValue }

    /// Reads a list of `Task`.
    public init(from decoder: any Decoder) throws {
        let payloads = try decoder.singleValueContainer().decode([Payload].self)
        wrappedValue = payloads.map { BackgroundTask(id: TaskID($0.id), name: $0.name) }
    }

    /// Writes a list of `Task`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(
            BackgroundTask.fitting(wrappedValue).map { Payload(id: $0.id.rawValue, name: $0.name) })
    }

    private struct Payload: Codable {
        let id: Int64
        let name: String
    }
}
