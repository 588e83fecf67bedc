import AppCore
public import LifeCycleModel
public import LifeCyclePolicy

/// The virtual body: a device, its apps' processes, and a clock that advances from one happening to the next.
///
/// A world never awaits. Everything that it does follows from its seed.
public struct World: Sendable, VirtualBody {
    package var core: BodyCore<Happening>
    /// The virtual time.
    public var now: Moment { core.now }
    /// How many events the brain has handled.
    public private(set) var eventCount = 0
    /// How often the system was restarted.
    var restarts = 0
    /// The first violation; nil if there is none. Nothing happens after a violation.
    public var violation: Violation? { core.violation }
    /// Called with each event and its effects.
    public var observer: (@Sendable (Event, Moment, [Effect]) -> Void)?

    /// Called with each fault that the world causes.
    var faultObserver: (@Sendable (Fault) -> Void)?

    var random: RandomSource
    var areFaultsOn = true
    /// A factor for the probability of spontaneous faults; 1 is usual.
    var faultRate = 1
    /// Whether the system will be killed in the middle of the next event.
    var diesNext = false
    /// Whether the brain keeps the device awake.
    public private(set) var isKeptAwake = false
    /// The device's network connection, and the servers.
    var network = VirtualNetwork()
    /// The engine for transfers, and its files.
    var engine = VirtualEngine()
    /// The sockets of apps that the body has descriptors of.
    var sockets = VirtualSockets()
    /// The device's time zone; nil until it is set.
    var zone: String?
    /// The time until which the disk is full.
    var diskIsFullUntil = Nanoseconds.zero
    /// The time of the engine's last report. The engine's reports arrive in the order in which they were sent.
    var lastReportAt = Nanoseconds.zero
    /// When an app was last woken or called for a background session; nil before.
    private(set) var lastOwnWake: Nanoseconds?
    /// Sorted by launch.
    var processes: [Process] = []
    /// The launches that have had a process, as the kernel and a guardian know them. For look-up only.
    private var started: Set<LaunchID> = []
    /// The events that have piled up during a stall of the event loop; nil while the loop runs.
    var pile: [Event]?
    /// The effects to perform after an iteration that handles several events; nil while each event has its own
    /// iteration.
    var due: [Effect]?
    /// The device facts that were last sent to each launch. For look-up only, so the order does not matter.
    private(set) var sentFacts: [LaunchID: DeviceFacts] = [:]
    private let profiles: [BehaviorProfile]
    /// The scripts of the apps, by app number; nil if behavior is random. With scripts only a script's delays take
    /// time, and no fault happens spontaneously.
    let scripts: [AppScript]?
    /// The entries since they were last taken, in a world with scripts.
    var chronicle: [Chronicled] = []

    struct Process: Hashable, Sendable {
        var app: ScriptedApp
        var isConnected = false
        /// Whether the system was restarted and has not received anything from the app since.
        var isSilent = false
        /// Whether a later restart lost records. The record of this app's activation may be among them.
        var hasLostRecord = false
        var isFrozen = false
        /// The arrival time of the process's last request. Requests arrive in the order in which they were sent.
        var lastRequestAt = Nanoseconds.zero
        /// The arrival time of the last message to the process.
        var lastMessageAt = Nanoseconds.zero
        /// The actions of the app's code that wait until the process is thawed.
        var held: [Happening] = []
        /// Unread requests on a connection that has broken since.
        var unread: [AppRequest] = []
        /// How many children its process has.
        var children = 0
    }

    /// A world with the given manifests installed, numbered from 1. Unless `profiles` is given, the seed determines
    /// each app's behavior profile. With `keepsSteps` the brain's steps are recorded. Without `checks` no violation is ever
    /// found, which is for measuring only.
    public init(
        seed: UInt64, policy: Policy, manifests: [AppManifest], profiles: [BehaviorProfile]? = nil, checks: Bool = true,
        keepsSteps: Bool = false, ownCheck: CheckedDevice.OwnCheck? = nil
    ) {
        var random = RandomSource(seed: seed)
        core = BodyCore(
            CheckedDevice(policy: policy, checks: checks, keepsSteps: keepsSteps, ownCheck: ownCheck),
            now: Self.start)
        self.profiles = profiles ?? manifests.map { _ in BehaviorProfile.drawn(from: &random) }
        scripts = nil
        self.random = random
        for (index, manifest) in manifests.enumerated() {
            handle(.device(.appInstalled(AppID(Int32(index + 1)), manifest)))
        }
    }

