import AppCore
import LifeCycleModel

/// A process of the virtual world: an `AppCore`, and code that follows a behavior profile or a script.
struct ScriptedApp: Hashable, Sendable {
    /// An action of the app's code, which the world performs.
    enum Act: Hashable, Sendable {
        case send(AppRequest)
        /// The main thread is busy for this long; then the world calls `mainThreadIsFree`.
        case busy(Nanoseconds)
        /// A queue of the app ends this task after a delay.
        case endTaskLater(TaskID, Nanoseconds)
        case exit(ExitStatus)
        /// The process has one more child from now on.
        case fork
        /// A fault of the behavior profile, which is only counted.
        case fault(Fault)
        /// The delegate is notified of a transfer's outcome.
        case receivedOutcome(TransferID, hasFile: Bool, isSecond: Bool)
        /// The app calls the completion handler of an event after a delay.
        case handleLater(OpenEvent, BackgroundFetchResult, Nanoseconds)
        /// The delegate returns after a delay from the notice of a task's outcome.
        case acknowledgeLater(SessionIdentifier, Int64, Nanoseconds)
        /// The app delays the beginning of a task, until a random time.
        case delayTask(SessionIdentifier, Int64)
        /// The app delays the beginning of a task by a duration from now.
        case delayTaskBy(SessionIdentifier, Int64, Nanoseconds)
        /// The app schedules a notification for a time relative to now.
        case scheduleIn(LocalNotification, Nanoseconds)
        /// The app makes a request after a delay.
        case sendLater(AppRequest, Nanoseconds)
        /// An entry for the chronicle, only from an app with a script.
        case note(AppNote)
    }

    let launch: LaunchID
    let profile: BehaviorProfile
    /// The script; nil if the app acts at random, by its behavior profile.
    let script: AppScript?
    /// The background modes that the app declares.
    let modes: [BackgroundMode]
    var core: AppCore
    /// The remaining steps, while the main thread is busy.
    var steps: [Step] = []
    var isHung = false
    /// The number of the user's inputs that the app has received.
    var deliveries = 0
    /// The script's remaining acts before the next step, and below them the call that the main thread is in.
    var deeds: [Deed] = []
    var frame: Frame?
    /// Whether the script keeps the main thread busy until `mainThreadIsFree`.
    var isOccupied = false
    /// The tasks that the script has begun, in order.
    var tasks: [BackgroundTask] = []
    var downloads = Downloads()
    /// The player of the app's sounds; nil before the first sound.
    var player: Player?
    var phone = Phone()
    var connections = Connections()

    init(
        launch: LaunchID, profile: BehaviorProfile, script: AppScript? = nil, modes: [BackgroundMode],
        context: LaunchContext
    ) {
        self.launch = launch
        self.profile = profile
        self.script = script
        self.modes = modes
        core = AppCore(context: context)
    }

    /// Whether the main thread is in a callback. An app connects only between callbacks.
    var isBusy: Bool { !steps.isEmpty || !deeds.isEmpty || isOccupied }

    /// Receives a message, which the main thread reads once it is free.
    mutating func receive(
        _ message: SystemMessage, at now: Nanoseconds, random: inout RandomSource, into acts: inout [Act]
    ) {
        let wasBusy = isBusy
        var new: [Step] = []
        core.receive(message, at: now, into: &new)
        steps.append(contentsOf: new)
        if !wasBusy { work(at: now, random: &random, into: &acts) }
    }

    /// Called when the time of `Act.busy` is over.
    mutating func mainThreadIsFree(at now: Nanoseconds, random: inout RandomSource, into acts: inout [Act]) {
        isOccupied = false
        work(at: now, random: &random, into: &acts)
    }

    /// A queue of the app ends a task.
    mutating func endTask(_ id: TaskID, into acts: inout [Act]) {
        if script != nil { return end(id, into: &acts) }
        var new: [Step] = []
        core.endTask(id, into: &new)
        sendOnly(new, into: &acts)
    }

