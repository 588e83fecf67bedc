import LifeCycleModel
import LifeCyclePolicy

/// An app in the reference model: plain facts, nothing derived.
struct ReferenceApp: Hashable, Sendable, Encodable {
    let id: AppID
    var manifest: AppManifest
    var isForceQuit = false
    var allowsRefresh = true
    /// Uninstalled, but not ended yet.
    var isToBeRemoved = false
    var sessions = SceneSessions()
    var launchCount: Int32 = 0
    /// The last state in a decision.
    var state = AppState.notRunning
    /// The time of the last measurement of the app's container.
    var measuredAt: Nanoseconds?
    var launch: ReferenceLaunch?
    /// The tap with which the user opened the app, until its launch has connected.
    var opening: Opening?

    /// A launch that begins with a tap.
    struct Opening: Hashable, Sendable, Encodable {
        let launch: Int32
        let notification: DeliveredRecord
        /// Whether the app is also called for the notification. A remote notification is in the launch options, and
        /// also causes a call.
        var isCallPending = false
    }
}

/// A launch in the reference model. The value contains the facts; all consequences of the facts are computed each time.
struct ReferenceLaunch: Hashable, Sendable, Encodable {
    /// From the process's start to its end.
    enum Stage: Hashable, Sendable, Encodable {
        /// The process was prewarmed, and has connected or not yet.
        case early(isConnected: Bool)
        case alive
        /// Running when the system was restarted, and silent since then.
        case recovering(until: Nanoseconds?)
        /// The app has returned from `willTerminate`, or has received SIGTERM: its exit is pending.
        case leaving(until: Nanoseconds)
        case killed
    }

    /// A callback that has not returned.
    struct Outstanding: Hashable, Sendable, Encodable {
        let id: CallbackID
        var callback: Callback
        var since: Nanoseconds
        let limit: Nanoseconds
        /// Whether a decision about a slow launch is still possible. There is at most one.
        var isRemarkDue: Bool

        var until: Nanoseconds { since + limit }
    }

    /// The state of the launch's processes in the freezer.
    enum Ice: Hashable, Sendable, Encodable {
        case none
        case freezing(until: Nanoseconds)
        case frozen(footprint: Int64)
    }

    /// The app's work on a completion handler that it has not called.
    struct Work: Hashable, Sendable, Encodable {
        let handler: CompletionHandler
        let since: Nanoseconds
        /// nil in the foreground.
        var until: Nanoseconds?
        /// Whether the app may be killed for being late: this system made the call, or the app itself reports the work.
        let isBlamed: Bool

        func limit(_ policy: Policy) -> Nanoseconds {
            switch handler {
            case .session: policy.sessionEvents
            case .event(let event): event.kind.limit(policy)
            }
        }

        var isSession: Bool {
            if case .session = handler { true } else { false }
        }
    }

    let id: LaunchID
    var reason: LaunchReason
    let isAdopted: Bool
    let exitsOnSuspend: Bool
    let usesScenes: Bool
    var stage = Stage.alive
    /// Whether the process was prewarmed and the app has not been launched since (T28).
    var isEarly = false
    /// The finished sessions that the app may have been called for before the system's restart.
    var earlierSessions: [SessionIdentifier] = []
    /// Whether the app was active, or was to be in the foreground, when the system was restarted.
    var wasActive = false
    /// The reason of the launch's end; nil before the end is decided.
    var ending: TerminationReason?
    /// Whether the user opened the app again since the launch's end was decided.
    var isOpenedAgain = false

    /// The last finished callback that changes the phase (section 1.3).
    var lastMove: Callback?
    var outstanding: Outstanding?
    var callbackCount: Int32 = 0
    /// The rest of the time that `willEnterForeground` shares with `didBecomeActive`.
    var remainingRiseTime: Nanoseconds?
    /// Whether the activation is transient: the app gets `didBecomeActive` only because a rise is always completed
    ///
    var isActivationTransient = false

    var isDidEnterBackgroundPending = false
    var isExpiryPending = false
    var isMemoryWarningPending = false
    var isDisconnectionPending = false
    /// The device facts that it last received.
    var sentFacts: DeviceFacts?
    var isSceneConnected = false
    var keepsScreenOn = false

    /// The app's open tasks, sorted by id, and its refused tasks.
    var tasks: [BackgroundTask] = []
    var refusedTasks: [TaskID] = []
    /// Whether the app's background time counts.
    var isOffForeground = false
    /// The end of the app's background time; nil if no time was granted in this stretch.
    var timeUp: Nanoseconds?
    var isExpiring = false
    /// Whether the background time ended with the app's suspension. The app was not notified of that end.
    var isEndOfTimePending = false

