import LifeCycleModel
import LifeCyclePolicy

/// The specification again, written the slow and obvious way. The model stores what has happened as plain facts. After
/// each event it computes all consequences from scratch, until nothing more follows.
///
/// The model shares no code with the brain, only the types of `LifeCycleModel`, events and effects. It has no machines,
/// no signals, no order of routing and no index. `ReferenceComparison` compares it with a `Device`.
///
/// The model does not cover the details of some decisions, an app's share of the processor, and when records are
/// stored.
struct ReferenceModel: Hashable, Sendable, Encodable {
    enum Shutdown: Hashable, Sendable, Encodable {
        case none
        case asked(until: Nanoseconds)
        case killing(until: Nanoseconds)
        case done
    }

    let policy: Policy
    /// Sorted by app number.
    var apps: [ReferenceApp] = []
    /// The apps in the switcher, the most recently used last.
    var switcher: [AppID] = []
    /// The app that the user wants to see; nil on the home screen, and while the screen is locked.
    var foregroundApp: AppID?
    /// The device's persisted state: settings, lock, interruption.
    var device = DeviceRecord()
    /// The time of the last user action; nil if the time is unknown.
    var touchedAt: Nanoseconds?
    /// The apps that may still consider themselves active, and have been silent since the system's restart.
    var recoveringActives: [AppID] = []
    var shutdown = Shutdown.none
    /// Whether the device is kept awake.
    var isKeptAwake = false

    /// The effects that the event must have, in order for each launch.
    var done: [Effect] = []
    /// The decisions that the event must lead to, in any order.
    var said: [Decision] = []
    /// All reasons to refuse the wake or the opening; the brain may give any of them.
    var obstacles: [WakeRefusal] = []

    /// The time of the current event, and below it other facts for concerns.
    var now = Nanoseconds.zero
    var clocks = ReferenceClocks()
    var zone: (name: String, rules: ZoneRules)? {
        get { zoneName.map { ($0, zoneRules) } }
        set { (zoneName, zoneRules) = (newValue?.name, newValue?.rules ?? .utc) }
    }
    private var zoneName: String?
    private var zoneRules = ZoneRules.utc
    var isConnected = true
    /// After the system's restart the concerns wait for the first deadline.
    var areConcernsStarted = true
    /// The news of the current event that concerns have yet to react to, and below it their requests.
    var news: [ReferenceNews] = []
    var requests: [ReferenceRequest] = []
    var fetches = ReferenceFetches()
    var notifications = ReferenceNotifications()
    var sessions = ReferenceSessions()
    var locations = ReferenceLocations()
    var voip = ReferenceVoIP()
    var audio = ReferenceAudio()
    var sockets = ReferenceSockets()
    /// All reasons to refuse the opening of an app by a tap.
    var tapObstacles: [WakeRefusal] = []

    init(policy: Policy) { self.policy = policy }

    /// Handles an event at `moment`; `done` and `said` hold the expected effects and decisions.
    mutating func handle(_ event: Event, at moment: Moment) {
        now = moment.awake
        for concern in Self.concerns { concern.begin(in: &self) }
        tapObstacles = []
        let isOtherBoot = event == .device(.deviceStarted)
        let stored = sessions.storedClock
        if clocks.read(moment, after: stored, isOtherBoot: isOtherBoot, tolerance: policy.clockTolerance) {
            news.append(.clocksWereRead)
        }
        done.removeAll(keepingCapacity: true)
        said.removeAll(keepingCapacity: true)
        obstacles.removeAll(keepingCapacity: true)
        if loopStalled(at: now) { loopStalled(until: now) }
        if device.settings.autoLock == nil { touchedAt = nil } else { touchedAt = touchedAt ?? now }
        let wasKeptUnlocked = isKeptUnlocked
        switch event {
        case .device(let event): user(event, at: now)
        case .process(let launch, let event):
            if let index = index(running: launch) {
                report(event, index, at: now)
            } else {
                said.append(.launch(launch, .ignoredLate))
            }
        case .app(let launch, let event):
            if let index = index(running: launch) {
                received(event, index, at: now)
            } else {
                said.append(.launch(launch, .ignoredLate))
            }
        case .concern(let input): news.append(.reported(input))
        case .deadlineReached: timePassed(at: now)
        }
        drawConsequences(at: now)
        if wasKeptUnlocked, !isKeptUnlocked { touch(at: now) }
        if !sessions.isIdle { news.append(.deviceMayDiffer) }
        handleNews(at: now)
        settleConcerns(at: now)
        for concern in Self.concerns { concern.end(&self) }
        finishShutdownIfDone()
    }

