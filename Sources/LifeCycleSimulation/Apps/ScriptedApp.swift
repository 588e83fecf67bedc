import AppCore
import LifeCycleModel

/// A process of the virtual world: `AppCore`, and code that behaves as its temper says.
struct ScriptedApp: Hashable, Sendable {
    /// What the app's code brings about, for the world to carry out.
    enum Act: Hashable, Sendable {
        case send(AppRequest)
        /// The main thread is busy for so long, then calls `mainThreadIsFree`.
        case busy(Nanoseconds)
        /// A queue of the app's ends this task after so long.
        case endTaskLater(TaskID, Nanoseconds)
        case exit(ExitStatus)
        /// A child of its process is there from now on.
        case fork
        /// It goes wrong, by its temper: only to be counted.
        case fault(Fault)
        /// It was told what became of a transfer.
        case told(TransferID, hasFile: Bool, isSecond: Bool)
        /// It calls the completion handler of an event after so long.
        case handleLater(OpenEvent, BackgroundFetchResult, Nanoseconds)
        /// Its delegate returns after so long from what it was told of a task.
        case acknowledgeLater(SessionIdentifier, Int64, Nanoseconds)
        /// It does not want a task to begin yet; chance says until when.
        case delayTask(SessionIdentifier, Int64)
        /// It does not want a task to begin before so long from now.
        case delayTaskBy(SessionIdentifier, Int64, Nanoseconds)
        /// It schedules a notification for so long from now.
        case scheduleIn(LocalNotification, Nanoseconds)
        /// Something to be told of it; only of one that has a script.
        case note(AppNote)
    }

    let launch: LaunchID
    let temper: Temper
    /// What it does exactly; nil where its temper leaves it to chance.
    let script: AppScript?
    var core: AppCore
    /// Steps not carried out yet: the main thread is busy before them.
    var steps: [Step] = []
    var isHung = false
    /// How many events of the user's have reached it.
    var deliveries = 0
    /// What the script still has to do before the next step, and what the main thread is in.
    var deeds: [Deed] = []
    var frame: Frame?
    /// Whether the main thread is busy, by the script, until `mainThreadIsFree`.
    var isOccupied = false
    /// The tasks it has begun by the script, in their order.
    var tasks: [BackgroundTask] = []
    var downloads = Downloads()

    init(launch: LaunchID, temper: Temper, script: AppScript? = nil, context: LaunchContext) {
        self.launch = launch
        self.temper = temper
        self.script = script
        core = AppCore(context: context)
    }

    /// Whether the main thread is in a callback: only between two does an app connect.
    var isBusy: Bool { !steps.isEmpty || !deeds.isEmpty || isOccupied }

    /// A message is read on the main thread, once that is free.
    mutating func receive(
        _ message: SystemMessage, at now: Nanoseconds, random: inout RandomSource, into acts: inout [Act]
    ) {
        let wasBusy = isBusy
        var new: [Step] = []
        core.receive(message, at: now, into: &new)
        steps.append(contentsOf: new)
        if !wasBusy { work(at: now, random: &random, into: &acts) }
    }

    /// The time of `Act.busy` is over.
    mutating func mainThreadIsFree(at now: Nanoseconds, random: inout RandomSource, into acts: inout [Act]) {
        isOccupied = false
        work(at: now, random: &random, into: &acts)
    }

    /// A queue of the app's ends a task.
    mutating func endTask(_ id: TaskID, into acts: inout [Act]) {
        if script != nil { return end(id, into: &acts) }
        var new: [Step] = []
        core.endTask(id, into: &new)
        sendOnly(new, into: &acts)
    }

    /// Carries out steps until the main thread is busy, hangs, or nothing is left.
    private mutating func work(at now: Nanoseconds, random: inout RandomSource, into acts: inout [Act]) {
        if let script { return workByScript(script, at: now, into: &acts) }
        while !isHung, !steps.isEmpty {
            let step = steps.removeFirst()
            switch step {
            case .call(let call):
                if run(call, at: now, random: &random, into: &acts) { return }
            case .post, .log:
                break
            case .transfer(let session, let news):
                if hear(news, of: session, random: &random, into: &acts) { return }
            case .deliver:
                deliveries += 1
            case .expire(let id):
                if expire(id, random: &random, into: &acts) { return }
            case .finish(let id):
                var new: [Step] = []
                core.callbackReturned(id, at: now, into: &new)
                steps.insert(contentsOf: new, at: 0)
            case .send(let request):
                acts.append(.send(request))
                if random.chance(temper.lies, in: 400) { acts += [.fault(.lie), .send(request)] }
            case .exit:
                acts.append(.exit(.exited(code: 0)))
                return
            }
        }
    }

