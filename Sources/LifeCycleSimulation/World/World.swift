import AppCore
public import LifeCycleModel
public import LifeCyclePolicy

/// The virtual body: a device, its apps' processes, and a clock that moves only from one happening to the next.
///
/// It never awaits; everything it does follows from its seed.
public struct World: Sendable, VirtualBody {
    package var core: BodyCore<Happening>
    /// The virtual time.
    public var now: Moment { core.now }
    /// How many events the brain has handled.
    public private(set) var eventCount = 0
    /// How often the system was killed and started again.
    var restarts = 0
    /// What was found wrong, if anything; nothing happens after that.
    public var violation: Violation? { core.violation }
    /// Called with each event and its effects.
    public var observer: (@Sendable (Event, Moment, [Effect]) -> Void)?

    /// Called with each fault the world lets happen.
    var faultObserver: (@Sendable (Fault) -> Void)?

    var random: RandomSource
    var areFaultsOn = true
    /// How many times as often as usual something goes wrong by itself.
    var faultRate = 1
    /// Whether the system is to be killed in the middle of the next event.
    var diesNext = false
    /// Whether the brain keeps the device from going to sleep.
    public private(set) var isKeptAwake = false
    /// The link, and what is behind it.
    var network = VirtualNetwork()
    /// What carries transfers, and their files.
    var engine = VirtualEngine()
    /// Where the device is, once it was told.
    var zone: String?
    /// Until then there is no room on the disk.
    var diskIsFullUntil = Nanoseconds.zero
    /// What the engine tells arrives in the order it was told.
    var lastReportAt = Nanoseconds.zero
    /// When an app was last woken for a background session; nil before.
    private(set) var lastOwnWake: Nanoseconds?
    /// Sorted by launch.
    var processes: [Process] = []
    /// The launches whose process there was: what the kernel knows of it, and a guardian. Looked up only.
    private var started: Set<LaunchID> = []
    /// What has piled up while the loop stands still; nil while it does not.
    var pile: [Event]?
    /// What is to be done at the end of a turn that handles more than one event; nil where each is a turn of its own.
    var due: [Effect]?
    /// What each launch was last told of the device. In no order that matters: looked up only.
    private(set) var told: [LaunchID: DeviceFacts] = [:]
    private let tempers: [Temper]
    /// What the apps do, in the order of their numbers, where nothing is left to chance; nothing takes time then but what
    /// a script says, and no fault happens by itself.
    let scripts: [AppScript]?
    /// All that happened since it was last taken, where there are scripts.
    var chronicle: [Chronicled] = []

    struct Process: Hashable, Sendable {
        var app: ScriptedApp
        var isConnected = false
        /// Whether the system was restarted and has not heard from it since.
        var isUnheard = false
        /// Whether a restart since then lost records, maybe the one that says whether it may think itself active.
        var hasLostRecord = false
        var isFrozen = false
        /// Requests arrive in the order they were sent.
        var lastRequestAt = Nanoseconds.zero
        /// What its code would have done while it was frozen.
        var held: [Happening] = []
        /// What it said on a connection that has broken since, and nobody has read.
        var unread: [AppRequest] = []
        /// The children of its process.
        var children = 0
    }

    /// A world with the given manifests installed, numbered from 1; each app's temper is drawn from the seed unless
    /// `tempers` says otherwise. With `keepsSteps` all that the brain meets is kept. Without `checks` nothing is ever found
    /// wrong: for measuring, not for proving.
    public init(
        seed: UInt64, policy: Policy, manifests: [AppManifest], tempers: [Temper]? = nil, checks: Bool = true,
        keepsSteps: Bool = false, ownCheck: CheckedDevice.OwnCheck? = nil
    ) {
        var random = RandomSource(seed: seed)
        core = BodyCore(
            CheckedDevice(policy: policy, checks: checks, keepsSteps: keepsSteps, ownCheck: ownCheck),
            now: Self.start)
        self.tempers = tempers ?? manifests.map { _ in Temper.drawn(from: &random) }
        scripts = nil
        self.random = random
        for (index, manifest) in manifests.enumerated() {
            handle(.device(.appInstalled(AppID(Int32(index + 1)), manifest)))
        }
    }

    /// A world without chance, whose apps do what their scripts say. None is installed yet: they are numbered from 1 in
    /// the order of `scripts`.
    public init(policy: Policy, scripts: [AppScript]) {
        core = BodyCore(CheckedDevice(policy: policy), now: Self.start)
        tempers = []
        self.scripts = scripts
        random = RandomSource(seed: 0)
        areFaultsOn = false
    }

    private static let start = Moment.zero.advanced(by: .seconds(1000))

    /// The brain. Read where it is: a copy for each look would cost more than the look.
    public var device: Device { _read { yield core.checked.device } }

    // MARK: The brain's turn

    /// Gives the brain an event, checks what it made of it, and performs the effects.
    public mutating func handle(_ event: Event) {
        guard violation == nil else { return }
        if pile != nil {
            pile?.append(event)
            return
        }
        // A system that dies may do so before the commit as well as after it.
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
        if core.checked.areChecksOn { NewsIsTold.note(effects, in: &told) }
    }