    /// A deterministic world, whose apps follow their scripts. No app is installed yet; the apps are numbered from 1 in
    /// the order of `scripts`.
    public init(policy: Policy, scripts: [AppScript]) {
        core = BodyCore(CheckedDevice(policy: policy), now: Self.start)
        profiles = []
        self.scripts = scripts
        random = RandomSource(seed: 0)
        areFaultsOn = false
    }

    private static let start = Moment.zero.advanced(by: .seconds(1000))

    /// The brain. The property is read in place, because a copy for each access would cost more than the access.
    public var device: Device { _read { yield core.checked.device } }

    // MARK: The brain's turn

    /// Passes an event to the brain, checks the reaction, and performs the effects.
    public mutating func handle(_ event: Event) {
        guard violation == nil else { return }
        if pile != nil {
            pile?.append(event)
            return
        }
        // The system may die before the commit as well as after it.
        if goesWrong(1, in: 300) || diesNext && random.chance(1, in: 2) { failStore(for: .seconds(1)) }
        let effects = decide(event)
        if due != nil {
            due?.append(contentsOf: effects)
        } else if diesNext {
            diesNext = false
            die(among: effects)
        } else {
            for effect in effects { perform(effect) }
        }
    }

    package mutating func handled(_ event: Event, _ effects: [Effect]) {
        eventCount += 1
        observer?(event, now, effects)
        if scripts != nil { chronicle.append(Chronicled(now, .turn(event, effects))) }
        if effects.contains(where: \.isOwnWake) { lastOwnWake = now.awake }
        if core.checked.areChecksOn { NewsIsDelivered.note(effects, in: &sentFacts) }
    }

    /// Kills the system between an event and its effects. Committed records remain. Some of the effects are performed,
    /// in order.
    mutating func die(among effects: [Effect]) {
        faultObserver?(.death)
        let rest = effects.filter { if case .store = $0 { false } else { true } }
        for effect in rest.prefix(random.below(rest.count + 1)) { perform(effect) }
        restartSystem()
    }

    package mutating func perform(_ effect: DeviceEffect) {
        if case .keepAwake(let isKept) = effect { isKeptAwake = isKept }
    }

    package mutating func perform(_ effect: LaunchEffect, on launch: LaunchID) {
        switch effect {
        case .start, .prewarm: start(launch)
        case .send(let message):
            guard let index = index(of: launch), processes[index].isConnected,
                let message = device.filled(message)
            else { return }
            if core.checked.areChecksOn, case .callback(_, .didBecomeActive) = message { checkActive(launch) }
            // Messages arrive in the order in which they were sent.
            let arrival = max(processes[index].lastMessageAt, now.awake + latency())
            processes[index].lastMessageAt = arrival
            core.agenda.plan(.messageArrives(launch, message), at: arrival)
        case .freeze(let attempt): askToFreeze(launch, attempt: attempt)
        case .thaw: thaw(launch)
        case .requestExit:
            // A process that ignores SIGTERM lives until it is killed.
            if goesWrong(1, in: 10) { return faultObserver?(.ignoredExit) ?? () }
            let span = script(of: launch)?.leavesAfter ?? Nanoseconds(1 + random.span(upTo: 7_000_000_000))
            plan(.appExits(launch), in: span)
        case .kill:
            guard index(of: launch) != nil else { return }
            die(launch, .signaled(9))
        case .measureContainer: plan(.containerIsMeasured(launch), in: latency())
        case .prioritize: break
        }
    }

