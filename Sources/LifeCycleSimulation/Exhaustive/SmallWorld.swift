import LifeCycleModel
import LifeCyclePolicy

/// A device with a few apps, in which only steps make something happen. There is no randomness and no latency, and the
/// clock advances from one deadline of the brain to the next. All checks run after each event.
struct SmallWorld: Sendable, VirtualBody {
    /// Late enough to distinguish readings of the clock from durations.
    private static let start = Moment.zero.advanced(by: Fingerprint.leastReading + .seconds(1))

    var core: BodyCore<Never>
    /// Sorted by launch; at most one of each app.
    var processes: [PlainProcess] = []
    var downloads = SmallDownloads()
    /// Called with each event and its effects.
    var observer: (@Sendable (Event, Moment, [Effect]) -> Void)?

    init(policy: Policy, manifests: [AppManifest]) {
        core = BodyCore(CheckedDevice(policy: policy), now: Self.start)
        for (index, manifest) in manifests.enumerated() {
            handle(.device(.appInstalled(AppID(Int32(index + 1)), manifest)))
        }
    }

    private var device: Device { core.device }
    /// The first violation; nil if there is none.
    var violation: Violation? { core.violation }

    // MARK: Steps

    /// Performs a step; false if the step is impossible in the current state.
    mutating func perform(_ searchStep: SearchStep) -> Bool {
        switch searchStep {
        case .open(let app): handle(.device(.appOpened(app)))
        case .home: handle(.device(.homePressed))
        case .quit(let app): handle(.device(.appForceQuit(app)))
        case .lock: handle(.device(.deviceLocked))
        case .unlock: handle(.device(.deviceUnlocked))
        case .interrupt: handle(.device(.interruptionBegan(.call)))
        case .dismiss: handle(.device(.interruptionDismissed))
        case .accept(let app): handle(.device(.interruptionAccepted(app)))
        case .wake(let app): handle(.device(.wakeOccurred(app, .locationMonitoring)))
        case .memoryLow: handle(.device(.memoryRanLow))
        case .memoryShort: handle(.device(.memoryRanShort))
        case .deadline:
            guard device.nextDeadline != nil else { return false }
            _ = step()
        case .restart: restart()
        case .concern(let app, let searchStep): return searchStep.perform(&self, app)
        case .connect(let app), .acknowledge(let app), .beginTask(let app), .endTask(let app), .exit(let app),
            .freeze(let app), .failToFreeze(let app):
            guard let index = processes.firstIndex(where: { $0.launch.app == app }) else { return false }
            return live(searchStep, index)
        }
        return true
    }

    /// A step of a process, or of the kernel on it.
    private mutating func live(_ searchStep: SearchStep, _ index: Int) -> Bool {
        let process = processes[index]
        switch searchStep {
        case .exit:
            if process.isFrozen, process.exit == nil { return false }
            processes.remove(at: index)
            handle(.process(process.launch, .exited(process.exit ?? .exited(code: 0))))
            return true
        case .freeze, .failToFreeze:
            guard let attempt = process.freezeAttempt else { return false }
            processes[index].freezeAttempt = nil
            if searchStep == .freeze(process.launch.app) {
                processes[index].isFrozen = true
                let size = Int64(process.launch.app.rawValue) << 20
                handle(.process(process.launch, .froze(attempt: attempt, footprint: size)))
            } else {
                handle(.process(process.launch, .freezeFailed(attempt: attempt, errno: 5)))
            }
            return true
        default:
            return process.isFrozen || process.exit != nil ? false : run(searchStep, index)
        }
    }

    /// A step by the code of a process.
    private mutating func run(_ searchStep: SearchStep, _ index: Int) -> Bool {
        let process = processes[index]
        switch searchStep {
        case .connect:
            if process.isAttached { return false }
            processes[index].isAttached = true
            if process.lastCallback == .none { handle(.process(process.launch, .started)) }
            if process.isAdopted { return true }
            handle(.app(process.launch, .attached(process.attachment)))
        case .acknowledge:
            guard let call = process.pending else { return false }
            processes[index].finish(call)
            handle(.app(process.launch, .requested(.acknowledge(call.id, open: process.open))))
        case .beginTask:
            guard process.open.isEmpty, process.isAttached else { return false }
            let task = BackgroundTask(id: TaskID(1), name: "work")
            processes[index].open = [task]
            if process.isInBackground { handle(.app(process.launch, .requested(.beginTask(task)))) }
        case .endTask:
            guard let task = process.open.first, process.isAttached else { return false }
            processes[index].open = []
            if process.isInBackground { handle(.app(process.launch, .requested(.endTask(task.id)))) }
        default:
            return false
        }
        return true
    }

