public import LifeCycleModel

/// The brain: the whole state of a device's apps, as one value. An event in, effects out.
///
/// It does no I/O, reads no clock, draws no random number and logs nothing: what it puts out depends on nothing but
/// what went in. Whatever touches Linux, or a virtual world, only reports events and performs effects.
public struct Device: Hashable, Sendable, Codable {
    /// The limits and choices in force.
    public let policy: Policy
    /// Whether processes that are on no record are found and ended at the system's next start.
    public let endsLeftovers: Bool

    /// Sorted by their numbers; `ids` are those numbers, close together for the search.
    var apps: [App] = []
    var ids: [AppID] = []
    var deadlines = Tournament<Nanoseconds>()
    var footprints = Tournament<Int64>()
    var foreground = Foreground()
    var lock = DeviceLock()
    /// What the device is like, for every machine.
    var surroundings = DeviceSurroundings()
    /// The highest place in the app switcher that is taken.
    var lastSwitcherPlace: Int64 = 0
    /// How many apps keep the device awake.
    var appsKeepingAwake = 0
    var shutdown = Shutdown.none
    var runningApps = 0
    /// Background sessions and their tasks.
    var transfers: Transfers
    /// Background fetch.
    var fetches = Fetches()
    /// Local notifications.
    var notifications = Notifications()
    /// Remote notifications.
    var pushes = Pushes()

    enum Shutdown: Hashable, Sendable, Codable {
        case none
        /// Who runs is told; `until` is when the rest is killed.
        case underWay(until: Nanoseconds)
        /// Everything is killed; `until` is when what the kernel has not ended by then is left to it.
        case killing(until: Nanoseconds)
        case done

        var until: Nanoseconds? {
            switch self {
            case .underWay(let until), .killing(let until): until
            case .none, .done: nil
            }
        }
    }

    /// A device without apps.
    public init(policy: Policy = .iOS26, endsLeftovers: Bool = true) {
        self.policy = policy
        self.endsLeftovers = endsLeftovers
        transfers = Transfers(policy: policy)
    }

    /// A device as the store remembers it. Each launch is then reported by `found`, `exited` or `cutOff`.
    /// Launches of apps that are not among `apps` are left out, and so are their sessions and transfers. Where there are
    /// any it wants `deadlineReached` at once, and begins them anew then: after what was found of the launches.
    public init(
        policy: Policy, record: DeviceRecord = DeviceRecord(), apps records: [AppRecord], launches: [LaunchRecord],
        sessions: [TransferSessionRecord] = [], transfers tasks: [TransferRecord] = [], fetches: [FetchRecord] = [],
        pushes: [PushRecord] = [], notifications: NotificationRecords = NotificationRecords(),
        endsLeftovers: Bool = true
    ) {
        self.policy = policy
        self.endsLeftovers = endsLeftovers
        surroundings.settings = record.settings
        surroundings.clockChanges = record.clockChanges
        transfers = Transfers(
            policy: policy, surroundings: surroundings, apps: records, sessions: sessions, transfers: tasks,
            launches: launches)
        let known = records.map(\.app).sorted()
        self.fetches = Fetches(records: fetches.filter { known.sortedContains($0.app) })
        self.pushes = Pushes(records: pushes.filter { known.sortedContains($0.app) })
        self.notifications = Notifications(records: notifications, apps: known)
        lock = DeviceLock(record: record)
        foreground.interruption = record.interruption
        lastSwitcherPlace = records.map(\.switcherPlace).max() ?? 0
        apps = records.sorted { $0.app < $1.app }.map { app in
            App(
                record: app, launch: launches.first { $0.launch.app == app.app },
                isInterrupted: record.interruption != nil)
        }
        ids = apps.map(\.record.app)
        deadlines.resize(to: apps.count)
        footprints.resize(to: apps.count)
        for app in apps {
            guard let stored = app.stored else { continue }
            runningApps += 1
            if stored.isInFront { _ = foreground.bring(app.record.app) }
            if stored.mayBeActive { foreground.found(app.record.app) }
        }
        var none: [Effect] = []
        for slot in apps.indices { transfers.stands(ids[slot], standing(slot), into: &none) }
    }

    /// What is kept of the device itself.
    public var record: DeviceRecord {
        var record = DeviceRecord()
        record.settings = surroundings.settings
        record.isLocked = lock.isLocked
        record.wasUnlockedSinceStart = lock.wasUnlockedSinceStart
        record.frontBeforeLock = lock.frontBeforeLock
        record.interruption = foreground.interruption
        record.clockChanges = surroundings.clockChanges
        return record
    }

