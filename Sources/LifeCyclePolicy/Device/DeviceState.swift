import LifeCycleModel

/// The device without its concerns: the apps and their machines, the foreground and the surroundings.
///
/// Concerns read this value (`DeviceState+Concerns`), and change it only by `Actions`.
struct DeviceState: Hashable, Sendable, Codable {
    let policy: Policy
    let endsLeftovers: Bool

    /// Sorted by id. `ids` holds the same ids in one compact array, for the binary search.
    var apps: [App] = []
    var ids: [AppID] = []
    var deadlines = Tournament()
    var footprints = Tournament()
    var foreground = Foreground()
    var lock = DeviceLock()
    /// The settings, clocks, link and time zone of the device, for every machine.
    var surroundings = DeviceSurroundings()
    /// The highest place in the app switcher that is taken.
    var lastSwitcherPlace: Int64 = 0
    /// The number of apps that keep the device awake.
    var appsKeepingAwake = 0
    var shutdown = Shutdown.none
    var runningApps = 0

    /// The news of this event that the concerns have not received yet.
    var news = Gathered<ConcernNews>()
    /// Whether any concern listens to changes of the device.
    var areConcernsListening = false
    /// False after a restart of the system, until the first `deadlineReached`. By then every launch is reported.
    var isStarted = true

    enum Shutdown: Hashable, Sendable, Codable {
        case none
        /// The running apps are notified. At `until` the system kills the apps that are left.
        case underWay(until: Nanoseconds)
        /// Every app is killed. At `until` the system no longer waits for processes that the kernel has not ended.
        case killing(until: Nanoseconds)
        case done

        var until: Nanoseconds? {
            switch self {
            case .underWay(let until), .killing(let until): until
            case .none, .done: nil
            }
        }
    }

    /// Makes a device without apps.
    init(policy: Policy, endsLeftovers: Bool) {
        self.policy = policy
        self.endsLeftovers = endsLeftovers
    }

    /// Restores a device from the store: see `Device`.
    init(
        policy: Policy, record: DeviceRecord, apps records: [AppRecord], launches: [LaunchRecord], endsLeftovers: Bool
    ) {
        self.policy = policy
        self.endsLeftovers = endsLeftovers
        surroundings.settings = record.settings
        surroundings.clockChanges = record.clockChanges
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
            if stored.isInForeground { _ = foreground.bring(app.record.app) }
            if stored.mayBeActive { foreground.found(app.record.app) }
        }
    }

    /// The persisted record of the device itself.
    var record: DeviceRecord {
        var record = DeviceRecord()
        record.settings = surroundings.settings
        record.isLocked = lock.isLocked
        record.wasUnlockedSinceStart = lock.wasUnlockedSinceStart
        record.frontBeforeLock = lock.frontBeforeLock
        record.interruption = foreground.interruption
        record.clockChanges = surroundings.clockChanges
        return record
    }

    /// The next time at which the device or an app's own machines want `deadlineReached`.
    var nextLifeCycleDeadline: Deadline? {
        var earliest = deadlines.best.flatMap { apps[$0.slot].nextDeadline }
        if let until = shutdown.until, earliest.map({ until < $0.at }) ?? true {
            earliest = Deadline(at: until, reason: .shutdown)
        }
        if let lockAt = autoLockAt, earliest.map({ lockAt < $0.at }) ?? true {
            earliest = Deadline(at: lockAt, reason: .autoLock)
        }
        return earliest
    }

    /// The time of `nextLifeCycleDeadline`.
    var nextLifeCycleTime: Nanoseconds? {
        .earlier(deadlines.smallest.map { Nanoseconds($0) }, .earlier(shutdown.until, autoLockAt))
    }

    /// Begins an event: reads the clocks, and handles the consequences.
    ///
    /// `persisted` is the newest reading of the clocks in the store.
    mutating func begin(
        _ event: Event, at now: Moment, persisted: @autoclosure () -> TransferClock?, after effects: [Effect]
    ) {
        readClocks(event, at: now, persisted: persisted(), after: effects)
        noticeStall(at: now.awake)
        lock.noticed(surroundings.settings, at: now.awake)
    }

    /// Handles an event, except for the part of the concerns.
    mutating func apply(_ event: Event, at now: Nanoseconds, into effects: inout [Effect]) {
        let wasKeptUnlocked = isKeptUnlocked
        defer { if wasKeptUnlocked, !isKeptUnlocked { lock.touched(surroundings.settings, at: now) } }
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
        case .concern(let input): news.list.append(.input(input))
        case .deadlineReached: passTime(at: now, into: &effects)
        }
    }

    /// Ends an event.
    mutating func end(into effects: inout [Effect]) {
        if shutdown.until != nil, runningApps == 0 { finishShutdown(into: &effects) }
    }

    /// The slot of the app whose current launch this is; nil if the launch is over.
    @inline(__always) private func slot(running launch: LaunchID) -> Int? {
        guard let slot = slot(of: launch.app), apps[slot].lifeCycle.launch == launch else { return nil }
        return slot
    }

    /// The slot of an app; nil if it is not installed. It is inlined, because a call copies the device.
    @inline(__always) func slot(of id: AppID) -> Int? { ids.slot(of: id) }
}

extension [AppID] {
    /// The index of an app in a sorted array; nil if it is missing.
    fileprivate func slot(of id: AppID) -> Int? {
        // Apps are numbered in the order of their installation, so without a gap the index follows from the number.
        if let first, id >= first {
            let index = Int(id.rawValue) - Int(first.rawValue)
            if index < count, self[index] == id { return index }
        }
        let index = sortedIndex(of: id)
        return index < count && self[index] == id ? index : nil
    }
}
