import LifeCycleModel
import LifeCyclePolicy

@testable import LifeCycleSimulation

/// A generator of numbers that depend on its seed alone.
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

/// A bench with random events. The user acts, apps answer, hang, crash and send false messages, and time passes.
struct RandomHistory {
    var bench: Bench
    /// The events so far, each with its time.
    private(set) var events: [(event: Event, at: Moment)] = []
    private var dice: Dice

    init(seed: Int) {
        dice = Dice(seed: seed)
        let policy = Policy.iOS26.with {
            $0.wakeCallsDidEnterBackground = seed % 2 == 0
            $0.launchCallsDidEnterBackground = seed % 7 != 0
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
        switch dice.below(26) {
        case 0...2: handle(.device(.appOpened(app(number))))
        case 3...4: handle(.device(.homePressed))
        case 5: handle(.device(.appForceQuit(app(number))))
        case 6: handle(.device(.wakeOccurred(app(number), .locationMonitoring)))
        case 7: handle(dice.below(2) == 0 ? .device(.memoryRanShort) : .device(.wakeOccurred(app(number), .voip)))
        case 8:
            let roll = dice.below(12)
            if roll == 0 { handle(.device(.appUninstalled(app(number)))) }
            if roll < 3, let manifest = bench.device.snapshot(of: app(number))?.record.manifest {
                handle(.device(.appInstalled(app(number), manifest)))
            }
        case 9: pass()
        case 20...23: actOnTransfer()
        case 24: handle(.device(.settingChanged(Self.settings[dice.below(Self.settings.count)])))
        default:
            guard !launches.isEmpty else { return }
            live(launches[dice.below(launches.count)])
        }
    }

    private mutating func pass() {
        guard let deadline = bench.device.nextDeadline else { return }
        bench.stallLoop(max(.zero, deadline.at - bench.now.awake))
        handle(.deadlineReached)
    }

    /// Handles a random event of a launch: an exit, a message, or the result of a freeze.
    private mutating func live(_ launch: LaunchID) {
        guard let helper = bench.helpers[launch] else { return }
        let id = Int64(1 + dice.below(3))
        if let status = helper.exit {
            bench.helpers[launch] = nil
            return handle(.process(launch, .exited(status)))
        }
        switch dice.below(34) {
        case 24...33 where !helper.isFrozen: download(launch)
        case 0: handle(.process(launch, .exited(.signaled(11))))
        case 1: handle(.app(launch, .requested(.acknowledge(callback(Int32(dice.below(9))), open: []))))
        case 2: handle(.process(launch, .froze(attempt: Int32(dice.below(3)), footprint: 5)))
        case 3: handle(.process(launch, .freezeFailed(attempt: Int32(dice.below(3)), errno: 5)))
        case 4...6 where !helper.isFrozen:
            bench.helpers[launch]?.open = [task(id)]
            handle(.app(launch, .requested(.beginTask(task(id)))))
        case 7...8 where !helper.isFrozen:
            bench.helpers[launch]?.open.removeAll { $0.id == TaskID(id) }
            handle(.app(launch, .requested(.endTask(TaskID(id)))))
        default: if let event = bench.helpers[launch]?.goOn() { handle(event) }
        }
    }

    private static let settings: [DeviceSetting] = [
        .network(.none), .network(.wifi), .network(.cellular), .lowPowerMode(true), .lowPowerMode(false),
        .power(.battery), .power(.external), .batteryLevel(10), .batteryLevel(90), .backgroundRefresh(false),
        .backgroundRefresh(true), .metered(true), .metered(false), .lowDataMode(true), .lowDataMode(false),
    ]

    /// Handles a random action on a background session.
    private mutating func download(_ launch: LaunchID) {
        let number = Int64(1 + dice.below(6))
        let name = dice.below(3) == 0 ? "one" : "two"
        var configuration = TransferSessionConfiguration()
        configuration.isDiscretionary = dice.below(4) == 0
        configuration.connectionsPerHost = Int32(1 + dice.below(3))
        configuration.sendsLaunchEvents = dice.below(5) > 0
        if dice.below(3) == 0 { configuration.resourceTimeout = seconds(Int64(1 + dice.below(2000))) }
        var request = TransferRequest(url: dice.below(9) == 0 ? "ftp://a/" : "https://host\(dice.below(3))/\(number)")
        request.networks.cellular = dice.below(3) > 0
        request.networks.expensive = dice.below(4) > 0
        request.networks.constrained = dice.below(4) > 0
        let acts: [TransferAct] = [
            .open(configuration), .open(configuration),
            .make(NewTransfer(number: number, request: request, resumes: transfer(1 + number % 3))),
            .make(NewTransfer(number: number, request: request)), .resume(number), .resume(number), .resume(number),
            .suspend(number), .cancel(number, keepsPartial: dice.below(2) == 0), .setPriority(number, 900),
            .setEarliestBegin(number, bench.now.wall + seconds(Int64(dice.below(100)))),
            .proceed(number, .continueLoading), .list(after: 0), .acknowledge([number]),
            .acknowledge([1, 2, 3, 4, 5, 6]),
            .finishTasksAndInvalidate, .invalidateAndCancel, .handled,
        ]
        // The last three actions end many tasks, so they are rare.
        let index = dice.below(acts.count - (dice.below(4) == 0 ? 0 : 3))
        handle(.app(launch, .requested(.concern(.transfer(named(name), acts[index])))))
    }

    /// Handles a random report of the engine, or a user action on a transfer.
    private mutating func actOnTransfer() {
        let all = bench.device.transferSnapshots
        guard !all.isEmpty else { return }
        let one = all[dice.below(all.count)]
        if one.state == .moving {
            return handle(.concern(.transfer(.reported(.moved(one.id, errno: [nil, nil, 28, 13][dice.below(4)])))))
        }
        if dice.below(12) == 0 {
            return handle(.concern(.transfer(.userAction(one.id, TransferUserAction.allCases[dice.below(4)]))))
        }
        let attempt = (one.attempt ?? 0) + (dice.below(20) == 0 ? 1 : 0)
        let partial =
            dice.below(3) == 0 ? nil : checkpoint(Int64(dice.below(1000)), validator: dice.below(4) == 0 ? nil : "v")
        let reports: [TransferReport] = [
            .responded(one.id, attempt: attempt, offset: Int64(dice.below(500)), expected: nil),
            .progressed(one.id, attempt: attempt, received: 9, expected: nil),
            .checkpointed(one.id, attempt: attempt, checkpoint(Int64(dice.below(1000)))),
            .completed(one.id, attempt: attempt, response, size: 9), .stopped(one.id, attempt: attempt, partial),
            .failed(one.id, attempt: attempt, transientProblem(partial)),
            .failed(
                one.id, attempt: attempt,
                TransferProblem(code: -1202, reason: "bad", isRetryable: false, checkpoint: partial)),
        ]
        handle(.concern(.transfer(.reported(reports[dice.below(reports.count)]))))
    }

    private mutating func handle(_ event: Event) {
        events.append((event, bench.now))
        bench.handle(event)
    }
}
