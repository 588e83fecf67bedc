import LifeCycleModel
import LifeCyclePolicy

/// A device, a clock, and helper apps that do what they are told: they start, connect, answer each callback at once,
/// freeze and exit. Those in `hung` answer nothing.
struct Bench {
    struct Helper: Hashable {
        var isStarting = true
        var isAttached = false
        var pending: PendingCallback?
        var lastCallback = CallbackID.none
        var phase = AppPhase.starting
        var open: [BackgroundTask] = []
        var freezeAttempt: Int32?
        var isFrozen = false
        var exit: ExitStatus?
        var isHung = false
        var isIdleTimerDisabled = false
        var isSceneConnected = false
        var openEvents: [OpenEvent] = []
        var notificationActs: Int64 = 0
    }

    struct PendingCallback: Hashable {
        let id: CallbackID
        let callback: Callback
    }

    var device: Device
    var now: Moment
    /// By launch; walked through in the order of their keys.
    var helpers: [LaunchID: Helper] = [:]
    /// Whether the store persists what it is given at once.
    var confirmsTokens = true
    /// Everything that happened and came of it, a line each.
    private(set) var lines: [String] = []
    /// Every effect there was.
    private(set) var effects: [Effect] = []
    /// What a store would hold.
    private(set) var disk: [AppID: AppRecord] = [:]
    var deviceOnDisk = DeviceRecord()
    private(set) var launchesOnDisk: [LaunchID: LaunchRecord] = [:]
    private(set) var sessionsOnDisk: [TransferSessionID: TransferSessionRecord] = [:]
    private(set) var transfersOnDisk: [TransferID: TransferRecord] = [:]
    private(set) var fetchesOnDisk: [AppID: FetchRecord] = [:]
    private(set) var notificationsOnDisk = NotificationRecords()
    private(set) var pushesOnDisk: [AppID: PushRecord] = [:]

    init(_ policy: Policy = .iOS26, _ manifests: [AppManifest] = [.sample(1), .sample(2)]) {
        device = Device(policy: policy)
        now = .zero.advanced(by: start)
        for (index, manifest) in manifests.enumerated() {
            handle(.device(.appInstalled(app(Int32(index + 1)), manifest)))
        }
        forget()
    }

    /// Leaves out of the lines what has been so far.
    mutating func forget() { lines = [] }

    // MARK: Events

    mutating func handle(_ event: Event) {
        lines.append(Lines.of(event))
        var new: [Effect] = []
        device.handle(event, at: now, into: &new)
        lines += new.filter(Lines.isShown).map(Lines.of)
        effects += new
        for effect in new { perform(effect) }
    }

    /// One event, and what came of it.
    mutating func does(_ event: Event) -> String {
        let count = lines.count
        handle(event)
        return lines[(count + 1)...].joined(separator: "\n")
    }

    /// One event, and all that follows once every helper has done its part.
    mutating func plays(_ event: Event) -> String {
        let count = lines.count
        handle(event)
        settle()
        return lines[(count + 1)...].joined(separator: "\n")
    }

    /// All that the helpers still have to do.
    mutating func plays() -> String {
        let count = lines.count
        settle()
        return lines[count...].joined(separator: "\n")
    }

    mutating func acknowledge(_ launch: LaunchID) -> String {
        guard let pending = helpers[launch]?.pending else { return "nothing to acknowledge" }
        finish(launch, pending)
        return does(.app(launch, .requested(.acknowledge(pending.id, open: helpers[launch]?.open ?? []))))
    }

    /// Begins a task off the foreground: the system hears of it at once.
    mutating func begin(_ id: Int64, _ launch: LaunchID) -> String {
        helpers[launch]?.open.append(task(id))
        return does(.app(launch, .requested(.beginTask(task(id)))))
    }

    mutating func end(_ id: Int64, _ launch: LaunchID) -> String {
        helpers[launch]?.open.removeAll { $0.id == TaskID(id) }
        return does(.app(launch, .requested(.endTask(TaskID(id)))))
    }

    // MARK: Time

    /// Moves the clock; deadlines on the way are met, nobody does anything.
    mutating func passes(_ span: Nanoseconds) -> String {
        let count = lines.count
        let end = now.awake + span
        while let deadline = device.nextDeadline, deadline.at <= end {
            move(to: deadline.at)
            handle(.deadlineReached)
        }
        move(to: end)
        return lines[count...].joined(separator: "\n")
    }