    /// No app is made active while another process that has not come back yet considers itself active. A transient
    /// activation does not count, and neither does an app that lies. If a restart lost records, the record of
    /// that activation may be among the lost records.
    private mutating func checkActive(_ launch: LaunchID) {
        guard device.snapshot(of: launch.app)?.state == .active else { return }
        let other = processes.first {
            $0.app.launch != launch && $0.isSilent && !$0.hasLostRecord && $0.app.profile.lies == 0
                && $0.app.core.attachment.phase == .active
        }
        if let other { core.fail("one app is active", "\(launch) is, and \(other.app.launch) thinks that it is") }
    }

    private mutating func start(_ launch: LaunchID) {
        if goesWrong(1, in: 200) {
            faultObserver?(.startFails)
            return handle(.process(launch, .startFailed(errno: 2)))
        }
        let script = script(of: launch)
        if let errno = script?.startError { return handle(.process(launch, .startFailed(errno: errno))) }
        guard let manifest = device.snapshot(of: launch.app)?.record.manifest,
            let context = device.launchContext(of: launch)
        else { return }
        let place = Int(launch.app.rawValue - 1)
        let profile = areFaultsOn ? profiles[place % profiles.count] : .good
        let app = ScriptedApp(
            launch: launch, profile: profile, script: script, modes: manifest.backgroundModes, context: context)
        processes.append(Process(app: app))
        processes.sort { $0.app.launch < $1.app.launch }
        started.insert(launch)
        plan(.processRuns(launch), in: latency())
        if !manifest.isAdopted { plan(.appConnects(launch), in: latency() + latency()) }
    }

    private mutating func thaw(_ launch: LaunchID) {
        _ = core.agenda.take { happening in
            if case .kernelFroze(launch, _) = happening { true } else { false }
        }
        guard let index = index(of: launch) else { return }
        if goesWrong(1, in: 300) {
            faultObserver?(.thawFails)
            return handle(.process(launch, .thawFailed(errno: 5)))
        }
        letRun(index)
    }

    mutating func letRun(_ index: Int) {
        processes[index].isFrozen = false
        let held = processes[index].held
        processes[index].held = []
        for happening in held { plan(happening, in: scripts == nil ? Nanoseconds(1000) : .zero) }
    }

    private mutating func die(_ launch: LaunchID, _ status: ExitStatus) {
        guard let index = index(of: launch) else { return }
        let process = processes.remove(at: index)
        _ = core.agenda.take { $0.launch == launch && $0.needsRunningCode }
        leaveLastWords(process)
        plan(.processIsGone(launch, status), in: latency() + afterChildren(of: process))
    }

    package mutating func perform(_ output: ConcernOutput) { output.work.perform(in: &self) }

    // MARK: The world's turn

    /// Runs everything that is due within `span`.
    public mutating func advance(by span: Nanoseconds) { pass(span) }

    package mutating func happen(_ happening: Happening) {
        guard let launch = happening.launch else {
            switch happening {
            case .transferGoesOn(let id, let attempt): transferGoesOn(id, attempt: attempt)
            case .adapterReports(let input): handle(.concern(input))
            case .storeWorks: storeWorks()
            default: break
            }
            return
        }
        guard let index = index(of: launch) else {
            switch happening {
            case .requestArrives(let launch, let request): handle(.app(launch, .requested(request)))
            case .reportArrives(_, let event): handle(event)
            case .processIsGone(let launch, let status): report(.process(launch, .exited(status)), of: launch)
            case .containerIsMeasured(let launch): measured(launch)
            default: break
            }
            return
        }
        if happening.needsRunningCode, processes[index].isFrozen {
            processes[index].held.append(happening)
            return
        }
        switch happening {
        case .processRuns:
            handle(.process(launch, .started))
        case .appConnects where processes[index].app.isBusy:
            if !processes[index].app.isHung { plan(happening, in: .milliseconds(20)) }
        case .appConnects:
            processes[index].isConnected = true
            (processes[index].isSilent, processes[index].hasLostRecord) = (false, false)
            let attachment = processes[index].app.core.attachment
            if readToTheEnd(launch, index) { attach(launch, attachment) }
        case .requestArrives(_, let request):
            handle(.app(launch, .requested(request)))
        case .requestIsMade(_, let request):
            perform(.send(request), of: launch)
        case .reportArrives(_, let event):
            handle(event)
        case .kernelFroze(_, let attempt):
            freeze(launch, index, attempt: attempt)
        case .containerIsMeasured:
            measured(launch)
        case .appExits:
            die(launch, .signaled(15))
        case .processIsGone(_, let status):
            processes.remove(at: index)
            _ = core.agenda.take { $0.launch == launch && $0.needsRunningCode }
            report(.process(launch, .exited(status)), of: launch)
        case .transferGoesOn, .adapterReports, .storeWorks: break
        case .messageArrives, .mainThreadIsFree, .taskIsDone, .delegateReturns, .eventIsHandled:
            runCode(happening, launch, index)
        }
    }

