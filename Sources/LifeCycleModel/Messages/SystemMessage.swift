/// A message from the system to an app, on the app's callback connection, in order.
public enum SystemMessage: Hashable, Sendable, Codable {
    /// A callback to run and to acknowledge.
    case callback(CallbackID, Callback)
    /// The end of the app's background time, on the awake clock; nil if no background time is running.
    case backgroundTime(until: Nanoseconds?)
    /// A task was not granted: the app calls its expiration handler.
    case taskRefused(TaskID)
    /// The present device facts, sent when the app connects, before any callback.
    case device(DeviceFacts)
    /// The restore identifiers of the Bluetooth managers that the app is launched for. The identifiers come before the
    /// launch callback.
    case restoreIdentifiers([String])
    /// Input of the user, while the app is active.
    case input(UserInput)
    /// A message of a concern, such as the news of a background session.
    case concern(ConcernMessage)
}

/// A finite-length task, as the app reports it.
public struct BackgroundTask: Hashable, Sendable, Codable {
    /// The task's identifier, unique in the launch.
    public let id: TaskID
    /// The name that the app gave, or a name made from the caller.
    public let name: String

    /// A task as the app reports it.
    public init(id: TaskID, name: String) {
        self.id = id
        self.name = name
    }
}

/// A message from an app to the system, on the app's request connection, in order.
public enum AppRequest: Hashable, Sendable, Codable {
    /// A callback has returned; `open` are the tasks open at that instant, in the order of their ids.
    case acknowledge(CallbackID, open: [BackgroundTask])
    /// A task was begun in the background.
    case beginTask(BackgroundTask)
    /// A task was ended in the background.
    case endTask(TaskID)
    /// Whether the app, while in the foreground, prevents auto-lock (T09).
    case setIdleTimerDisabled(Bool)
    /// The completion handler that came with this callback was called.
    case eventHandled(CallbackID, BackgroundFetchResult)
    /// A request to a concern, such as background fetch.
    case concern(ConcernRequest)
}

/// The report of an app when it connects, for the first time or again.
public struct Attachment: Hashable, Sendable, Codable {
    /// The last callback that the app finished.
    public let lastCallback: CallbackID
    /// The progress of the launch.
    public let phase: AppPhase
    /// The app's open tasks, in the order of their ids.
    public let open: [BackgroundTask]

    /// Whether the app wants to prevent auto-lock.
    public let isIdleTimerDisabled: Bool
    /// Whether the app's scene is connected.
    public let isSceneConnected: Bool
    /// The delivered events whose completion handler the app has not called, in the order of their delivery.
    public let openEvents: [OpenEvent]
    /// The number of the app's last request about its notifications; 0 for none.
    public let notificationActs: Int64

    /// The defaults are those of an app that has just launched: no scene, no open events, no requests.
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

    /// The report of a process that has just started.
    public static let new = Attachment(lastCallback: .none, phase: .starting, open: [])
}
