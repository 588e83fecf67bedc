import LifeCycleModel
import LifeCyclePolicy

/// A device with a few apps, in which nothing happens but by a letter: no dice, no latency, and a clock that moves from
/// one deadline of the brain's to the next. All checks are made after each event.
struct SmallWorld: Sendable {
    /// A process: what it has done so far, and what it is asked for.
    struct Process: Hashable, Sendable, Encodable {
        struct Call: Hashable, Sendable, Encodable {
            let id: CallbackID
            let callback: Callback
        }

        let launch: LaunchID
        let isAdopted: Bool
        let usesScenes: Bool
        var isConnected = false
        var lastCallback = CallbackID.none
        var phase = AppPhase.starting
        var call: Call?
        var tasks: [BackgroundTask] = []
        var isSceneConnected = false
        /// Whether it was made active only to leave again at once, which is no matter to the next one.
        var isInPassing = false
        /// The freeze that the kernel has still to carry out.
        var freezeAsked: Int32?
        var isFrozen = false
        /// Whether it is dead, and that is still to be told.
        var isKilled = false

        /// Whether its code runs off the foreground: only there does it report its tasks at once.
        var isInBackground: Bool {
            switch call?.callback {
            case .launch(let reason): reason != .user
            case .didEnterBackground: true
            default: phase == .background
            }
        }
    }

    private var checked: CheckedDevice
    /// Late enough for readings of the clock to be told from lengths of time.
    private(set) var now = Moment.zero.advanced(by: Fingerprint.leastReading + .seconds(1))
    /// Sorted by launch: of each app one at most.
    private(set) var processes: [Process] = []
    /// What is seen from outside, beside the checks of the brain.
    private var seen: Violation?
    /// Called with each event and its effects.
    var observer: (@Sendable (Event, Moment, [Effect]) -> Void)?

    init(policy: Policy, manifests: [AppManifest]) {
        checked = CheckedDevice(policy: policy)
        for (index, manifest) in manifests.enumerated() {
            handle(.device(.appInstalled(AppID(Int32(index + 1)), manifest)))
        }
    }

    private var device: Device { checked.device }
    /// The first thing found wrong, if anything.
    var violation: Violation? { checked.violation ?? seen }

    // MARK: Letters

    /// Does what `letter` says; false where that is impossible as things are.
    mutating func perform(_ letter: Letter) -> Bool {
        switch letter {
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
            guard let deadline = device.nextDeadline else { return false }
            now = now.advanced(by: max(.zero, deadline.at - now.awake))
            handle(.deadlineReached)
        case .restart: restart()
        case .connect(let app), .acknowledge(let app), .beginTask(let app), .endTask(let app), .exit(let app),
            .freeze(let app), .failToFreeze(let app):
            guard let index = processes.firstIndex(where: { $0.launch.app == app }) else { return false }
            return live(letter, index)
        }
        return true
    }

    /// What a process does, or the kernel with it.
    private mutating func live(_ letter: Letter, _ index: Int) -> Bool {
        let process = processes[index]
        switch letter {
        case .exit:
            if process.isFrozen, !process.isKilled { return false }
            processes.remove(at: index)
            handle(.process(process.launch, .exited(process.isKilled ? .signaled(9) : .exited(code: 0))))
            return true
        case .freeze, .failToFreeze:
            guard let attempt = process.freezeAsked else { return false }
            processes[index].freezeAsked = nil
            if letter == .freeze(process.launch.app) {
                processes[index].isFrozen = true
                let size = Int64(process.launch.app.rawValue) << 20
                handle(.process(process.launch, .froze(attempt: attempt, footprint: size)))
            } else {
                handle(.process(process.launch, .freezeFailed(attempt: attempt, errno: 5)))
            }
            return true
        default:
            return process.isFrozen || process.isKilled ? false : run(letter, index)
        }
    }

    /// What the code of a process does.
    private mutating func run(_ letter: Letter, _ index: Int) -> Bool {
        let process = processes[index]
        switch letter {
        case .connect:
            if process.isConnected { return false }
            processes[index].isConnected = true
            if process.lastCallback == .none { handle(.process(process.launch, .started)) }
            if process.isAdopted { return true }
            handle(
                .app(
                    process.launch,
                    .attached(
                        Attachment(
                            lastCallback: process.lastCallback, phase: process.phase, open: process.tasks,
                            isSceneConnected: process.isSceneConnected))))
        case .acknowledge:
            guard let call = process.call else { return false }
            finish(call, index)
            handle(.app(process.launch, .requested(.acknowledge(call.id, open: process.tasks))))
        case .beginTask:
            guard process.tasks.isEmpty, process.isConnected else { return false }
            let task = BackgroundTask(id: TaskID(1), name: "work")
            processes[index].tasks = [task]
            if process.isInBackground { handle(.app(process.launch, .requested(.beginTask(task)))) }
        case .endTask:
            guard let task = process.tasks.first, process.isConnected else { return false }
            processes[index].tasks = []
            if process.isInBackground { handle(.app(process.launch, .requested(.endTask(task.id)))) }
        default:
            return false
        }
        return true
    }