    /// A delegate method; true if it does not return right away.
    private mutating func run(
        _ call: DelegateCall, at now: Nanoseconds, random: inout RandomSource, into acts: inout [Act]
    ) -> Bool {
        if temper.forks > 0, random.chance(temper.forks, in: 100) { acts += [.fault(.fork), .fork] }
        if random.chance(temper.crashes, in: 100) {
            acts += [.fault(.crash), .exit(.signaled(11))]
            isHung = true
            return true
        }
        if random.chance(temper.exits, in: 100) {
            acts += [.fault(.exit), .exit(.exited(code: Int32(random.below(3))))]
            isHung = true
            return true
        }
        useSessions(in: call, random: &random, into: &acts)
        useFetches(in: call, random: &random, into: &acts)
        useNotifications(at: now, random: &random, into: &acts)
        while random.chance(temper.begins, in: 200) { begin(at: now, random: &random, into: &acts) }
        if random.chance(temper.endsTwice, in: 100) {
            acts.append(.fault(.secondEnd))
            endTask(TaskID(Int64(random.below(4))), into: &acts)
            if random.chance(1, in: 3) { acts.append(.send(.endTask(TaskID(99)))) }
        }
        if random.chance(temper.lies, in: 100) {
            acts += [.fault(.lie), .send(.acknowledge(CallbackID(Int32(random.below(20))), open: []))]
        }
        if random.chance(temper.floods, in: 100) {
            acts.append(.fault(.flood))
            for _ in 0..<40 { acts.append(.send(.endTask(TaskID(98)))) }
        }
        if random.chance(temper.keepsScreenOn, in: 100) {
            var new: [Step] = []
            core.setIdleTimerDisabled(!core.isIdleTimerDisabled, into: &new)
            sendOnly(new, into: &acts)
        }
        if random.chance(temper.hangs, in: Self.isRare(call) ? 10 : 100) {
            acts.append(.fault(.hang))
            isHung = true
            return true
        }
        let dawdles = random.chance(temper.dawdles, in: 100)
        if dawdles { acts.append(.fault(.delay)) }
        let longest: Int64 = dawdles ? 12_000_000_000 : 300_000_000
        acts.append(.busy(Nanoseconds(1 + random.span(upTo: longest))))
        return true
    }

    /// Whether a call comes so seldom that it has to hang more often than others, for that to be explored.
    private static func isRare(_ call: DelegateCall) -> Bool {
        switch call {
        case .scene(.didDisconnect), .didDiscardSceneSessions, .concern(.transfer, _), .concern(.fetch, _): true
        default: false
        }
    }

    private mutating func begin(at now: Nanoseconds, random: inout RandomSource, into acts: inout [Act]) {
        var new: [Step] = []
        let hasHandler = !random.chance(temper.omitsHandlers, in: 100)
        if !hasHandler { acts.append(.fault(.missingHandler)) }
        let id = core.beginTask(name: "work", hasHandler: hasHandler, at: now, into: &new)
        sendOnly(new, into: &acts)
        guard let id else { return }
        if random.chance(temper.forgets, in: 100) {
            acts.append(.fault(.forgottenTask))
        } else {
            acts.append(.endTaskLater(id, Nanoseconds(1 + random.span(upTo: 40_000_000_000))))
        }
    }

    /// An expiration handler; true if it never returns.
    private mutating func expire(_ id: TaskID, random: inout RandomSource, into acts: inout [Act]) -> Bool {
        var new: [Step] = []
        let isCalled = core.takeExpiration(of: id, into: &new)
        if isCalled, random.chance(temper.hangs, in: 10) {
            acts.append(.fault(.hang))
            isHung = true
        }
        if isCalled, !isHung {
            if random.chance(temper.ignoresExpiry, in: 100) {
                acts.append(.fault(.ignoredExpiry))
            } else {
                core.endTask(id, into: &new)
            }
        }
        sendOnly(new, into: &acts)
        return isHung
    }

    func sendOnly(_ steps: [Step], into acts: inout [Act]) {
        for step in steps {
            if case .send(let request) = step { acts.append(.send(request)) }
        }
    }
}