    /// Moves the clock as if the loop itself stood still: deadlines on the way are missed.
    mutating func standsStill(_ span: Nanoseconds) { move(to: now.awake + span) }

    /// To the next deadline, and what comes of it; helpers do nothing.
    mutating func meetsDeadline() -> String {
        guard let deadline = device.nextDeadline else { return "no deadline" }
        move(to: deadline.at)
        return does(.deadlineReached)
    }

    private mutating func move(to time: Nanoseconds) {
        if time > now.awake { now = now.advanced(by: time - now.awake) }
    }

    // MARK: Helpers

    private mutating func perform(_ effect: Effect) {
        switch effect {
        case .launch(let launch, .start(_)), .launch(let launch, .prewarm): helpers[launch] = Helper()
        case .launch(let launch, .send(.callback(let id, let callback))):
            helpers[launch]?.pending = PendingCallback(id: id, callback: callback)
        case .launch(_, .send), .launch(_, .prioritize), .launch(_, .measureContainer): break
        case .launch(let launch, .freeze(let attempt)): helpers[launch]?.freezeAttempt = attempt
        case .launch(let launch, .thaw):
            helpers[launch]?.freezeAttempt = nil
            helpers[launch]?.isFrozen = false
        case .launch(let launch, .requestExit): helpers[launch]?.exit = .signaled(15)
        case .launch(let launch, .kill(_)): helpers[launch]?.exit = .signaled(9)
        case .store(.app(let record)): disk[record.app] = record
        case .store(.device(let record)): deviceOnDisk = record
        case .store(.appRemoved(let id)):
            disk[id] = nil
            notificationsOnDisk.forget(id)
            fetchesOnDisk[id] = nil
            pushesOnDisk[id] = nil
        case .store(.concern(.push(let record))): pushesOnDisk[record.app] = record
        case .store(.concern(.fetch(.client(let record)))): fetchesOnDisk[record.app] = record
        case .store(.concern(.fetch(.removed(let id)))): fetchesOnDisk[id] = nil
        case .store(.concern(.notification(let record))): notificationsOnDisk.apply(record)
        case .store(.launch(let record)): launchesOnDisk[record.launch] = record
        case .store(.launchEnded(let launch)): launchesOnDisk[launch] = nil
        case .store(.concern(.transfer(.session(let record)))): sessionsOnDisk[record.id] = record
        case .store(.concern(.transfer(.sessionRemoved(let id)))):
            sessionsOnDisk[id] = nil
            transfersOnDisk = transfersOnDisk.filter { $0.key.session != id }
        case .store(.concern(.transfer(.task(let record)))): transfersOnDisk[record.id] = record
        case .store(.concern(.transfer(.taskRemoved(let id)))): transfersOnDisk[id] = nil
        case .concern(.notification(.confirmToken(let app))) where confirmsTokens:
            handle(.concern(.notification(.tokenPersisted(app))))
        case .device, .concern, .decided: break
        }
    }

    private mutating func settle() {
        var rounds = 0
        while let launch = helpers.keys.sorted().first(where: hasWork), rounds < 200 {
            rounds += 1
            work(launch)
        }
    }

    private func hasWork(_ launch: LaunchID) -> Bool {
        guard let helper = helpers[launch] else { return false }
        if helper.exit != nil { return true }
        if helper.freezeAttempt != nil { return true }
        if helper.isHung || helper.isFrozen { return false }
        return helper.isStarting || helper.pending != nil || (!helper.isAttached && !isAdopted(launch))
    }

    private func isAdopted(_ launch: LaunchID) -> Bool {
        device.snapshot(of: launch.app)?.record.manifest.isAdopted == true
    }

    private func usesScenes(_ launch: LaunchID) -> Bool {
        device.snapshot(of: launch.app)?.record.manifest.usesScenes == true
    }