    /// The kernel has frozen the launch. The launch's pending requests are read first.
    mutating func freeze(_ launch: LaunchID, _ index: Int, attempt: Int32) {
        if goesWrong(1, in: 300) {
            faultObserver?(.freezeFails)
            return report(.process(launch, .freezeFailed(attempt: attempt, errno: 5)), of: launch)
        }
        processes[index].isFrozen = true
        let unread = core.agenda.take { happening in
            if case .requestArrives(launch, _) = happening { true } else { false }
        }
        var requests: [AppRequest] = []
        for case .requestArrives(_, let request) in unread { requests.append(request) }
        // If the system dies during these requests, it does not read the others and reports nothing.
        let present = restarts
        guard readToTheEnd(launch, index), readAll(requests, of: launch) else { return }
        report(.process(launch, .froze(attempt: attempt, footprint: 0)), of: launch)
        guard restarts == present else { return }
        let footprint = script(of: launch)?.footprint ?? Int64(random.below(1000)) << 20
        report(.process(launch, .footprintMeasured(size: footprint)), of: launch)
    }

    private mutating func measured(_ launch: LaunchID) {
        guard let most = device.policy.containerSize else { return }
        let isFull = goesWrong(1, in: 100)
        if isFull { faultObserver?(.fullContainer) }
        report(.process(launch, .containerMeasured(size: isFull ? most + 1 : most)), of: launch)
    }

    private mutating func runCode(_ happening: Happening, _ launch: LaunchID, _ index: Int) {
        var acts: [ScriptedApp.Act] = []
        switch happening {
        case .messageArrives(_, let message):
            processes[index].app.receive(message, at: now.awake, random: &random, into: &acts)
        case .mainThreadIsFree:
            processes[index].app.mainThreadIsFree(at: now.awake, random: &random, into: &acts)
        case .taskIsDone(_, let task):
            processes[index].app.endTask(task, into: &acts)
        case .eventIsHandled(_, let event, let result):
            processes[index].app.handled(event, result, into: &acts)
        case .delegateReturns(_, let session, let number):
            processes[index].app.acknowledge(number, of: session, into: &acts)
        default: return
        }
        for act in acts { perform(act, of: launch) }
    }

    mutating func perform(_ act: ScriptedApp.Act, of launch: LaunchID) {
        guard let index = index(of: launch) else { return }
        switch act {
        case .send(let request):
            guard processes[index].isConnected else { return }
            let delay = requestDelay(request, of: launch, processes[index].app.profile)
            let arrival = max(processes[index].lastRequestAt, now.awake + delay)
            processes[index].lastRequestAt = arrival
            core.agenda.plan(.requestArrives(launch, request), at: arrival)
        case .busy(let span): plan(.mainThreadIsFree(launch), in: span)
        case .endTaskLater(let task, let span): plan(.taskIsDone(launch, task), in: span)
        case .exit(let status): die(launch, status)
        case .fork: processes[index].children += 1
        case .fault(let fault): faultObserver?(fault)
        case .receivedOutcome(let id, let hasFile, let isSecond):
            outcomeDelivered(of: id, hasFile: hasFile, isSecond: isSecond)
        case .acknowledgeLater(let session, let number, let span):
            plan(.delegateReturns(launch, session, number), in: span)
        case .handleLater(let event, let result, let span): plan(.eventIsHandled(launch, event, result), in: span)
        case .delayTask(let session, let number):
            delayTask(number, of: session, by: Nanoseconds(random.span(upTo: 600_000_000_000)), index)
        case .scheduleIn(let notification, let span): schedule(notification, in: span, index)
        case .sendLater(let request, let span): plan(.requestIsMade(launch, request), in: span)
        case .delayTaskBy(let session, let number, let span): delayTask(number, of: session, by: span, index)
        case .note(let note): chronicle.append(Chronicled(now, .note(launch, note)))
        }
    }