    /// A call that is pending for the app, with its place.
    struct PendingCall: Hashable, Sendable, Encodable {
        let call: ConcernCall
        let place: Place

        enum Place: Hashable, Sendable, Encodable {
            /// `anywhere`: the app is woken for the call. `whereItRuns`: the call waits until the app runs.
            case anywhere, whereItRuns
            /// In the foreground. In the background the app is either woken for the call or never called.
            case foreground(wakesElsewhere: Bool)
            /// On the way to the foreground, because the user opened the app with it.
            case tap
        }
    }
    /// In the order in which they came.
    var pendingCalls: [PendingCall] = []
    var pendingTap: Callback? { pendingCalls.first { $0.place == .tap }.map { .concern($0.call) } }
    /// The next call if nothing else is due.
    var nextCall: Callback? { pendingTap ?? pendingCalls.first.map { .concern($0.call) } }

    mutating func enqueue(_ call: ConcernCall, _ place: PendingCall.Place) {
        guard !isAdopted else { return }
        // An app that is interrupted again does not learn of the end of the interruption before.
        if case .audio(.interrupted) = call {
            pendingCalls.removeAll { if case .audio(.interruptionEnded) = $0.call { true } else { false } }
        }
        // An action whose time is over is not performed any longer.
        if case .voip(.timedOut(let action, let id)) = call {
            pendingCalls.removeAll { $0.call == .voip(.perform(action, id)) }
        }
        let new = PendingCall(call: call, place: place)
        // The new call takes the place of the old call.
        if let index = pendingCalls.firstIndex(where: { call.rules.outdates($0.call) && place == $0.place }) {
            pendingCalls[index] = new
        } else {
            pendingCalls.append(new)
        }
    }

    mutating func called(_ call: ConcernCall) {
        if let index = pendingCalls.firstIndex(where: { $0.call == call && $0.place == .tap })
            ?? pendingCalls.firstIndex(where: { $0.call == call })
        {
            pendingCalls.remove(at: index)
        }
    }

    /// The app leaves the foreground before the calls for the foreground were made.
    mutating func leaveCallsBehind() {
        for index in pendingCalls.indices where pendingCalls[index].place == .foreground(wakesElsewhere: true) {
            pendingCalls[index] = PendingCall(call: pendingCalls[index].call, place: .anywhere)
        }
        pendingCalls.removeAll { $0.place == .foreground(wakesElsewhere: false) }
    }
    /// The app's pending completion handlers.
    var work: [Work] = []

    /// Whether an event without a completion handler is still pending for the app in the background.
    var awaitsEvent = false
    /// The end of the app's time for an event without a completion handler.
    var wakeUntil: Nanoseconds?
    var adoptedUntil: Nanoseconds?
    /// The assertion of its location updates; nil if there is none.
    var locationHold: Assertion?
    /// The assertion of its sound; nil if there is none.
    var audioHold: Assertion?
    /// Whether a call keeps it running, and below it whether a VoIP push does.
    var isHeldForCall = false
    var isHeldForPush = false
    /// The assertions without a time limit, in the order of the table.
    var unlimitedHolds: [Assertion] { [locationHold, audioHold, isHeldForCall ? .call : nil].compactMap { $0 } }
    /// The assertions that concerns have asked for, in the order of the table.
    var concernHolds: [Assertion] { unlimitedHolds + (isHeldForPush ? [.voipPush] : []) }
    var ice = Ice.none
    /// The time at which a failed thaw is repeated.
    var thawDue: Nanoseconds?
    var freezeCount: Int32 = 0
    /// The time of a postponed measurement of the app's container.
    var measurementDue: Nanoseconds?
    /// The load of its recent requests, and since when (for the limit of requests).
    var requestLoad = Nanoseconds.zero
    var requestedAt = Nanoseconds.zero

    /// The app may have been updated since the launch, from or to an adopted app.
    init(id: LaunchID, reason: LaunchReason, manifest: AppManifest, isAdopted: Bool) {
        self.id = id
        self.reason = reason
        self.isAdopted = isAdopted
        exitsOnSuspend = manifest.exitsOnSuspend
        usesScenes = manifest.usesScenes && !isAdopted
    }

    // MARK: Derived values