    /// Runs steps until the main thread is busy or hangs, or until no step is left.
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
                if receive(news, of: session, random: &random, into: &acts) { return }
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
                if random.chance(profile.lies, in: 400) { acts += [.fault(.lie), .send(request)] }
            case .exit:
                acts.append(.exit(.exited(code: 0)))
                return
            }
        }
    }

    /// Runs a delegate method; true if the method does not return at once.
    private mutating func run(
        _ call: DelegateCall, at now: Nanoseconds, random: inout RandomSource, into acts: inout [Act]
    ) -> Bool {
        if profile.forks > 0, random.chance(profile.forks, in: 100) { acts += [.fault(.fork), .fork] }
        if random.chance(profile.crashes, in: 100) {
            acts += [.fault(.crash), .exit(.signaled(11))]
            isHung = true
            return true
        }
        if random.chance(profile.exits, in: 100) {
            acts += [.fault(.exit), .exit(.exited(code: Int32(random.below(3))))]
            isHung = true
            return true
        }
        useSessions(in: call, random: &random, into: &acts)
        useFetches(in: call, random: &random, into: &acts)
        useNotifications(at: now, random: &random, into: &acts)
        useLocation(random: &random, into: &acts)
        useAudio(in: call, at: now, random: &random, into: &acts)
        useCalls(in: call, random: &random, into: &acts)
        useSockets(random: &random, into: &acts)
        while random.chance(profile.begins, in: 200) { begin(at: now, random: &random, into: &acts) }
        if random.chance(profile.endsTwice, in: 100) {
            acts.append(.fault(.secondEnd))
            endTask(TaskID(Int64(random.below(4))), into: &acts)
            if random.chance(1, in: 3) { acts.append(.send(.endTask(TaskID(99)))) }
        }
        if random.chance(profile.lies, in: 100) {
            acts += [.fault(.lie), .send(.acknowledge(CallbackID(Int32(random.below(20))), open: []))]
        }
        if random.chance(profile.floods, in: 100) {
            acts.append(.fault(.flood))
            for _ in 0..<40 { acts.append(.send(.endTask(TaskID(98)))) }
        }
        if random.chance(profile.keepsScreenOn, in: 100) {
            var new: [Step] = []
            core.setIdleTimerDisabled(!core.isIdleTimerDisabled, into: &new)
            sendOnly(new, into: &acts)
        }
        if random.chance(profile.hangs, in: Self.isRare(call) ? 10 : 100) {
            acts.append(.fault(.hang))
            isHung = true
            return true
        }
        let dawdles = random.chance(profile.dawdles, in: 100)
        if dawdles { acts.append(.fault(.delay)) }
        let longest: Int64 = dawdles ? 12_000_000_000 : 300_000_000
        acts.append(.busy(Nanoseconds(1 + random.span(upTo: longest))))
        return true
    }

    /// Whether a call is so rare that it must hang more often than others to be explored.
    private static func isRare(_ call: DelegateCall) -> Bool {
        switch call {
        case .scene(.didDisconnect), .didDiscardSceneSessions, .concern(.transfer, _), .concern(.fetch, _),
            .concern(.location(.paused), _), .concern(.location(.resumed), _), .concern(.location(.crossed), _),
            .concern(.audio, _), .concern(.voip, _), .concern(.socket, _):
            true
        default: false
        }
    }

    private mutating func begin(at now: Nanoseconds, random: inout RandomSource, into acts: inout [Act]) {
        var new: [Step] = []
        let hasHandler = !random.chance(profile.omitsHandlers, in: 100)
        if !hasHandler { acts.append(.fault(.missingHandler)) }
        let id = core.beginTask(name: "work", hasHandler: hasHandler, at: now, into: &new)
        sendOnly(new, into: &acts)
        guard let id else { return }
        if random.chance(profile.forgets, in: 100) {
            acts.append(.fault(.forgottenTask))
        } else {
            acts.append(.endTaskLater(id, Nanoseconds(1 + random.span(upTo: 40_000_000_000))))
        }
    }

    /// Runs an expiration handler; true if the handler never returns.
    private mutating func expire(_ id: TaskID, random: inout RandomSource, into acts: inout [Act]) -> Bool {
        var new: [Step] = []
        let isCalled = core.takeExpiration(of: id, into: &new)
        if isCalled, random.chance(profile.hangs, in: 10) {
            acts.append(.fault(.hang))
            isHung = true
        }
        if isCalled, !isHung {
            if random.chance(profile.ignoresExpiry, in: 100) {
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
