import LifeCycleModel
import LifeCyclePolicy

@testable import LifeCycleSimulation

/// A virtual body with helper apps. The helpers start, connect, answer each callback at once, freeze and exit. A hung
/// helper answers nothing. The brain is not checked: these tests look at single rules.
struct Bench: VirtualBody {
    var core: BodyCore<Never>
    var device: Device { core.device }
    var now: Moment {
        get { core.now }
        set { core.now = newValue }
    }
    /// The helpers by launch; `nextEvent()` visits them in the order of the launches.
    var helpers: [LaunchID: PlainProcess] = [:]
    /// Every event, and the effects of each, a line each.
    private(set) var lines: [String] = []
    /// Every effect so far.
    private(set) var effects: [Effect] = []
    /// Every remote notification that the device has referred to.
    private(set) var came: [RemoteRecord] = []

    init(_ policy: Policy = .iOS26, _ manifests: [AppManifest] = [.sample(1), .sample(2)]) {
        core = BodyCore(CheckedDevice(policy: policy, checks: false), now: .zero.advanced(by: start))
        for (index, manifest) in manifests.enumerated() {
            handle(.device(.appInstalled(app(Int32(index + 1)), manifest)))
        }
        forget()
    }

    /// Removes the lines so far.
    mutating func forget() { lines = [] }

    // MARK: Events

    mutating func handled(_ event: Event, _ new: [Effect]) {
        lines.append(Lines.of(event))
        lines += new.filter(Lines.isShown).map(Lines.of)
        effects += new
        let present = device.remoteNotifications
        came.removeAll { known in present.contains { $0.id == known.id } }
        came += present
    }

    /// Handles an event, and returns the lines of its effects.
    mutating func does(_ event: Event) -> String {
        let count = lines.count
        handle(event)
        return lines[(count + 1)...].joined(separator: "\n")
    }

    /// Handles an event and the events of all helpers that follow. Returns their lines.
    mutating func plays(_ event: Event) -> String {
        let count = lines.count
        handle(event)
        settle()
        return lines[(count + 1)...].joined(separator: "\n")
    }

    /// Handles the events of all helpers, and returns their lines.
    mutating func plays() -> String {
        let count = lines.count
        settle()
        return lines[count...].joined(separator: "\n")
    }

    mutating func acknowledge(_ launch: LaunchID) -> String {
        helpers[launch]?.acknowledge().map { does($0) } ?? "nothing to acknowledge"
    }

    /// Begins a task outside the foreground, where the system is notified at once.
    mutating func begin(_ id: Int64, _ launch: LaunchID) -> String {
        helpers[launch]?.open.append(task(id))
        return does(.app(launch, .requested(.beginTask(task(id)))))
    }

    mutating func end(_ id: Int64, _ launch: LaunchID) -> String {
        helpers[launch]?.open.removeAll { $0.id == TaskID(id) }
        return does(.app(launch, .requested(.endTask(TaskID(id)))))
    }

    // MARK: Time

    /// Advances the clock and meets the deadlines on the way. No helper acts.
    mutating func passes(_ span: Nanoseconds) -> String {
        let count = lines.count
        pass(span)
        return lines[count...].joined(separator: "\n")
    }

    /// Advances the clock as if the event loop stalled: deadlines on the way are missed.
    mutating func stallLoop(_ span: Nanoseconds) { core.move(to: now.awake + span) }

    /// Advances the clock to the next deadline and meets it. Returns the lines; no helper acts.
    mutating func meetsDeadline() -> String {
        guard device.nextDeadline != nil else { return "no deadline" }
        core.move(to: core.deadline)
        return does(.deadlineReached)
    }

    // MARK: Helpers

    mutating func perform(_ effect: LaunchEffect, on launch: LaunchID) {
        switch effect {
        case .start, .prewarm:
            helpers[launch] = PlainProcess(launch, of: device.snapshot(of: launch.app)?.record.manifest)
        default: helpers[launch]?.perform(effect)
        }
    }

    mutating func perform(_ output: ConcernOutput) {
        switch output {
        case .notification(.confirmToken(let app)): handle(.concern(.notification(.tokenPersisted(app))))
        case .voip(.confirmToken(let app)): handle(.concern(.voip(.tokenPersisted(app))))
        default: break
        }
    }