    // MARK: The body

    func handled(_ event: Event, _ effects: [Effect]) { observer?(event, core.now, effects) }

    mutating func perform(_ effect: LaunchEffect, on launch: LaunchID) {
        switch effect {
        case .start, .prewarm:
            guard let manifest = device.snapshot(of: launch.app)?.record.manifest else { return }
            processes.append(PlainProcess(launch, of: manifest))
            processes.sort { $0.launch < $1.launch }
        case .send(.callback(_, .didBecomeActive)):
            becomesActive(launch)
            change(launch) { $0.perform(effect) }
        case .send(.concern(.transfer(_, let news))): downloads.receive(news, by: launch)
        case .send(.callback(_, .concern(.transfer(.handleEvents)))):
            downloads.isHandledPending = true
            change(launch) { $0.perform(effect) }
        case .send(.taskRefused(let task)): change(launch) { $0.open.removeAll { $0.id == task } }
        // An adopted app that is asked to exit exits in the step `exit`.
        case .requestExit: break
        case .send, .freeze, .thaw, .kill, .prioritize, .measureContainer: change(launch) { $0.perform(effect) }
        }
    }

    mutating func perform(_ output: ConcernOutput) { output.work.perform(in: &self) }

    /// No app is made active while another considers itself active. A transient activation of either does not count
    ///
    private mutating func becomesActive(_ launch: LaunchID) {
        let isActivationTransient = device.snapshot(of: launch.app)?.state != .active
        change(launch) { $0.isActivationTransient = isActivationTransient }
        if isActivationTransient { return }
        if let other = processes.first(where: {
            $0.launch != launch && $0.phase == .active && $0.exit == nil && !$0.isActivationTransient
        }) {
            core.fail("one app is active", "\(launch) is, and \(other.launch) thinks that it is")
        }
    }

    private mutating func change(_ launch: LaunchID, _ change: (inout PlainProcess) -> Void) {
        guard let index = processes.firstIndex(where: { $0.launch == launch }) else { return }
        change(&processes[index])
    }

    /// Pending messages between the system and the apps are lost. Stored records remain.
    private mutating func restart() {
        core.restart()
        downloads.systemRestarted()
        let launches = core.checked.disk.launches
        processes.removeAll { process in !launches.contains { $0.launch == process.launch } }
        reportLaunches()
    }

    mutating func find(_ launch: LaunchID) -> ProcessEvent {
        guard let index = processes.firstIndex(where: { $0.launch == launch }), processes[index].exit == nil else {
            processes.removeAll { $0.launch == launch }
            return .exited(.unknown)
        }
        processes[index].systemRestarted()
        return .found(isFrozen: processes[index].isFrozen)
    }

    // MARK: Sameness

    /// A fingerprint of the state. Two worlds with the same fingerprint react alike to everything that follows.
    var fingerprint: UInt64 {
        var places = device.snapshots.map(\.record.switcherPlace)
        places.sort()
        let lastLaunches = device.snapshots.map { (app: $0.record.app, number: $0.record.lastLaunch) }
        let fingerprint = Fingerprint(
            now: core.now.awake, lastLaunches: lastLaunches, places: places,
            pushes: device.remoteNotifications.map(\.id))
        fingerprint.add(device)
        fingerprint.add(core.checked.reference.model)
        fingerprint.add(processes)
        fingerprint.add(downloads)
        return fingerprint.value
    }
}

extension PlainProcess {
    /// Whether the app's code runs in the background. Only there does the app report its tasks at once.
    fileprivate var isInBackground: Bool {
        switch pending?.callback {
        case .launch(let reason): reason != .user
        case .didEnterBackground: true
        default: phase == .background
        }
    }
}
