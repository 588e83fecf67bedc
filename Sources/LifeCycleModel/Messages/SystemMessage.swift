/// What the system says to an app, in order, on the app's callback connection.
public enum SystemMessage: Hashable, Sendable, Codable {
    /// A callback to run and to acknowledge.
    case callback(CallbackID, Callback)
    /// The app's background clock: when time is up, on the awake clock; nil when no clock runs.
    case backgroundTime(until: Nanoseconds?)
    /// A task that could not be granted: its expiration handler is to be called.
    case taskRefused(TaskID)
    /// The device as it is: said when the app connects, before any callback.
    case device(DeviceFacts)
    /// The restore identifiers of the Bluetooth managers the app is launched for: said before the launch callback.
    case restoreIdentifiers([String])
    /// What the user did, while the app is active.
    case input(UserInput)
    /// A message of a concern, such as the news of a background session.
    case concern(ConcernMessage)
}

/// What an app says of a finite-length task it has open.
public struct BackgroundTask: Hashable, Sendable, Codable {
    /// Its identifier, unique in the launch.
    public let id: TaskID
    /// The name given, or the one made from the caller.
    public let name: String

    /// A task as the app reports it.
    public init(id: TaskID, name: String) {
        self.id = id
        self.name = name
    }
}

/// What an app says to the system, in order, on the app's request connection.
public enum AppRequest: Hashable, Sendable, Codable {
    /// A callback has returned; `open` are the tasks open at that instant, in the order of their ids.
    case acknowledge(CallbackID, open: [BackgroundTask])
    /// A task begun off the foreground.
    case beginTask(BackgroundTask)
    /// A task ended off the foreground.
    case endTask(TaskID)
    /// Whether the device may lock itself while the app is in front (T09).
    case setIdleTimerDisabled(Bool)
    /// The completion handler that came with this callback was called.
    case eventHandled(CallbackID, BackgroundFetchResult)
    /// A request to a concern, such as background fetch.
    case concern(ConcernRequest)
}

/// What an app says when it connects, for the first time or again.
public struct Attachment: Hashable, Sendable, Codable {
    /// The last callback it finished.
    public let lastCallback: CallbackID
    /// How far it has come.
    public let phase: AppPhase
    /// The tasks it has open, in the order of their ids.
    public let open: [BackgroundTask]

    /// Whether it wants the device not to lock itself.
    public let isIdleTimerDisabled: Bool
    /// Whether its scene is connected.
    public let isSceneConnected: Bool
    /// The events it was handed whose completion handler it has not called, in the order they came.
    public let openEvents: [OpenEvent]
    /// The number of the last thing it did with its notifications; 0 for none.
    public let notificationActs: Int64

    /// An app's account of itself.
    public init(
        lastCallback: CallbackID, phase: AppPhase, open: [BackgroundTask], isIdleTimerDisabled: Bool = false,
        isSceneConnected: Bool = false, openEvents: [OpenEvent] = [], notificationActs: Int64 = 0
    ) {
        self.lastCallback = lastCallback
        self.phase = phase
        self.open = open
        self.isIdleTimerDisabled = isIdleTimerDisabled
        self.isSceneConnected = isSceneConnected
        self.openEvents = openEvents
        self.notificationActs = notificationActs
    }

    /// What a process says that was just started.
    public static let new = Attachment(lastCallback: .none, phase: .starting, open: [])
}