    /// Kills the system and starts it again. Pending messages between the system and the apps are lost. Stored records
    /// remain, and the running apps come back.
    public mutating func restartSystem() {
        faultObserver?(.restart)
        restarts += 1
        _ = core.agenda.take { happening in
            switch happening {
            case .messageArrives, .requestArrives, .reportArrives, .kernelFroze, .containerIsMeasured, .processIsGone,
                .appConnects, .processRuns, .transferGoesOn, .adapterReports:
                true
            case .requestIsMade, .mainThreadIsFree, .taskIsDone, .delegateReturns, .eventIsHandled, .appExits,
                .storeWorks:
                false
            }
        }
        if !core.checked.store.isWhole {
            faultObserver?(.lostRecords)
            for index in processes.indices { processes[index].hasLostRecord = true }
        }
        core.restart()
        isKeptAwake = false
        // A launch without a record is ended as a leftover.
        let known = Set(core.checked.disk.launches.map(\.launch))
        processes.removeAll { !known.contains($0.app.launch) }
        _ = core.agenda.take { $0.launch.map { !known.contains($0) } ?? false }
        restartEngine()
        sockets.systemRestarted()
        if let zone { goTo(zone: zone) }
        reportLaunches()
    }

    package mutating func find(_ launch: LaunchID) -> ProcessEvent {
        guard let index = index(of: launch) else { return started.contains(launch) ? .exited(.unknown) : .cutOff }
        processes[index].isConnected = false
        processes[index].isSilent = true
        processes[index].unread = []
        processes[index].held.removeAll { if case .messageArrives = $0 { true } else { false } }
        return .found(isFrozen: processes[index].isFrozen)
    }

    package mutating func comeBack(_ launch: LaunchID) {
        if device.snapshot(of: launch.app)?.record.manifest.isAdopted == true { return }
        if let index = index(of: launch), processes[index].isFrozen {
            processes[index].held.append(.appConnects(launch))
        } else {
            plan(.appConnects(launch), in: latency())
        }
    }

    /// The device sleeps for `span`, unless it is kept awake. The awake clock stops, and every app with it.
    public mutating func fallAsleep(for span: Nanoseconds) {
        guard !isKeptAwake else { return }
        faultObserver?(.sleep)
        core.now.elapsed = now.elapsed + span
        core.now.wall = now.wall + span
    }

    /// The device loses power and starts again. Every process is gone, without notice to the system (T19, R-126).
    public mutating func reboot() {
        faultObserver?(.reboot)
        processes = []
        _ = core.agenda.take { $0 != .storeWorks }
        engine.rebooted()
        restartSystem()
        handle(.device(.deviceStarted))
    }

    /// Sets the wall clock ahead by `span`.
    public mutating func setClock(by span: Nanoseconds) {
        core.now.wall = now.wall + span
        handle(.device(.clockStepped(by: span)))
    }

    // MARK: Small helpers

    mutating func plan(_ happening: Happening, in span: Nanoseconds) {
        core.agenda.plan(happening, at: now.awake + span)
    }

    /// Whether a spontaneous fault happens now, with a probability of `parts` in `whole` times `faultRate`.
    mutating func goesWrong(_ parts: Int, in whole: Int) -> Bool {
        areFaultsOn && random.chance(parts * faultRate, in: whole)
    }

    mutating func latency() -> Nanoseconds {
        scripts == nil ? Nanoseconds(10_000 + random.span(upTo: 50_000_000)) : .zero
    }

    func index(of launch: LaunchID) -> Int? {
        processes.firstIndex { $0.app.launch == launch }
    }
}
