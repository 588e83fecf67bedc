import LifeCycleModel

/// The state machine of one app's life cycle: the next callback, and the end of the launch.
///
/// The app has one callback at a time. A new request of the user replaces the target, and is not queued.
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
    /// A `Run` and an `Ending` are large, and are read far more often than changed. Both are boxed, so that reading one
    /// member does not copy them.
    enum State: Hashable, Sendable, Codable {
        case notRunning
        case running(Boxed<Run>)
        /// Under way when the system was restarted; the app has not connected again. `until` is the deadline for that.
        /// It is set once the app runs, because a frozen app cannot connect.
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
        /// The target: the foreground, or the background.
        var wantsFront: Bool
        /// Whether the app waits for activation, because another app has to leave first.
        var awaitsActivation = false
        /// Whether the activation is transient: the app completes its rise only to leave again, while another app is
        /// active. Its published state is inactive.
        var isActivationTransient = false
        /// Whether a background launch or a wake still has to call `didEnterBackground`.
        var isEnterBackgroundPending = false
        /// Whether an event without a completion handler is to be delivered. Its slice of time begins then (R-127,
        /// Never set if the target is the foreground, where no slice is needed.
        var isSlicePending = false
        var isExpiryPending = false
        /// The reason to end the app with `willTerminate`, once the callback under way has returned.
        var termination: TerminationReason?
        /// Whether the user opened the app again while it was being ended.
        var reopens = false
        /// Whether the app is interrupted: it is in the foreground, and not active (T06).
        var isInterrupted = false
        /// Whether the app has scenes, and whether its scene is connected (T25).
        var usesScenes = false
        var isSceneConnected = false
        var isIdleTimerDisabled = false
        var prewarming = Prewarming.none
        /// The restore identifiers of the app's Bluetooth managers, until the launch callback has returned.
        var restoreIdentifiers: [String] = []
        @Boxed var pendingMessages = PendingMessages()
    }

    /// The progress of prewarming. Until the app is launched, its published state is not running (T28).
    enum Prewarming: Hashable, Sendable, Codable { case none, starting, waiting }

    /// The pending messages that are not transitions. Except for the calls, only the newest of each kind is pending.
    struct PendingMessages: Hashable, Sendable, Codable {
        /// The device facts that the app last received; nil before the first.
        var knownFacts: DeviceFacts?
        /// The present device facts, if the app has not received them yet; otherwise nil.
        var newFacts: DeviceFacts?
        var memoryWarning = false
        var sceneDisconnection = false
        var discardedScenes: SceneSessionRange = []
        /// The calls of concerns that have not been sent yet, oldest first.
        var calls: [PendingCall] = []
    }

    /// A call of a concern that has not been sent yet.
    struct PendingCall: Hashable, Sendable, Codable {
        let call: ConcernCall
        let delivery: Delivery
    }

    /// The time at which a call of a concern is sent.
    enum Delivery: Hashable, Sendable, Codable {
        /// As soon as no other callback is under way. A suspended app is woken for the call.
        case atOnce
        /// When the app next runs. A suspended app is not woken for the call.
        case whenItRuns
        /// While the app is in the foreground. If it leaves the foreground first, the call is dropped or sent at once.
        case inForeground(elseAtOnce: Bool)
        /// On the app's way to the foreground, before the app is active.
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
        /// Whether the process was prewarmed and the app never launched.
        var wasPrewarmed = false
    }

    var state = State.notRunning

    /// The present launch in any state; nil if there is none.
    ///
    /// Here and below, a case of its own for each state reads the run in place; one case for two states would retain it.
    var launch: LaunchID? {
        switch state {
        case .notRunning: nil
        case .running(let run): run.launch
        case .recovering(let run, _): run.launch
        case .ending(let ending): ending.launch
        }
    }

    /// The reason of the present launch; nil if there is none.
    var launchReason: LaunchReason? {
        switch state {
        case .notRunning: nil
        case .running(let run), .recovering(let run, _): run.reason
        case .ending(let ending): ending.launchReason
        }
    }

    /// Whether the launch may still be sent messages. Requests of a launch that is ending have no effect.
    var isLive: Bool {
        switch state {
        case .running, .recovering: true
        case .notRunning, .ending: false
        }
    }

    /// Whether the launch is that of an adopted app. The app's manifest may have changed since.
    var isAdopted: Bool {
        switch state {
        case .running(let run), .recovering(let run, _): run.isAdopted
        case .ending(let ending): ending.isAdopted
        case .notRunning: false
        }
    }

    /// Whether the app completes its rise while another app is active.
    var isActivationTransient: Bool {
        if case .running(let run) = state { run.isActivationTransient } else { false }
    }

    var isRecovering: Bool {
        if case .recovering = state { true } else { false }
    }

    var isEnding: Bool {
        switch state {
        case .notRunning: false
        case .running(let run): run.termination != nil
        case .recovering(let run, _): run.termination != nil
        case .ending: true
        }
    }

    /// Whether a kill is under way, so that nothing the app does matters any more.
    var isKilled: Bool {
        if case .ending(let ending) = state { ending.isKilled } else { false }
    }

    /// The state to publish; nil if the state stays `published`.
    func publicState(isFrozen: Bool, published: AppState) -> AppState? {
        switch state {
        case .notRunning: .notRunning
        case .ending: nil
        case .recovering: isFrozen ? .suspended : published == .suspended ? .background : nil
        case .running(let run) where run.prewarming != .none: .notRunning
        case .running(let run):
            switch (run.phase, run.pending?.callback) {
            case (.starting, _): run.reason == .user ? .inactive : .background
            case (_, .didBecomeActive), (.active, _): run.isActivationTransient ? .inactive : .active
            case (_, .didEnterBackground): .background
            case (.rising, _), (.falling, _): .inactive
            case (.background, _): isFrozen ? .suspended : .background
            }
        }
    }

    /// The record of the launch for a restart of the system; nil if there is none.
    func record(isFrozen: Bool) -> LaunchRecord? {
        switch state {
        case .notRunning: nil
        // A prewarmed process is not needed after a restart.
        case .running(let run) where run.prewarming != .none: nil
        // A pending uninstallation must be recorded.
        case .ending(let ending) where ending.wasPrewarmed && ending.reason != .uninstalled: nil
        case .running(let run): Self.record(of: run, isFrozen: isFrozen)
        case .recovering(let run, _): Self.record(of: run, isFrozen: isFrozen)
        case .ending(let ending):
            LaunchRecord(
                launch: ending.launch, reason: ending.launchReason, isInForeground: false, isSuspended: isFrozen,
                ending: ending.reason, isAdopted: ending.isAdopted)
        }
    }

    private static func record(of run: Boxed<Run>, isFrozen: Bool) -> LaunchRecord {
        LaunchRecord(
            launch: run.launch, reason: run.reason, isInForeground: run.wantsFront, mayBeActive: mayBeActive(run),
            isSuspended: isFrozen, ending: run.termination, isAdopted: run.isAdopted)
    }

    /// Whether the app may take itself for active: from `didBecomeActive` until it has returned from
    /// `willResignActive`. A transient activation counts too.
    static func mayBeActive(_ run: Boxed<Run>) -> Bool {
        if run.phase == .active { return true }
        if case .didBecomeActive? = run.pending?.callback { return true }
        return false
    }

    /// The life cycle's own reasons not to suspend the app.
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

    /// Changes the running launch in place: while `state` has the run as well, each change would copy it. Returns the
    /// result of `change`; nil if no launch is running.
    @inline(__always) @discardableResult
    mutating func changeRun<Result>(_ change: (inout Run) -> Result) -> Result? {
        guard case .running(var run) = state else { return nil }
        state = .notRunning
        let result = change(&run.wrappedValue)
        state = .running(consume run)
        return result
    }

    // MARK: The launch's beginning

    /// Begins a launch with a new process. The caller makes sure that the app has no process.
    mutating func begin(_ run: Run, into signals: inout [Signal]) {
        var run = run
        signals.append(.launchBegan(run.launch, run.reason))
        if run.reason != .user { signals.append(.enteredBackground) }
        Self.send(.launch(run.reason), to: &run, into: &signals)
        state = .running(Boxed(wrappedValue: run))
    }

    /// The process runs. An adopted app cannot answer the launch callback: the callback counts as answered.
    mutating func processStarted(into signals: inout [Signal]) {
        guard case .running(let run) = state, run.isAdopted, run.phase == .starting else { return }
        if run.reason != .user { signals.append(.sliceOfTimeDue(.adopted)) }
        changeRun { Self.callbackReturned(&$0, into: &signals) }
        advance(into: &signals)
    }

    // MARK: Requests of the user and the system

    /// The user opened the app.
    mutating func open(policy: Policy, at now: Nanoseconds, into signals: inout [Signal]) {
        switch state {
        case .notRunning:
            return
        case .running:
            changeRun { run in
                if run.termination != nil { run.reopens = true } else { run.wantsFront = true }
                run.isSlicePending = run.isSlicePending && !run.wantsFront
            }
            advance(into: &signals)
        case .recovering(var run, let until):
            run.wantsFront = true
            run.isSlicePending = false
            state = .recovering(run, until: until)
            awaitReconnection(policy: policy, at: now, into: &signals)
        case .ending(var ending):
            ending.reopens = true
            state = .ending(ending)
        }
    }

    /// The user left the app.
    mutating func leaveForeground(into signals: inout [Signal]) {
        switch state {
        case .notRunning:
            return
        case .running:
            changeRun { run in
                run.wantsFront = false
                run.reopens = false
            }
            advance(into: &signals)
        case .recovering(var run, let until):
            run.wantsFront = false
            state = .recovering(run, until: until)
        case .ending(var ending):
            ending.reopens = false
            state = .ending(ending)
        }
    }

    /// Wakes the app for an admitted event. A concern delivers an event with a completion handler by itself. Any other
    /// event gives the app a slice of time once it is delivered, even if the app already runs.
    mutating func wake(
        isSuspended: Bool, hasHandler: Bool, policy: Policy, at now: Nanoseconds, into signals: inout [Signal]
    ) {
        switch state {
        case .notRunning, .ending:
            return
        case .running(let run) where run.isAdopted:
            if run.phase == .background { signals.append(.sliceOfTimeDue(.adopted)) }
        case .running:
            let isEnterBackgroundPending = changeRun { run in
                if isSuspended, policy.wakeCallsDidEnterBackground { run.isEnterBackgroundPending = true }
                if !hasHandler, !run.wantsFront { run.isSlicePending = true }
                return run.isEnterBackgroundPending
            }
            // A suspended app is thawed by the call that it is woken for, which follows at once and must come first.
            if !hasHandler || !isSuspended || isEnterBackgroundPending == true { advance(into: &signals) }
        case .recovering(var run, let until):
            if isSuspended, policy.wakeCallsDidEnterBackground { run.isEnterBackgroundPending = true }
            if !hasHandler, !run.wantsFront { run.isSlicePending = true }
            state = .recovering(run, until: until)
            if isSuspended { awaitReconnection(policy: policy, at: now, into: &signals) }
        }
    }

    /// Background time is nearly up: the expiration handlers are called next.
    mutating func expiryDue(into signals: inout [Signal]) {
        changeRun { $0.isExpiryPending = true }
        advance(into: &signals)
    }

    /// The app may become active, because no other app is. If it no longer wants to, it gives the activation back.
    mutating func activationGranted(into signals: inout [Signal]) {
        guard case .running(let run) = state, run.awaitsActivation else {
            signals.append(.activationReleased)
            return
        }
        activate(isTransient: run.isActivationTransient, into: &signals)
    }

    /// Another app is active. An app that is to leave again does not wait for that: it completes its rise transiently.
    mutating func activationDenied(into signals: inout [Signal]) {
        guard case .running(let run) = state, run.awaitsActivation, run.phase == .rising, !run.wantsFront else {
            return
        }
        signals.append(.activationReleased)
        activate(isTransient: true, into: &signals)
    }

    private mutating func activate(isTransient: Bool, into signals: inout [Signal]) {
        let isAdopted = changeRun { run in
            run.awaitsActivation = false
            run.isActivationTransient = isTransient
            Self.send(.didBecomeActive, to: &run, into: &signals)
            return run.isAdopted
        }
        if isAdopted == true { answerForAdopted(into: &signals) }
    }

    // MARK: The app's answers

    /// Whether `id` is the callback under way. Only then is an acknowledgment accepted.
    func awaits(_ id: CallbackID) -> Bool {
        guard case .running(let run) = state else { return false }
        return run.pending?.id == id
    }

    /// The callback under way has returned.
    mutating func acknowledged(into signals: inout [Signal]) {
        guard case .running(let run) = state, let pending = run.pending,
            rely(on: pending.id < run.nextCallback, else: .callbackOutOfTurn, into: &signals)
        else { return }
        if case .willTerminate = pending.callback { return exitExpected(into: &signals) }
        signals.reserveCapacity(8)
        changeRun { Self.callbackReturned(&$0, into: &signals) }
        advance(into: &signals)
    }

    /// Whether a new connection of an app shows that the callback under way is already answered.
    func isAnswered(by attachment: Attachment) -> Bool {
        guard case .running(let run) = state, let pending = run.pending else { return false }
        return attachment.lastCallback >= pending.id
    }

    /// Sends the callback under way again, on a new connection.
    func repeatPending(into effects: inout [Effect]) {
        guard case .running(let run) = state, let pending = run.pending else { return }
        effects.append(.launch(run.launch, .send(.callback(pending.id, pending.callback))))
    }
}