    /// The progress of the launch, by its finished callbacks.
    var phase: AppPhase {
        switch lastMove {
        case nil: .starting
        case .launch(.user), .willEnterForeground: .rising
        case .didBecomeActive: .active
        case .willResignActive: .falling
        default: .background
        }
    }

    var isRecovering: Bool {
        if case .recovering = stage { true } else { false }
    }

    /// Whether only the kill or the exit of the launch is left.
    var isGoing: Bool {
        switch stage {
        case .killed, .leaving: true
        case .early, .alive, .recovering: false
        }
    }

    var isFrozen: Bool {
        if case .frozen = ice { true } else { false }
    }

    /// Whether the launch is frozen or is being frozen.
    var isSuspendedOrAboutToBe: Bool { ice != .none }

    /// Whether the app may be active, for the rule that at most one app is active.
    var holdsActivity: Bool {
        stage == .alive && !isActivationTransient && (phase == .active || outstanding?.callback == .didBecomeActive)
    }

    /// Whether no task may be granted any more in this stretch.
    func isTimeUp(lead: Nanoseconds, at now: Nanoseconds) -> Bool {
        isExpiring || timeUp.map { $0 - lead <= now } ?? false
    }

    /// The assertions that prevent the app's suspension, in the order of the table.
    func holds(isWanted: Bool) -> [Assertion] {
        switch stage {
        case .killed: return []
        case .leaving: return [.termination]
        case .early(let isConnected): return isConnected ? [] : [.callback]
        case .recovering(let until):
            return until == nil && isSuspendedOrAboutToBe ? [] : [.reconnection] + concernHolds
        case .alive: break
        }
        var held: [Assertion] = []
        let isStartingInBackground = phase == .starting && reason != .user
        if (phase != .background || isWanted) && !isStartingInBackground { held.append(.foreground) }
        if outstanding != nil { held.append(.callback) }
        if ending != nil { held.append(.termination) }
        if wakeUntil != nil { held.append(.wake) }
        if adoptedUntil != nil { held.append(.adopted) }
        let awaited = work.filter { $0.until != nil }
        if awaited.contains(where: \.isSession) { held.append(.sessionEvents) }
        if awaited.contains(where: { !$0.isSession }) { held.append(.wakeEvent) }
        return held + concernHolds + tasks.map { .task($0.id) }
    }

    /// The app's state by section 1.1; `said` is the last state in a decision.
    func state(said: AppState) -> AppState {
        switch stage {
        case .early: return .notRunning
        // The state does not change until the process is gone.
        case .killed, .leaving: return said
        case .recovering: return isFrozen ? .suspended : said == .suspended ? .background : said
        case .alive: break
        }
        if phase == .starting { return reason == .user ? .inactive : .background }
        if phase == .active || outstanding?.callback == .didBecomeActive {
            return isActivationTransient ? .inactive : .active
        }
        if outstanding?.callback == .didEnterBackground { return .background }
        if phase != .background { return .inactive }
        return isFrozen ? .suspended : .background
    }

    /// The launch's deadlines, with their reasons.
    func deadlines(policy: Policy) -> [Deadline] {
        var found: [Deadline] = []
        if let outstanding {
            if outstanding.isRemarkDue {
                found.append(Deadline(at: outstanding.since + policy.launchWarning, reason: .slowLaunch(id)))
            } else {
                found.append(Deadline(at: outstanding.until, reason: .callback(id, outstanding.callback)))
            }
        }
        if case .leaving(let until) = stage { found.append(Deadline(at: until, reason: .exit(id))) }
        if case .recovering(let until?) = stage { found.append(Deadline(at: until, reason: .reconnection(id))) }
        if let timeUp, !tasks.isEmpty {
            found.append(
                isExpiring
                    ? Deadline(at: timeUp, reason: .backgroundTime(id))
                    : Deadline(at: timeUp - policy.expirationLead, reason: .taskExpiry(id)))
        }
        if case .freezing(let until) = ice { found.append(Deadline(at: until, reason: .freeze(id))) }
        if let thawDue { found.append(Deadline(at: thawDue, reason: .thaw(id))) }
        for work in work {
            guard let until = work.until else { continue }
            found.append(Deadline(at: until, reason: work.isSession ? .sessionEvents(id) : .wakeEvent(id)))
        }
        if let wakeUntil { found.append(Deadline(at: wakeUntil, reason: .wake(id))) }
        if let adoptedUntil { found.append(Deadline(at: adoptedUntil, reason: .adopted(id))) }
        if let measurementDue { found.append(Deadline(at: measurementDue, reason: .containerCheck(id))) }
        return found
    }
}
