import LifeCycleModel

/// One app's way through the five states: which callback it is sent next, and when it is over.
///
/// One callback at a time. What the user wants meanwhile is kept as the newest target, not as a queue.
/// ```
///   notRunning ──launch──▶ running ──kill, or willTerminate has returned──▶ ending ──exited──▶ notRunning
///                            ▲                                                ▲
///   (system's restart)──▶ recovering ──attached──┘  ──────────kill────────────┘
/// ```
/// Within `running` the phases are those of `AppPhase`:
/// ```
///   starting ─launch─▶ rising ─didBecomeActive─▶ active ─willResignActive─▶ falling ─didEnterBackground─▶ background
///                        ▲                         ▲───────didBecomeActive────┘                             │
///                        └──────────────────────────willEnterForeground─────────────────────────────────────┘
/// ```
struct LifeCycle: Hashable, Sendable, Codable {
    /// A `Run` and an `Ending` are large, and asked far more often than changed: they are boxed, so that a look at them
    /// does not copy them.
    enum State: Hashable, Sendable, Codable {
        case notRunning
        case running(Boxed<Run>)
        /// Under way when the system's restart cut it off; not heard from yet.
        /// `until` is when it has to have been: set once it runs, for a frozen one may take its time.
        case recovering(Boxed<Run>, until: Nanoseconds?)
        case ending(Boxed<Ending>)
    }

    /// A launch under way.
    struct Run: Hashable, Sendable, Codable {
        let launch: LaunchID
        var reason: LaunchReason
        let isAdopted: Bool
        let exitsOnSuspend: Bool
        var phase = AppPhase.starting
        /// The callback that was sent and has not returned.
        var pending: PendingCallback?
        var nextCallback = CallbackID(1)
        /// The target: in front or not.
        var wantsFront: Bool
        /// Asked to become active; another app has to leave first.
        var awaitsActivation = false
        /// On its way up only to leave again, while another app is active: it hears the callbacks of its rise,
        /// and to the world it is inactive.
        var isPassing = false
        /// A background launch or a wake calls `didEnterBackground`.
        var owesEnterBackground = false
        /// An event without a completion handler is to be delivered: its slice of time begins then. Never
        /// set while it is wanted in front, where no slice is needed.
        var owesSlice = false
        var owesExpiry = false
        /// To be ended with `willTerminate`, once the callback under way has returned.
        var termination: TerminationReason?
        /// The user opened it again while it was being ended.
        var reopens = false
        /// Something takes the user's attention from it: it is in front, and not active (T06).
        var isInterrupted = false
        /// Whether it has the life cycle of scenes, and whether its scene is connected (T25).
        var usesScenes = false
        var isSceneConnected = false
        var isIdleTimerDisabled = false
        var prewarming = Prewarming.none
        /// Of the Bluetooth managers it is launched for, until it has launched.
        var restoreIdentifiers: [String] = []
        @Boxed var owed = Owed()
    }

    /// An app that was started early is not running, to the world, until it is launched (T28).
    enum Prewarming: Hashable, Sendable, Codable { case none, starting, waiting }

    /// What it is to hear besides its transitions, the newest of each kind only.
    struct Owed: Hashable, Sendable, Codable {
        /// The device as the app last heard of it; nil before it has heard anything.
        var told: DeviceFacts?
        /// The device as it is, where the app has not heard of it.
        var news: DeviceFacts?
        var memoryWarning = false
        var sceneDisconnection = false
        var discardedScenes: SceneSessionRange = []
        /// The calls of concerns that it has not been sent yet, oldest first.
        var calls: [OwedCall] = []
    }

    /// A call of a concern that an app has not been sent yet.
    struct OwedCall: Hashable, Sendable, Codable {
        let call: ConcernCall
        let delivery: Delivery
    }

    /// When an app is sent a call of a concern.
    enum Delivery: Hashable, Sendable, Codable {
        /// As soon as no other callback is under way. An app that is suspended is woken for it.
        case atOnce
        /// When it next runs: an app that is suspended is not woken for it.
        case whenItRuns
        /// While it is in the foreground. When it leaves the foreground before, the call is dropped, or is sent at once.
        case inForeground(elseAtOnce: Bool)
        /// On its way to the foreground, before it is active.
        case onTheWayToForeground
    }

    struct PendingCallback: Hashable, Sendable, Codable {
        let id: CallbackID
        let callback: Callback
    }

    struct Ending: Hashable, Sendable, Codable {
        let launch: LaunchID
        let launchReason: LaunchReason
        let isAdopted: Bool
        var reason: TerminationReason
        var isKilled: Bool
        var reopens: Bool
        /// Whether it was never launched, only its process started.
        var wasPrewarmed = false
    }

    var state = State.notRunning

    /// The launch there is, whatever has become of it.
    var launch: LaunchID? {
        switch state {
        case .notRunning: nil
        case .running(let run), .recovering(let run, _): run.launch
        case .ending(let ending): ending.launch
        }
    }

