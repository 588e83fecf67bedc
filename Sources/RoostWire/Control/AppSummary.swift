public import LifeCycleModel

/// What `roost ps` shows of an installed app.
public struct AppSummary: Hashable, Sendable, Codable {
    /// Its bundle identifier.
    public var identifier: BundleIdentifier
    /// Its display name.
    public var name: String
    /// Which of the five states it is in.
    public var state: AppState
    /// Its process; nil while it has none.
    public var pid: Int32?
    /// The number of its launch; nil while it has none.
    public var launch: Int32?
    /// What the kernel's freezer says of it.
    public var freezer: String?
    /// Its cgroup, or what stands in for one.
    public var place: String?
    /// The kernel's own word on how much of the processor and of the disks it gets.
    public var priority: String?
    /// The background time left; nil where no clock runs.
    public var timeRemaining: Nanoseconds?
    /// Its open tasks, in the order of their ids.
    @WireTasks public var openTasks: [BackgroundTask]
    /// The memory it holds, in bytes.
    public var memory: Int64?
    /// The processor time it has used.
    public var processorTime: Nanoseconds?
    /// What keeps it from being suspended, in words.
    public var assertions: [String]
    /// Whether the user swiped it away and has not opened it since.
    public var isForceQuit: Bool
    /// Whether the user lets it be woken in the background.
    public var allowsBackgroundRefresh = true
    /// Its background modes, sorted.
    public var modes: [BackgroundMode] = []
    /// Whether it has the life cycle of scenes.
    public var usesScenes = false
    /// Whether it is not built on RoostKit.
    public var isAdopted: Bool
    /// How its last launch ended, in words; nil if it had none.
    public var lastEnd: String?

    /// A summary of an app without a process; the rest is set where it applies.
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

/// Tasks in the form the interfaces give them.
@propertyWrapper public struct WireTasks: Hashable, Sendable, Codable {
    /// The tasks themselves.
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
