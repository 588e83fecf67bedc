import LifeCycleModel

/// An installed app: its record and its machines. No machine reads another's state; `Device` passes their signals on.
struct App: Hashable, Sendable, Codable {
    @Boxed var record: AppRecord
    var lifeCycle = LifeCycle()
    var watchdog = Watchdog()
    var tasks = BackgroundTasks()
    var assertions = Assertions()
    var suspension = Suspension()
    @Boxed var slices = TimeSlices()
    var requests = RequestRate()
    var transferActs = RequestRate()
    var notificationActs = RequestRate()
    var handlers = CompletionHandlers()
    @Boxed var container = ContainerCheck()
    /// The last published state.
    var published = AppState.notRunning
    /// The launch record that was last stored.
    @Boxed var stored: LaunchRecord?
    /// Whether the app keeps the device awake.
    var keepsDeviceAwake = false
    /// Whether the app is to be removed once its launch has ended.
    var isBeingUninstalled = false
    /// The app status at the last `settle`.
    var status = AppStatus()

    init(record: AppRecord) {
        _record = Boxed(wrappedValue: record)
        status = currentStatus
    }

    /// An app from the store. Its launch may still be running.
    init(record: AppRecord, launch: LaunchRecord?, isInterrupted: Bool) {
        _record = Boxed(wrappedValue: record)
        defer { status = currentStatus }
        guard let launch else { return }
        lifeCycle = LifeCycle(recovering: launch, of: record, isInterrupted: isInterrupted)
        stored = launch
        isBeingUninstalled = launch.ending == .uninstalled
        suspension.found(isFrozen: launch.isSuspended)
        if !launch.isSuspended { assertions.foundRunning() }
        published = launch.isSuspended ? .suspended : launch.isInForeground ? .inactive : .background
    }

    /// The app status, computed from its machines. The property is inlined, because a call copies the app.
    @inline(__always) var currentStatus: AppStatus {
        let launch = lifeCycle.launch
        guard launch != nil else { return AppStatus(isForceQuit: record.isForceQuit) }
        let (isLive, isPrewarmed) = (lifeCycle.isLive, lifeCycle.isPrewarmed)
        let isRunning = isLive && !isPrewarmed
        return AppStatus(
            launch: isPrewarmed ? nil : launch, isReachable: isRunning && !suspension.isSuspendedOrAboutToBe,
            // An app that is about to be suspended is suspended first, so that one event does not freeze and thaw it.
            isAtRest: isLive && (isPrewarmed || suspension.isFrozen),
            isForeground: isRunning && published.isForeground, isForceQuit: record.isForceQuit)
    }

    /// The earliest deadline of the app's machines. The property is inlined, as the machines' deadlines are, because
    /// most callers need only the time.
    @inline(__always) var nextDeadline: Deadline? {
        guard let launch = lifeCycle.launch else { return nil }
        var earliest = watchdog.nextDeadline(of: launch)
        earliest = .earlier(earliest, tasks.nextDeadline(of: launch))
        earliest = .earlier(earliest, suspension.nextDeadline(of: launch))
        earliest = .earlier(earliest, slices.nextDeadline(of: launch))
        earliest = .earlier(earliest, handlers.nextDeadline(of: launch))
        earliest = .earlier(earliest, container.nextDeadline(of: launch))
        earliest = .earlier(earliest, lifeCycle.nextDeadline())
        return earliest
    }

    /// The memory that killing the app would free, negated so that the largest comes first; nil if the app is not
    /// suspended.
    var memoryRank: Int64? {
        switch suspension.state {
        case .frozen(let footprint) where lifeCycle.isLive: -footprint
        case .frozen, .held, .thawing, .freezing: nil
        }
    }
}