    // MARK: Derived values

    /// The index of the app with this current launch; nil for a launch that is over.
    private func index(running launch: LaunchID) -> Int? {
        index(of: launch.app).flatMap { apps[$0].launch?.id == launch ? $0 : nil }
    }

    func index(of app: AppID) -> Int? { apps.firstIndex { $0.id == app } }

    /// Whether the user wants to see the app at `index`, and it is not ending.
    func isWanted(_ index: Int) -> Bool {
        guard let launch = apps[index].launch, foregroundApp == apps[index].id, launch.ending == nil else {
            return false
        }
        return !launch.isEarly
    }

    /// Whether the foreground app is the app at `index`, and is interrupted (T06).
    func isInterrupted(_ index: Int) -> Bool { device.interruption != nil && foregroundApp == apps[index].id }

    /// Whether an app is in the foreground that nothing interrupts.
    var isInterruptible: Bool {
        foregroundApp != nil && device.interruption == nil && !device.isLocked && shutdown == .none
    }

    /// Whether no other app than the app at `index` is active or may consider itself active. At most one app may become
    /// active.
    func isActivityFree(for index: Int) -> Bool {
        recoveringActives.isEmpty
            && !apps.indices.contains { $0 != index && apps[$0].launch?.holdsActivity == true }
    }

    /// The device facts for an app.
    func facts(for index: Int) -> DeviceFacts {
        var facts = DeviceFacts()
        facts.isProtectedDataAvailable = !device.isLocked || !device.settings.hasPasscode
        facts.backgroundRefresh =
            device.settings.backgroundRefresh && apps[index].allowsRefresh ? .available : .denied
        facts.isLowPowerModeEnabled = device.settings.lowPowerMode
        facts.power = device.settings.power
        facts.batteryLevel = device.settings.batteryLevel
        facts.clockChanges = device.clockChanges
        return facts
    }

    ///
    func lacksScenes(_ index: Int) -> Bool {
        let manifest = apps[index].manifest
        return policy.scenes == .required && !manifest.usesScenes && !manifest.isAdopted
    }

    /// Whether the foreground app prevents auto-lock.
    var isKeptUnlocked: Bool {
        guard lockDueIfUntouched != nil, let foregroundApp, let index = index(of: foregroundApp) else { return false }
        return apps[index].launch?.stage == .alive && apps[index].launch?.keepsScreenOn == true
    }

    private var lockDueIfUntouched: Nanoseconds? {
        guard !device.isLocked, let length = device.settings.autoLock, let touchedAt else { return nil }
        return touchedAt + length
    }

    /// The time at which the device locks itself (T09); nil without auto-lock.
    var lockDue: Nanoseconds? { shutdown == .none && !isKeptUnlocked ? lockDueIfUntouched : nil }

    var shutdownDue: Nanoseconds? {
        switch shutdown {
        case .asked(let until), .killing(let until): until
        case .none, .done: nil
        }
    }

    /// All deadlines, except those of concerns.
    var deadlines: [Deadline] {
        var found = apps.flatMap { $0.launch?.deadlines(policy: policy) ?? [] }
        if let shutdownDue { found.append(Deadline(at: shutdownDue, reason: .shutdown)) }
        if let lockDue { found.append(Deadline(at: lockDue, reason: .autoLock)) }
        return found
    }

    // MARK: Small acts

    mutating func touch(at now: Nanoseconds) { touchedAt = device.settings.autoLock == nil ? nil : now }

    mutating func finishShutdownIfDone() {
        guard shutdownDue != nil, !apps.contains(where: { $0.launch != nil }) else { return }
        shutdown = .done
        done.append(.device(.finishShutdown))
    }
}
