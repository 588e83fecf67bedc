import LifeCycleModel
import LifeCyclePolicy

/// The specification once more, written the slow and obvious way: what has happened is kept as plain facts, and after
/// each event all that must follow is worked out from scratch, over and over until nothing follows any more.
///
/// It shares no code with the brain, only the words of `LifeCycleModel` and those for events and effects; it has no
/// machines, no signals, no order of routing and no index. `ReferenceComparison` holds it beside a `Device`. What it
/// does not say is how what is decided is worded, which share of the processor an app gets, and what is stored when;
/// and of transfers only which sessions are done, and what follows from that for their apps.
struct ReferenceModel: Hashable, Sendable, Encodable {
    enum Shutdown: Hashable, Sendable, Encodable {
        case none
        case asked(until: Nanoseconds)
        case killing(until: Nanoseconds)
        case done
    }

    let policy: Policy
    /// In the order of their numbers.
    var apps: [ReferenceApp] = []
    /// The apps in the switcher, the one used last at the end.
    var switcher: [AppID] = []
    /// The app the user wants to see; nil on the home screen, and behind the lock.
    var front: AppID?
    /// The device as it is kept on disk: settings, lock, interruption.
    var device = DeviceRecord()
    /// When the user last did something; nil where it is not known.
    var touchedAt: Nanoseconds?
    /// Who may still think itself active, and has not been heard since the system's restart.
    var unheardActives: [AppID] = []
    var shutdown = Shutdown.none
    /// Whether the device is kept from going to sleep.
    var isKeptAwake = false

    /// What must be done because of the event, in order for each launch.
    var done: [Effect] = []
    /// What must be said because of it, in any order.
    var said: [Decision] = []
    /// Every reason for which the wake, or the opening, has to be refused; any of them will do.
    var obstacles: [WakeRefusal] = []

    /// The time of the event at hand, and what else concerns go by.
    var now = Nanoseconds.zero
    var clocks = ReferenceClocks()
    var zone: (name: String, rules: ZoneRules)? {
        get { zoneName.map { ($0, zoneRules) } }
        set { (zoneName, zoneRules) = (newValue?.name, newValue?.rules ?? .utc) }
    }
    private var zoneName: String?
    private var zoneRules = ZoneRules.utc
    var isConnected = true
    /// After the system's restart concerns wait for the first deadline.
    var areConcernsStarted = true
    /// What happened in the event at hand that concerns have still to answer, and what they want done.
    var news: [ReferenceNews] = []
    var wishes: [ReferenceWish] = []
    var fetches = ReferenceFetches()
    var notifications = ReferenceNotifications()
    var sessions = ReferenceSessions()
    /// Every reason for which an app may not be opened by a tap.
    var tapObstacles: [WakeRefusal] = []

    /// What becomes of transfers, which it does not model, in the event at hand.
    var given = GivenFacts()

    init(policy: Policy) { self.policy = policy }

    /// Takes in what happened at `moment`; `done` and `said` are what must come of it.
    mutating func handle(_ event: Event, at moment: Moment, given facts: GivenFacts = GivenFacts()) {
        given = facts
        defer { given = GivenFacts() }
        now = moment.awake
        for concern in Self.concerns { concern.begin(in: &self) }
        tapObstacles = []
        if clocks.read(moment, isOtherBoot: event == .device(.deviceStarted)) { news.append(.clocksWereRead) }
        done.removeAll(keepingCapacity: true)
        said.removeAll(keepingCapacity: true)
        obstacles.removeAll(keepingCapacity: true)
        if stoodStill(at: now) { stoodStill(until: now) }
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
                heard(event, index, at: now)
            } else {
                said.append(.launch(launch, .ignoredLate))
            }
        case .concern(let input): news.append(.reported(input))
        case .deadlineReached: timePassed(at: now)
        }
        drawConsequences(at: now)
        if wasKeptUnlocked, !isKeptUnlocked { touch(at: now) }
        hearNews(at: now)
        for change in given.changes { sessions.take(change) }
        settleConcerns(at: now)
        for change in given.laterChanges { sessions.take(change) }
        for begin in given.begun { sessions.begins(begin.id, attempt: begin.attempt) }
        for concern in Self.concerns { concern.end(&self) }
        finishShutdownIfDone()
    }

    // MARK: What follows from the facts

    /// The app whose current launch this is; nil for a launch that is over.
    private func index(running launch: LaunchID) -> Int? {
        index(of: launch.app).flatMap { apps[$0].launch?.id == launch ? $0 : nil }
    }

    func index(of app: AppID) -> Int? { apps.firstIndex { $0.id == app } }

    /// Whether the user wants to see the app at `index`, and it is not on its way out.
    func isWanted(_ index: Int) -> Bool {
        guard let launch = apps[index].launch, front == apps[index].id, launch.ending == nil else { return false }
        return !launch.isEarly
    }

    /// Whether something takes the user's attention from it (T06).
    func isInterrupted(_ index: Int) -> Bool { device.interruption != nil && front == apps[index].id }

    /// There is one active app at most: whether none but the app at `index` is, or may think that it is.
    func isActivityFree(for index: Int) -> Bool {
        unheardActives.isEmpty
            && !apps.indices.contains { $0 != index && apps[$0].launch?.holdsActivity == true }
    }

    /// What an app may know of the device.
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

    /// Whether the app in front keeps the device from locking itself.
    var isKeptUnlocked: Bool {
        guard lockDueIfUntouched != nil, let front, let index = index(of: front) else { return false }
        return apps[index].launch?.stage == .alive && apps[index].launch?.keepsScreenOn == true
    }

    private var lockDueIfUntouched: Nanoseconds? {
        guard !device.isLocked, let length = device.settings.autoLock, let touchedAt else { return nil }
        return touchedAt + length
    }

    /// When the device locks itself (T09).
    var lockDue: Nanoseconds? { shutdown == .none && !isKeptUnlocked ? lockDueIfUntouched : nil }

    var shutdownDue: Nanoseconds? {
        switch shutdown {
        case .asked(let until), .killing(let until): until
        case .none, .done: nil
        }
    }

    /// Every deadline there is.
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