    /// Whether there is a link to other machines, as far as anything has told.
    public var isConnected: Bool { surroundings.isConnected }

    /// The app in front, be it interrupted or on its way there; nil on the home screen.
    public var front: AppID? { foreground.front }

    /// By what providers name an app; nil where it has not registered for remote notifications.
    public func deviceToken(of app: AppID) -> DeviceToken? { pushes.token(of: app) }

    /// When `deadlineReached` is wanted next; nil where nothing is waited for.
    public var nextDeadline: Deadline? {
        var earliest = nextLifeCycleDeadline
        // During the shutdown no notification fires: those that are due then do at the next start.
        let clocks = surroundings.clocks
        let notification = shutdown == .none ? notifications.nextDeadline(by: clocks) : nil
        for other in [
            transfers.nextDeadline(by: clocks), fetches.nextDeadline(by: clocks), pushes.nextDeadline(by: clocks),
            notification,
        ] {
            if let other, earliest.map({ other.at < $0.at }) ?? true { earliest = other }
        }
        return earliest
    }

    /// The same without what transfers, fetches, pushes and notifications wait for: only by this can be told that the loop
    /// stood still.
    public var nextLifeCycleDeadline: Deadline? {
        var earliest = deadlines.best.flatMap { apps[$0.slot].nextDeadline }
        if let until = shutdown.until, earliest.map({ until < $0.at }) ?? true {
            earliest = Deadline(at: until, reason: .shutdown)
        }
        if let lockAt = autoLockAt, earliest.map({ lockAt < $0.at }) ?? true {
            earliest = Deadline(at: lockAt, reason: .autoLock)
        }
        return earliest
    }

    /// Takes in what happened at `now`, and appends what is to be done.
    public mutating func handle(_ event: Event, at now: Moment, into effects: inout [Effect]) {
        readClocks(event, at: now)
        let now = now.awake
        noticeGap(at: now)
        lock.noticed(surroundings.settings, at: now)
        let wasKeptUnlocked = isKeptUnlocked
        carryOut(event, at: now, into: &effects)
        if wasKeptUnlocked, !isKeptUnlocked { lock.touched(surroundings.settings, at: now) }
        if !transfers.isEmpty { carryTransfers(at: now, into: &effects) }
        if event.mayChangeAdmission {
            fetches.isStale = true
            pushes.isStale = true
        }
        if !fetches.isEmpty { carryFetches(at: now, into: &effects) }
        if !notifications.isEmpty { carryNotifications(at: now, into: &effects) }
        if !pushes.isEmpty { carryPushes(at: now, into: &effects) }
        if shutdown.until != nil, runningApps == 0 { finishShutdown(into: &effects) }
    }

    private mutating func carryOut(_ event: Event, at now: Nanoseconds, into effects: inout [Effect]) {
        switch event {
        case .device(let event): act(event, at: now, into: &effects)
        case .process(let launch, let event):
            guard let slot = slot(running: launch) else {
                return effects.append(.decided(.launch(launch, .ignoredLate)))
            }
            report(event, of: launch, slot, at: now, into: &effects)
        case .app(let launch, let event):
            guard let slot = slot(running: launch) else {
                return effects.append(.decided(.launch(launch, .ignoredLate)))
            }
            switch event {
            case .attached(let attachment): attached(launch, slot, attachment, at: now, into: &effects)
            case .requested(let request): requested(launch, slot, request, at: now, into: &effects)
            }
            settle(slot, into: &effects)
        case .concern(.transfer(.reported(let report))): transfers.reported(report, policy: policy, into: &effects)
        case .concern(.transfer(.wished(let id, let wish))): transfers.wished(wish, of: id, into: &effects)
        case .concern(.notification(let input)): notice(input, at: now, into: &effects)
        case .deadlineReached: passTime(at: now, into: &effects)
        }
    }

    /// The slot of the app whose current launch this is; nil for a launch that is over.
    private func slot(running launch: LaunchID) -> Int? {
        guard let slot = slot(of: launch.app), apps[slot].lifeCycle.launch == launch else { return nil }
        return slot
    }

    func slot(of id: AppID) -> Int? {
        let slot = ids.sortedIndex(of: id)
        return slot < ids.count && ids[slot] == id ? slot : nil
    }
}
