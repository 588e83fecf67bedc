import LifeCycleModel
import LifeCyclePolicy

/// Numbers that depend on their seed alone.
struct Dice: RandomNumberGenerator {
    private var state: UInt64

    init(seed: Int) { state = UInt64(seed) &* 0x2545_F491_4F6C_DD1D }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}

/// A bench that does what dice say: people's wishes, apps that answer, hang, crash and lie, and time that passes.
struct RandomHistory {
    var bench: Bench
    /// The events so far, each with its time.
    private(set) var events: [(event: Event, at: Moment)] = []
    private var dice: Dice

    init(seed: Int) {
        dice = Dice(seed: seed)
        let policy = Policy.iOS26.with {
            $0.wakeCallsDidEnterBackground = seed % 2 == 0
            $0.forceQuitCallsWillTerminate = seed % 3 != 0
            $0.taskCap = seed % 5 == 0 ? 2 : 1000
        }
        bench = Bench(
            policy,
            [
                .sample(1, modes: [.location]), .sample(2, modes: [.location]),
                .sample(3, modes: [.location], exitsOnSuspend: true),
                .sample(4, modes: [.location], isAdopted: true),
            ])
    }

    mutating func step() {
        let number = Int32(1 + dice.below(4))
        let launches = bench.helpers.keys.sorted()
        switch dice.below(20) {
        case 0...2: handle(.appOpened(app(number)))
        case 3...4: handle(.homePressed)
        case 5: handle(.appForceQuit(app(number)))
        case 6: handle(.wakeOccurred(app(number), .location))
        case 7: handle(dice.below(2) == 0 ? .memoryRanShort : .wakeOccurred(app(number), .voip))
        case 8:
            let roll = dice.below(12)
            if roll == 0 { handle(.appUninstalled(app(number))) }
            if roll < 3, let manifest = bench.device.snapshot(of: app(number))?.record.manifest {
                handle(.appInstalled(app(number), manifest))
            }
        case 9: pass()
        default:
            guard !launches.isEmpty else { return }
            live(launches[dice.below(launches.count)])
        }
    }

    private mutating func pass() {
        guard let deadline = bench.device.nextDeadline else { return }
        bench.standsStill(max(.zero, deadline.at - bench.now.awake))
        handle(.deadlineReached)
    }

    /// Something of a launch's own.
    private mutating func live(_ launch: LaunchID) {
        guard let helper = bench.helpers[launch] else { return }
        let id = Int64(1 + dice.below(3))
        if let status = helper.exit {
            bench.helpers[launch] = nil
            return handle(.processExited(launch, status))
        }
        switch dice.below(24) {
        case 0: handle(.processExited(launch, .signaled(11)))
        case 1: handle(.appRequested(launch, .acknowledge(callback(Int32(dice.below(9))), open: [])))
        case 2: handle(.processFroze(launch, attempt: Int32(dice.below(3)), footprint: 5))
        case 3: handle(.freezeFailed(launch, attempt: Int32(dice.below(3)), errno: 5))
        case 4...6 where !helper.isFrozen:
            bench.helpers[launch]?.open = [task(id)]
            handle(.appRequested(launch, .beginTask(task(id))))
        case 7...8 where !helper.isFrozen:
            bench.helpers[launch]?.open.removeAll { $0.id == TaskID(id) }
            handle(.appRequested(launch, .endTask(TaskID(id))))
        default: answer(launch, helper)
        }
    }

    private mutating func answer(_ launch: LaunchID, _ helper: Bench.Helper) {
        if let attempt = helper.freezeAttempt {
            bench.helpers[launch]?.freezeAttempt = nil
            bench.helpers[launch]?.isFrozen = true
            handle(.processFroze(launch, attempt: attempt, footprint: Int64(dice.below(9))))
        } else if helper.isFrozen {
            return
        } else if helper.isStarting {
            bench.helpers[launch]?.isStarting = false
            handle(.processStarted(launch))
        } else if !helper.isAttached, launch.app != app(4) {
            bench.helpers[launch]?.isAttached = true
            handle(
                .appAttached(
                    launch, Attachment(lastCallback: helper.lastCallback, phase: helper.phase, open: helper.open)))
        } else if let pending = helper.pending {
            bench.finish(launch, pending)
            handle(.appRequested(launch, .acknowledge(pending.id, open: bench.helpers[launch]?.open ?? [])))
        }
    }

    private mutating func handle(_ event: Event) {
        events.append((event, bench.now))
        bench.handle(event)
    }
}