    private mutating func settle() {
        for _ in 0..<200 {
            guard let event = nextEvent() else { return }
            handle(event)
        }
    }

    /// The next event of the first helper that has one.
    private mutating func nextEvent() -> Event? {
        for launch in helpers.keys.sorted() {
            guard let event = helpers[launch]?.goOn() else { continue }
            if case .process(_, .exited) = event { helpers[launch] = nil }
            return event
        }
        return nil
    }

    // MARK: The system's restart

    /// Replaces the device by one from the disk, and reports each launch as it is found.
    mutating func restarts() -> String {
        let count = lines.count
        core.restart()
        reportLaunches()
        return lines[count...].joined(separator: "\n")
    }

    mutating func find(_ launch: LaunchID) -> ProcessEvent {
        guard let helper = helpers[launch] else { return .cutOff }
        guard helper.exit == nil else {
            helpers[launch] = nil
            return .exited(.unknown)
        }
        helpers[launch]?.systemRestarted()
        return .found(isFrozen: helper.isFrozen)
    }
}

/// The persisted records.
extension Bench {
    var stored: Disk {
        get { core.checked.store.disk }
        set { core.checked.store.disk = newValue }
    }
    var disk: [AppID: AppRecord] { Self.keyed(stored.apps) { $0.app } }
    var launchesOnDisk: [LaunchID: LaunchRecord] { Self.keyed(stored.launches) { $0.launch } }
    var sessionsOnDisk: [TransferSessionID: TransferSessionRecord] { Self.keyed(stored.concerns.sessions) { $0.id } }
    var transfersOnDisk: [TransferID: TransferRecord] { Self.keyed(stored.concerns.transfers) { $0.id } }
    var fetchesOnDisk: [AppID: FetchRecord] { Self.keyed(stored.concerns.fetches) { $0.app } }
    var pushesOnDisk: [AppID: PushRecord] { Self.keyed(stored.concerns.pushes) { $0.app } }
    var notificationsOnDisk: NotificationRecords { stored.concerns.notifications }
    /// The remote notification that is held back for the first app.
    var heldOnDisk: RemoteNotification? {
        notificationsOnDisk.remotes.first { $0.id == pushesOnDisk[app(1)]?.held }?.notification
    }
    var deviceOnDisk: DeviceRecord { stored.device }

    private static func keyed<Key, Record>(_ records: [Record], by key: (Record) -> Key) -> [Key: Record] {
        Dictionary(records.map { (key($0), $0) }) { $1 }
    }
}

extension Bench {
    /// Sets whether an app disables the idle timer.
    mutating func idleTimer(isDisabled: Bool, _ launch: LaunchID) -> String {
        helpers[launch]?.isIdleTimerDisabled = isDisabled
        return does(.app(launch, .requested(.setIdleTimerDisabled(isDisabled))))
    }

    /// Handles an event, and returns the lines that other tests leave out, for example priorities and device facts.
    mutating func tells(_ event: Event) -> [String] {
        let count = effects.count
        handle(event)
        return effects[count...].filter { !Lines.isShown($0) }.map(Lines.of)
    }

    func state(_ number: Int32) -> AppState? { device.snapshot(of: app(number))?.state }
    func assertions(_ number: Int32) -> [Assertion] { device.snapshot(of: app(number))?.assertions ?? [] }

    /// A bench whose first app is in `state`.
    static func with(_ state: AppState, _ policy: Policy = .iOS26, _ manifests: [AppManifest]? = nil) -> Bench {
        var bench = Bench(policy, manifests ?? [.sample(1, modes: [.fetch, .location]), .sample(2)])
        switch state {
        case .notRunning: break
        case .inactive: _ = bench.does(.device(.appOpened(app(1))))
        case .active: _ = bench.plays(.device(.appOpened(app(1))))
        case .background:
            _ = bench.plays(.device(.appOpened(app(1))))
            _ = bench.does(.device(.homePressed))
            _ = bench.acknowledge(launch(1))
            _ = bench.acknowledge(launch(1))
        case .suspended:
            _ = bench.plays(.device(.appOpened(app(1))))
            _ = bench.plays(.device(.homePressed))
        }
        bench.forget()
        return bench
    }
}