    /// Why the launch there is was begun.
    var launchReason: LaunchReason? {
        switch state {
        case .notRunning: nil
        case .running(let run), .recovering(let run, _): run.reason
        case .ending(let ending): ending.launchReason
        }
    }

    /// Whether the launch may still be told things: requests of one that is ending mean nothing.
    var isLive: Bool {
        switch state {
        case .running, .recovering: true
        case .notRunning, .ending: false
        }
    }

    /// Whether the launch is that of an app nobody answers for; its manifest may have changed since.
    var isAdopted: Bool {
        switch state {
        case .running(let run), .recovering(let run, _): run.isAdopted
        case .ending(let ending): ending.isAdopted
        case .notRunning: false
        }
    }

    /// Whether it completes its rise while another app is active.
    var isPassing: Bool {
        if case .running(let run) = state { run.isPassing } else { false }
    }

    var isRecovering: Bool {
        if case .recovering = state { true } else { false }
    }

    var isEnding: Bool {
        switch state {
        case .notRunning: false
        case .running(let run), .recovering(let run, _): run.termination != nil
        case .ending: true
        }
    }

    /// Whether a kill is on its way: nothing the launch can do matters any more.
    var isKilled: Bool {
        if case .ending(let ending) = state { ending.isKilled } else { false }
    }

    /// The state the world sees, the app being frozen or not; nil where it stays what it was, `published`.
    func publicState(isFrozen: Bool, published: AppState) -> AppState? {
        switch state {
        case .notRunning: .notRunning
        case .ending: nil
        case .recovering: isFrozen ? .suspended : published == .suspended ? .background : nil
        case .running(let run) where run.prewarming != .none: .notRunning
        case .running(let run):
            switch (run.phase, run.pending?.callback) {
            case (.starting, _): run.reason == .user ? .inactive : .background
            case (_, .didBecomeActive), (.active, _): run.isPassing ? .inactive : .active
            case (_, .didEnterBackground): .background
            case (.rising, _), (.falling, _): .inactive
            case (.background, _): isFrozen ? .suspended : .background
            }
        }
    }

    /// What is kept of the launch for the system's restart; nil where there is none.
    func record(isFrozen: Bool) -> LaunchRecord? {
        switch state {
        case .notRunning: nil
        // After the system's restart nobody misses it.
        case .running(let run) where run.prewarming != .none: nil
        // But that the app is to be removed with it must not be forgotten.
        case .ending(let ending) where ending.wasPrewarmed && ending.reason != .uninstalled: nil
        case .running(let run), .recovering(let run, _):
            LaunchRecord(
                launch: run.launch, reason: run.reason, isInFront: run.wantsFront, mayBeActive: Self.mayBeActive(run),
                isSuspended: isFrozen, ending: run.termination)
        case .ending(let ending):
            LaunchRecord(
                launch: ending.launch, reason: ending.launchReason, isInFront: false, isSuspended: isFrozen,
                ending: ending.reason)
        }
    }

    /// From the word that it is active until it has heard the opposite; one that hears both in passing, too.
    static func mayBeActive(_ run: Boxed<Run>) -> Bool {
        run.phase == .active || run.pending?.callback == .didBecomeActive
    }

    /// What the life cycle itself keeps the app from being suspended for.
    var holds: Assertions.LifeCycleHolds {
        switch state {
        case .notRunning: []
        case .recovering(_, let until): until == nil ? [] : .reconnection
        case .ending(let ending): ending.isKilled ? [] : .termination
        case .running(let run): Self.holds(run)
        }
    }

    private static func holds(_ run: Boxed<Run>) -> Assertions.LifeCycleHolds {
        switch run.prewarming {
        case .none: break
        case .starting: return .callback
        case .waiting: return []
        }
        var held: Assertions.LifeCycleHolds = []
        if run.phase != .background || run.wantsFront { held.insert(.foreground) }
        if run.reason != .user, run.phase == .starting { held.remove(.foreground) }
        if run.pending != nil { held.insert(.callback) }
        if run.termination != nil { held.insert(.termination) }
        return held
    }

    // MARK: The launch's beginning

    /// A new process for `reason`; the caller has seen to it that there is none.
    mutating func begin(_ run: Run, into signals: inout [Signal]) {
        var run = run
        signals.append(.launchBegan(run.launch, run.reason))
        if run.reason != .user { signals.append(.enteredBackground) }
        send(.launch(run.reason), to: &run, into: &signals)
        state = .running(Boxed(wrappedValue: run))
    }

    /// The process runs. An adopted app has nobody who could answer the launch callback: it counts as answered.
    mutating func processStarted(into signals: inout [Signal]) {
        guard case .running(var run) = state, run.isAdopted, run.phase == .starting else { return }
        if run.reason != .user { signals.append(.sliceOfTimeDue(.adopted)) }
        callbackReturned(&run.wrappedValue, into: &signals)
        state = .running(run)
        advance(into: &signals)
    }

    // MARK: The user's and the system's wishes

