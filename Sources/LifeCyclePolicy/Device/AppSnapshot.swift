public import LifeCycleModel

/// The status of an app at this instant, for `roost ps`, the inspector and the invariants.
public struct AppSnapshot: Hashable, Sendable {
    /// The app's persisted record.
    public let record: AppRecord
    /// The app's published state.
    public let state: AppState
    /// The app's launch; nil once its process is gone.
    public let launch: LaunchID?
    /// Whether the launch is only a prewarmed process, which waits for the app to be launched (T28).
    public let isPrewarmed: Bool
    /// Whether the app is being ended.
    public let isEnding: Bool
    /// Whether the app is to be removed once it has ended.
    public let isBeingUninstalled: Bool
    /// The app's open tasks, in the order of their ids.
    public let openTasks: [BackgroundTask]
    /// The end of the app's background time, on the awake clock; nil if its background time is not running.
    public let backgroundTimeUntil: Nanoseconds?
    /// The reasons not to suspend the app, sorted.
    public let assertions: [Assertion]
    /// The app's next deadline; nil if the app has no deadline.
    public let nextDeadline: Deadline?
}

extension DeviceState {
    /// The snapshots of all installed apps, in the order of their ids.
    var snapshots: [AppSnapshot] { apps.map(Self.snapshot) }

    /// The snapshot of an app; nil if the app is not installed.
    func snapshot(of id: AppID) -> AppSnapshot? { slot(of: id).map { Self.snapshot(apps[$0]) } }

    private static func snapshot(_ app: App) -> AppSnapshot {
        AppSnapshot(
            record: app.record, state: app.published, launch: app.lifeCycle.launch,
            isPrewarmed: app.lifeCycle.isPrewarmed, isEnding: app.lifeCycle.isEnding,
            isBeingUninstalled: app.isBeingUninstalled, openTasks: app.tasks.open,
            backgroundTimeUntil: app.tasks.until,
            assertions: app.assertions.entries, nextDeadline: app.nextDeadline)
    }
}