    /// The system is killed between an event and its effects: what is kept is kept, of the rest some is done, in order.
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
            plan(.messageArrives(launch, message), in: latency())
        case .freeze(let attempt): askToFreeze(launch, attempt: attempt)
        case .thaw: thaw(launch)
        case .requestExit:
            // One that takes no notice of SIGTERM is there until it is killed.
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

    /// Nobody is made active while one that has not come back yet thinks itself so. In passing it is no matter, and
    /// of one that lies it is its own fault. No record says who thinks so if it could not be committed.
    private mutating func checkActive(_ launch: LaunchID) {
        guard device.snapshot(of: launch.app)?.state == .active else { return }
        let other = processes.first {
            $0.app.launch != launch && $0.isUnheard && !$0.hasLostRecord && $0.app.temper.lies == 0
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
        let temper = areFaultsOn ? tempers[place % tempers.count] : .good
        processes.append(Process(app: ScriptedApp(launch: launch, temper: temper, script: script, context: context)))
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

    /// Lets everything happen that happens within `span`.
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
            (processes[index].isUnheard, processes[index].hasLostRecord) = (false, false)
            let attachment = processes[index].app.core.attachment
            if readToTheEnd(launch, index) { attach(launch, attachment) }
        case .requestArrives(_, let request):
            handle(.app(launch, .requested(request)))
        case .requestIsRepeated(_, let request):
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

    /// The kernel has frozen it; what it had said by then is read to the end first.
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
        // A system that dies of one of these reads no further, and reports nothing.
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
            let delay = requestDelay(request, of: launch, processes[index].app.temper)
            let arrival = max(processes[index].lastRequestAt, now.awake + delay)
            processes[index].lastRequestAt = arrival
            core.agenda.plan(.requestArrives(launch, request), at: arrival)
        case .busy(let span): plan(.mainThreadIsFree(launch), in: span)
        case .endTaskLater(let task, let span): plan(.taskIsDone(launch, task), in: span)
        case .exit(let status): die(launch, status)
        case .fork: processes[index].children += 1
        case .fault(let fault): faultObserver?(fault)
        case .told(let id, let hasFile, let isSecond): appIsTold(of: id, hasFile: hasFile, isSecond: isSecond)
        case .acknowledgeLater(let session, let number, let span):
            plan(.delegateReturns(launch, session, number), in: span)
        case .handleLater(let event, let result, let span): plan(.eventIsHandled(launch, event, result), in: span)
        case .delayTask(let session, let number):
            delayTask(number, of: session, by: Nanoseconds(random.span(upTo: 600_000_000_000)), index)
        case .scheduleIn(let notification, let span): schedule(notification, in: span, index)
        case .delayTaskBy(let session, let number, let span): delayTask(number, of: session, by: span, index)
        case .note(let note): chronicle.append(Chronicled(now, .note(launch, note)))
        }
    }

    /// The system is killed and started again: what was under way between it and the apps is lost, what was stored is
    /// not, and the apps that run come back.
    public mutating func restartSystem() {
        faultObserver?(.restart)
        restarts += 1
        _ = core.agenda.take { happening in
            switch happening {
            case .messageArrives, .requestArrives, .reportArrives, .kernelFroze, .containerIsMeasured, .processIsGone,
                .appConnects, .processRuns, .transferGoesOn, .adapterReports:
                true
            case .requestIsRepeated, .mainThreadIsFree, .taskIsDone, .delegateReturns, .eventIsHandled, .appExits,
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
        // What the system kept no record of is ended as a leftover.
        let known = Set(core.checked.disk.launches.map(\.launch))
        processes.removeAll { !known.contains($0.app.launch) }
        _ = core.agenda.take { $0.launch.map { !known.contains($0) } ?? false }
        restartEngine()
        if let zone { goTo(zone: zone) }
        tellOfLaunches()
    }

    package mutating func find(_ launch: LaunchID) -> ProcessEvent {
        guard let index = index(of: launch) else { return started.contains(launch) ? .exited(.unknown) : .cutOff }
        processes[index].isConnected = false
        processes[index].isUnheard = true
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

    /// The device sleeps for `span`, unless it is kept awake: the clocks that stand still do, and so does every app
    ///
    public mutating func fallAsleep(for span: Nanoseconds) {
        guard !isKeptAwake else { return }
        faultObserver?(.sleep)
        core.now.elapsed = now.elapsed + span
        core.now.wall = now.wall + span
    }

    /// The device loses its power and is started again: every process is gone, and nobody was told (T19, R-126).
    public mutating func reboot() {
        faultObserver?(.reboot)
        processes = []
        _ = core.agenda.take { $0 != .storeWorks }
        engine.rebooted()
        restartSystem()
        handle(.device(.deviceStarted))
    }

    /// Somebody sets the clock, ahead.
    public mutating func setClock(by span: Nanoseconds) {
        core.now.wall = now.wall + span
        handle(.device(.clockWasSet))
    }

    // MARK: Small helpers

    mutating func plan(_ happening: Happening, in span: Nanoseconds) {
        core.agenda.plan(happening, at: now.awake + span)
    }

    /// Whether one of the faults that come by themselves does now.
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