    /// The user opened it.
    mutating func open(policy: Policy, at now: Nanoseconds, into signals: inout [Signal]) {
        switch state {
        case .notRunning:
            return
        case .running(var run):
            if run.termination != nil { run.reopens = true } else { run.wantsFront = true }
            run.owesSlice = run.owesSlice && !run.wantsFront
            state = .running(run)
            advance(into: &signals)
        case .recovering(var run, let until):
            run.wantsFront = true
            run.owesSlice = false
            state = .recovering(run, until: until)
            awaitReconnection(policy: policy, at: now, into: &signals)
        case .ending(var ending):
            ending.reopens = true
            state = .ending(ending)
        }
    }

    /// The user went elsewhere.
    mutating func leaveFront(into signals: inout [Signal]) {
        switch state {
        case .notRunning:
            return
        case .running(var run):
            run.wantsFront = false
            run.reopens = false
            state = .running(run)
            advance(into: &signals)
        case .recovering(var run, let until):
            run.wantsFront = false
            state = .recovering(run, until: until)
        case .ending(var ending):
            ending.reopens = false
            state = .ending(ending)
        }
    }

    /// Something it may be woken for happened, and the wake is admitted. An event with a completion handler is handed
    /// over by itself; any other has a slice of time once it is delivered, also where the app runs already.
    mutating func wake(
        isSuspended: Bool, hasHandler: Bool, policy: Policy, at now: Nanoseconds, into signals: inout [Signal]
    ) {
        switch state {
        case .notRunning, .ending:
            return
        case .running(let run) where run.isAdopted:
            if run.phase == .background { signals.append(.sliceOfTimeDue(.adopted)) }
        case .running(var run):
            if isSuspended, policy.wakeCallsDidEnterBackground { run.owesEnterBackground = true }
            if !hasHandler, !run.wantsFront { run.owesSlice = true }
            state = .running(run)
            // One that is suspended is thawed by what it is woken for, and hears that first; it follows at once.
            if !hasHandler || !isSuspended || run.owesEnterBackground { advance(into: &signals) }
        case .recovering(var run, let until):
            if isSuspended, policy.wakeCallsDidEnterBackground { run.owesEnterBackground = true }
            if !hasHandler, !run.wantsFront { run.owesSlice = true }
            state = .recovering(run, until: until)
            if isSuspended { awaitReconnection(policy: policy, at: now, into: &signals) }
        }
    }

    /// Background time is nearly up: the expiration handlers are next.
    mutating func expiryDue(into signals: inout [Signal]) {
        guard case .running(var run) = state else { return }
        run.owesExpiry = true
        state = .running(run)
        advance(into: &signals)
    }

    /// No other app is active: this one may be. A turn that is not wanted any more is given back.
    mutating func activationGranted(into signals: inout [Signal]) {
        guard case .running(var run) = state, run.awaitsActivation else {
            signals.append(.activationReleased)
            return
        }
        run.awaitsActivation = false
        send(.didBecomeActive, to: &run.wrappedValue, into: &signals)
        state = .running(run)
        if run.isAdopted { answerForAdopted(into: &signals) }
    }

    /// Another app is active. One that is to leave again does not wait for that: it completes its rise in passing.
    mutating func activationDenied(into signals: inout [Signal]) {
        guard case .running(var run) = state, run.awaitsActivation, run.phase == .rising, !run.wantsFront else {
            return
        }
        run.awaitsActivation = false
        run.isPassing = true
        signals.append(.activationReleased)
        send(.didBecomeActive, to: &run.wrappedValue, into: &signals)
        state = .running(run)
        if run.isAdopted { answerForAdopted(into: &signals) }
    }

    // MARK: The app's answers

    /// Whether `id` is the callback under way; only then may an acknowledgement be taken.
    func awaits(_ id: CallbackID) -> Bool {
        guard case .running(let run) = state else { return false }
        return run.pending?.id == id
    }

    /// The callback under way has returned.
    mutating func acknowledged(into signals: inout [Signal]) {
        guard case .running(var run) = state, let pending = run.pending,
            rely(on: pending.id < run.nextCallback, else: .callbackOutOfTurn, into: &signals)
        else { return }
        if pending.callback == .willTerminate {
            exitExpected(into: &signals)
            return
        }
        state = .notRunning
        signals.reserveCapacity(8)
        callbackReturned(&run.wrappedValue, into: &signals)
        state = .running(consume run)
        advance(into: &signals)
    }

    /// An app that is no news connected again: whether the callback under way turns out to be answered already.
    func isAnswered(by attachment: Attachment) -> Bool {
        guard case .running(let run) = state, let pending = run.pending else { return false }
        return attachment.lastCallback >= pending.id
    }

    /// What a new connection is to be told first: the callback under way.
    func repeatPending(into effects: inout [Effect]) {
        guard case .running(let run) = state, let pending = run.pending else { return }
        effects.append(.launch(run.launch, .send(.callback(pending.id, pending.callback))))
    }
}