    private mutating func finish(_ call: Process.Call, _ index: Int) {
        processes[index].call = nil
        processes[index].lastCallback = call.id
        switch call.callback {
        case .launch(let reason):
            processes[index].phase = reason == .user ? .rising : .background
            processes[index].isSceneConnected = processes[index].usesScenes && reason == .user
        case .willEnterForeground:
            processes[index].phase = .rising
            processes[index].isSceneConnected = processes[index].usesScenes
        case .didBecomeActive: processes[index].phase = .active
        case .willResignActive:
            processes[index].phase = .falling
            processes[index].isInPassing = false
        case .didEnterBackground: processes[index].phase = .background
        case .disconnectScene, .discardScenes: processes[index].isSceneConnected = false
        case .expireTasks, .deviceChanged, .memoryWarning, .concern, .willTerminate:
            break
        }
    }

    // MARK: The brain's turn

    private mutating func handle(_ event: Event) {
        guard violation == nil else { return }
        let effects = checked.handle(event, at: now)
        observer?(event, now, effects)
        for effect in effects { perform(effect) }
    }

    private mutating func fail(_ invariant: String, _ finding: String) {
        if violation == nil { seen = Violation(invariant: invariant, finding: finding, at: now.awake) }
    }

    private mutating func perform(_ effect: Effect) {
        switch effect {
        case .launch(let launch, let effect): perform(effect, on: launch)
        case .device, .concern, .store, .decided: break
        }
    }

    private mutating func perform(_ effect: LaunchEffect, on launch: LaunchID) {
        switch effect {
        case .start, .prewarm:
            guard let manifest = device.snapshot(of: launch.app)?.record.manifest else { return }
            processes.append(
                Process(
                    launch: launch, isAdopted: manifest.isAdopted,
                    usesScenes: manifest.usesScenes && !manifest.isAdopted))
            processes.sort { $0.launch < $1.launch }
        case .send(let message): receive(message, launch)
        case .freeze(let attempt): change(launch) { $0.freezeAsked = attempt }
        case .thaw:
            change(launch) {
                $0.freezeAsked = nil
                $0.isFrozen = false
            }
        case .kill: change(launch) { $0.isKilled = true }
        // An adopted app that is asked to exit does so by the letter for that.
        case .requestExit, .prioritize, .measureContainer: break
        }
    }

    private mutating func receive(_ message: SystemMessage, _ launch: LaunchID) {
        switch message {
        case .callback(let id, let callback):
            if callback == .didBecomeActive {
                checkActive(launch)
                let isInPassing = device.snapshot(of: launch.app)?.state != .active
                change(launch) { $0.isInPassing = isInPassing }
            }
            change(launch) { $0.call = Process.Call(id: id, callback: callback) }
        case .taskRefused(let task): change(launch) { $0.tasks.removeAll { $0.id == task } }
        case .backgroundTime, .device, .restoreIdentifiers, .input, .transfer, .notification: break
        }
    }

    /// Nobody is made active while another thinks itself so; in passing it is no matter, be it the one or the other.
    private mutating func checkActive(_ launch: LaunchID) {
        guard device.snapshot(of: launch.app)?.state == .active else { return }
        if let other = processes.first(where: {
            $0.launch != launch && $0.phase == .active && !$0.isKilled && !$0.isInPassing
        }) {
            fail("one app is active", "\(launch) is, and \(other.launch) thinks that it is")
        }
    }

    private mutating func change(_ launch: LaunchID, _ change: (inout Process) -> Void) {
        guard let index = processes.firstIndex(where: { $0.launch == launch }) else { return }
        change(&processes[index])
    }

    /// What was under way between the system and the apps is lost, what was stored is not.
    private mutating func restart() {
        checked.restart()
        let disk = checked.disk
        processes.removeAll { process in !disk.launches.contains { $0.launch == process.launch } }
        for launch in disk.launches.map(\.launch).sorted() {
            guard let index = processes.firstIndex(where: { $0.launch == launch }), !processes[index].isKilled else {
                processes.removeAll { $0.launch == launch }
                handle(.process(launch, .exited(.unknown)))
                continue
            }
            processes[index].isConnected = processes[index].isAdopted
            processes[index].call = nil
            processes[index].freezeAsked = nil
            handle(.process(launch, .found(isFrozen: processes[index].isFrozen)))
        }
    }

    // MARK: Sameness

    /// Two worlds with one fingerprint go on alike, whatever happens to them.
    var fingerprint: UInt64 {
        var places = device.snapshots.map(\.record.switcherPlace)
        places.sort()
        let lastLaunches = device.snapshots.map { (app: $0.record.app, number: $0.record.lastLaunch) }
        let fingerprint = Fingerprint(now: now.awake, lastLaunches: lastLaunches, places: places)
        fingerprint.add(device)
        fingerprint.add(checked.reference.model)
        fingerprint.add(processes)
        return fingerprint.value
    }
}
