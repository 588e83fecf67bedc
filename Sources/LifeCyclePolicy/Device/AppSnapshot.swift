public import LifeCycleModel

/// What there is to know of an app at this instant, for `roost ps`, the inspector and the invariants.
public struct AppSnapshot: Hashable, Sendable {
    /// The app's record.
    public let record: AppRecord
    /// Its state.
    public let state: AppState
    /// Its launch, until its process is gone.
    public let launch: LaunchID?
    /// Whether that launch is only a process which waits to be launched (T28).
    public let isPrewarmed: Bool
    /// Whether it is being ended.
    public let isEnding: Bool
    /// Whether it is to be removed once it has ended.
    public let isBeingUninstalled: Bool
    /// The tasks it has open, in the order of their ids.
    public let openTasks: [BackgroundTask]
    /// When its background time is up, on the awake clock; nil where no clock runs.
    public let backgroundTimeUntil: Nanoseconds?
    /// Why it is not suspended.
    public let assertions: [Assertion]
    /// Its next deadline.
    public let nextDeadline: Deadline?
}

extension DeviceState {
    /// Every installed app, in the order of their numbers.
    var snapshots: [AppSnapshot] { apps.map(Self.snapshot) }

    /// The app numbered `id`; nil where none is installed.
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