    private mutating func work(_ launch: LaunchID) {
        guard let helper = helpers[launch] else { return }
        if let status = helper.exit {
            helpers[launch] = nil
            handle(.process(launch, .exited(status)))
        } else if let attempt = helper.freezeAttempt {
            helpers[launch]?.freezeAttempt = nil
            helpers[launch]?.isFrozen = true
            handle(.process(launch, .froze(attempt: attempt, footprint: Int64(launch.app.rawValue) << 20)))
        } else if helper.isStarting {
            helpers[launch]?.isStarting = false
            handle(.process(launch, .started))
        } else if !helper.isAttached, !isAdopted(launch) {
            helpers[launch]?.isAttached = true
            handle(
                .app(
                    launch,
                    .attached(
                        Attachment(
                            lastCallback: helper.lastCallback, phase: helper.phase, open: helper.open,
                            isIdleTimerDisabled: helper.isIdleTimerDisabled, isSceneConnected: helper.isSceneConnected,
                            openEvents: helper.openEvents, notificationActs: helper.notificationActs))))
        } else if let pending = helper.pending {
            finish(launch, pending)
            handle(.app(launch, .requested(.acknowledge(pending.id, open: helpers[launch]?.open ?? []))))
        }
    }

    mutating func finish(_ launch: LaunchID, _ pending: PendingCallback) {
        guard var helper = helpers[launch] else { return }
        helper.pending = nil
        helper.lastCallback = pending.id
        switch pending.callback {
        case .launch(let reason):
            helper.phase = reason == .user ? .rising : .background
            helper.isSceneConnected = reason == .user && usesScenes(launch)
        case .willEnterForeground:
            helper.phase = .rising
            helper.isSceneConnected = usesScenes(launch)
        case .didBecomeActive: helper.phase = .active
        case .willResignActive: helper.phase = .falling
        case .didEnterBackground: helper.phase = .background
        case .expireTasks: helper.open = []
        case .disconnectScene, .discardScenes: helper.isSceneConnected = false
        case .concern(.handleEvent(let event)):
            helper.openEvents.append(OpenEvent(callback: pending.id, kind: event.kind))
        case .deviceChanged, .memoryWarning, .concern:
            break
        case .willTerminate: helper.exit = .exited(code: 0)
        }
        helpers[launch] = helper
    }

    // MARK: The system's restart

    /// The device is lost and made anew from the disk; what is found of each launch is reported.
    mutating func restarts() -> String {
        let count = lines.count
        let launches = launchesOnDisk.keys.sorted()
        device = Device(
            policy: device.policy, record: deviceOnDisk, apps: disk.values.sorted { $0.app < $1.app },
            launches: launches.compactMap { launchesOnDisk[$0] },
            sessions: sessionsOnDisk.values.sorted { $0.id < $1.id },
            transfers: transfersOnDisk.values.sorted { $0.id < $1.id },
            fetches: fetchesOnDisk.values.sorted { $0.app < $1.app },
            pushes: pushesOnDisk.values.sorted { $0.app < $1.app }, notifications: notificationsOnDisk)
        for launch in launches {
            if let helper = helpers[launch], helper.exit == nil {
                helpers[launch]?.isAttached = false
                helpers[launch]?.pending = nil
                helpers[launch]?.freezeAttempt = nil
                handle(.process(launch, .found(isFrozen: helper.isFrozen)))
            } else if helpers.removeValue(forKey: launch) == nil {
                handle(.process(launch, .cutOff))
            } else {
                handle(.process(launch, .exited(.unknown)))
            }
        }
        return lines[count...].joined(separator: "\n")
    }
}

extension Bench {
    /// Switches the idle timer of an app off or on.
    mutating func idleTimer(isDisabled: Bool, _ launch: LaunchID) -> String {
        helpers[launch]?.isIdleTimerDisabled = isDisabled
        return does(.app(launch, .requested(.setIdleTimerDisabled(isDisabled))))
    }

    /// The same, with what other tests leave out: shares, the device as it is, and whether it may sleep.
    mutating func tells(_ event: Event) -> [String] {
        let count = effects.count
        handle(event)
        return effects[count...].filter { !Lines.isShown($0) }.map(Lines.of)
    }

    func state(_ number: Int32) -> AppState? { device.snapshot(of: app(number))?.state }
    func assertions(_ number: Int32) -> [Assertion] { device.snapshot(of: app(number))?.assertions ?? [] }

    /// A bench whose first app has come as far as `state`.
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
