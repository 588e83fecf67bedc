import LifeCycleModel

/// One installed app: its record and its machines. None reads another's state; `Device` carries their signals.
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
    /// The state last made known.
    var published = AppState.notRunning
    /// What the store was last told of the launch.
    @Boxed var stored: LaunchRecord?
    /// Whether it keeps the device awake.
    var keepsDeviceAwake = false
    /// To be removed once it has ended.
    var isBeingUninstalled = false
    /// Its standing when it was last settled.
    var standing = AppStanding()

    init(record: AppRecord) {
        _record = Boxed(wrappedValue: record)
        standing = currentStanding
    }

    /// An app as the store remembers it, its launch perhaps still under way.
    init(record: AppRecord, launch: LaunchRecord?, isInterrupted: Bool) {
        _record = Boxed(wrappedValue: record)
        defer { standing = currentStanding }
        guard let launch else { return }
        lifeCycle = LifeCycle(recovering: launch, of: record, isInterrupted: isInterrupted)
        stored = launch
        isBeingUninstalled = launch.ending == .uninstalled
        suspension.found(isFrozen: launch.isSuspended)
        if !launch.isSuspended { assertions.foundRunning() }
        published = launch.isSuspended ? .suspended : launch.isInFront ? .inactive : .background
    }

    /// Its standing as its machines are now. It is inlined, because a call copies the app.
    @inline(__always) var currentStanding: AppStanding {
        let launch = lifeCycle.launch
        guard launch != nil else { return AppStanding(isForceQuit: record.isForceQuit) }
        let (isLive, isPrewarmed) = (lifeCycle.isLive, lifeCycle.isPrewarmed)
        let isRunning = isLive && !isPrewarmed
        return AppStanding(
            launch: isPrewarmed ? nil : launch, isHearing: isRunning && !suspension.isSuspendedOrAboutToBe,
            // An app that is about to be suspended is suspended first, so that one event does not freeze and thaw it.
            isAtRest: isLive && (isPrewarmed || suspension.isFrozen),
            isForeground: isRunning && published.isForeground, isForceQuit: record.isForceQuit)
    }

    /// The earliest deadline of any of its machines. It is inlined as theirs are, because most callers need only the time.
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

    /// How much memory its end would give back, as the key of a ranking that puts the largest first; nil unless it is
    /// suspended.
    var memoryRank: Int64? {
        switch suspension.state {
        case .frozen(let footprint) where lifeCycle.isLive: -footprint
        case .frozen, .held, .thawing, .freezing: nil
        }
    }
}
