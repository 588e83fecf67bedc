import LifeCycleModel
import LifeCyclePolicy

/// One app as the reference model has it: plain facts, nothing derived.
struct ReferenceApp: Hashable, Sendable, Encodable {
    let id: AppID
    var manifest: AppManifest
    var isForceQuit = false
    var allowsRefresh = true
    /// Uninstalled, and still to end.
    var isToBeRemoved = false
    var sessions = SceneSessions()
    var launchCount: Int32 = 0
    /// The state last made known.
    var state = AppState.notRunning
    /// When its container was last measured.
    var measuredAt: Nanoseconds?
    var launch: ReferenceLaunch?
    /// What the user opened it by that is still to come, or has not connected yet.
    var opening: Opening?

    /// A launch that begins with a tap.
    struct Opening: Hashable, Sendable, Encodable {
        let launch: Int32
        let notification: DeliveredRecord
        /// Whether it was called for it besides: for a remote one, which is among the launch options too.
        var isOwed = false
    }
}

/// One launch as the reference model has it. What it holds is what happened; what follows from that is worked out
/// anew each time it is asked for.
struct ReferenceLaunch: Hashable, Sendable, Encodable {
    /// From the process's start to its end.
    enum Stage: Hashable, Sendable, Encodable {
        /// Its process was started early; it has come as far as to connect, or not yet.
        case early(isConnected: Bool)
        case alive
        /// Under way when the system was restarted, and not heard from since.
        case unheard(until: Nanoseconds?)
        /// It has returned from `willTerminate`, or has its SIGTERM: its exit is awaited.
        case leaving(until: Nanoseconds)
        case killed
    }

    /// A callback that has not returned.
    struct Outstanding: Hashable, Sendable, Encodable {
        let id: CallbackID
        var callback: Callback
        var since: Nanoseconds
        let limit: Nanoseconds
        /// A launch is remarked on once when it is slow.
        var isRemarkDue: Bool

        var until: Nanoseconds { since + limit }
    }

    /// What the kernel does with its processes.
    enum Ice: Hashable, Sendable, Encodable {
        case none
        case freezing(until: Nanoseconds)
        case frozen(footprint: Int64)
    }

    /// What came with a completion handler that it has not called.
    struct Work: Hashable, Sendable, Encodable {
        let handler: CompletionHandler
        let since: Nanoseconds
        /// Nil in the foreground.
        var until: Nanoseconds?
        /// Whether it was this system that told it, or it says so itself.
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
    /// Its process was started early, and its app not launched since (T28).
    var isEarly = false
    /// The sessions of which it may have heard, before the system was restarted, that all is done.
    var earlierSessions: [SessionIdentifier] = []
    /// When the system was restarted, it was active or meant to be in front.
    var wasActive = false
    /// Why it is to end, once it is.
    var ending: TerminationReason?
    /// The user opened it again since its end was decided.
    var isOpenedAgain = false

    /// The last callback it has finished of those that move an app on (section 1.3).
    var lastMove: Callback?
    var outstanding: Outstanding?
    var callbackCount: Int32 = 0
    /// What `willEnterForeground` has left of the time it shares with `didBecomeActive`.
    var restOfRise: Nanoseconds?
    /// It hears `didBecomeActive` only because a rise is always completed: another app is active.
    var isPassing = false

    var owesDidEnterBackground = false
    var owesExpiry = false
    var owesMemoryWarning = false
    var owesDisconnection = false
    /// The device as it was last told.
    var told: DeviceFacts?
    var isSceneConnected = false
    var keepsScreenOn = false

    /// Its tasks, in the order of their ids, and those that were not granted.
    var tasks: [BackgroundTask] = []
    var refusedTasks: [TaskID] = []
    /// Whether time is counted.
    var isOffForeground = false
    /// When background time is up; nil where none was given in this stretch.
    var timeUp: Nanoseconds?
    var isExpiring = false
    /// Its time ended with its suspension, of which it knows nothing.
    var owesEndOfTime = false

    /// A call that the app has still to get, and where it gets it.
    struct Owed: Hashable, Sendable, Encodable {
        let call: ConcernCall
        let place: Place

        enum Place: Hashable, Sendable, Encodable {
            /// Anywhere, and it is woken for it; or only once it runs.
            case anywhere, whereItRuns
            /// In the foreground; it is woken for it elsewhere, or never called.
            case foreground(wakesElsewhere: Bool)
            /// On the way to the foreground: the user opened the app by it.
            case tap
        }
    }
    /// In the order in which they came.
    var owed: [Owed] = []
    var owedTap: Callback? { owed.first { $0.place == .tap }.map { .concern($0.call) } }
    /// The call that is next, nothing else being due.
    var owedCall: Callback? { owedTap ?? owed.first.map { .concern($0.call) } }

    mutating func owe(_ call: ConcernCall, _ place: Owed.Place) {
        guard !isAdopted else { return }
        let new = Owed(call: call, place: place)
        // The new call is made when the old one would have been.
        if let index = owed.firstIndex(where: { call.rules.outdates($0.call) }) {
            owed[index] = new
        } else {
            owed.append(new)
        }
    }

    mutating func called(_ call: ConcernCall) {
        if let index = owed.firstIndex(where: { $0.call == call && $0.place == .tap })
            ?? owed.firstIndex(where: { $0.call == call })
        {
            owed.remove(at: index)
        }
    }

    /// It leaves the foreground without those calls.
    mutating func leaveCallsBehind() {
        for index in owed.indices where owed[index].place == .foreground(wakesElsewhere: true) {
            owed[index] = Owed(call: owed[index].call, place: .anywhere)
        }
        owed.removeAll { $0.place == .foreground(wakesElsewhere: false) }
    }
    /// What it is at.
    var work: [Work] = []

    /// An event that came without a completion handler while it was off the foreground is still to be delivered.
    var awaitsEvent = false
    ///
    var wakeUntil: Nanoseconds?
    var adoptedUntil: Nanoseconds?
    var ice = Ice.none
    /// When a thaw that failed is tried again.
    var thawDue: Nanoseconds?
    var freezeCount: Int32 = 0
    /// When a measurement of its container is made up for.
    var measurementDue: Nanoseconds?
    /// How long its last requests still count, and since when (the rate of requests).
    var requestLoad = Nanoseconds.zero
    var requestedAt = Nanoseconds.zero

    init(id: LaunchID, reason: LaunchReason, manifest: AppManifest) {
        self.id = id
        self.reason = reason
        isAdopted = manifest.isAdopted
        exitsOnSuspend = manifest.exitsOnSuspend
        usesScenes = manifest.usesScenes && !manifest.isAdopted
    }

    // MARK: What follows from that

    /// How far it has come by the callbacks it has finished.
    var phase: AppPhase {
        switch lastMove {
        case nil: .starting
        case .launch(.user), .willEnterForeground: .rising
        case .didBecomeActive: .active
        case .willResignActive: .falling
        default: .background
        }
    }

    var isUnheard: Bool {
        if case .unheard = stage { true } else { false }
    }

    /// Whether its end is no more than a matter of the kernel's, or of its exit.
    var isGoing: Bool {
        switch stage {
        case .killed, .leaving: true
        case .early, .alive, .unheard: false
        }
    }

    var isFrozen: Bool {
        if case .frozen = ice { true } else { false }
    }

    /// Whether it stands still, or will in a moment.
    var isSuspendedOrAboutToBe: Bool { ice != .none }

    /// Whether it may be the active app, as far as the rule goes that there is one at most.
    var holdsActivity: Bool {
        stage == .alive && !isPassing && (phase == .active || outstanding?.callback == .didBecomeActive)
    }

    /// Whether nothing more may be granted in this stretch.
    func isTimeUp(lead: Nanoseconds, at now: Nanoseconds) -> Bool {
        isExpiring || timeUp.map { $0 - lead <= now } ?? false
    }

    /// Why it may not be suspended, in the order of the table.
    func holds(isWanted: Bool) -> [Assertion] {
        switch stage {
        case .killed: return []
        case .leaving: return [.termination]
        case .early(let isConnected): return isConnected ? [] : [.callback]
        case .unheard(let until):
            return until == nil && isSuspendedOrAboutToBe ? [] : [.reconnection]
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
        return held + tasks.map { .task($0.id) }
    }

    /// The state of section 1.1 it is in, `said` being the one last made known.
    func state(said: AppState) -> AppState {
        switch stage {
        case .early: return .notRunning
        // It stays what it was until its process is gone.
        case .killed, .leaving: return said
        case .unheard: return isFrozen ? .suspended : said == .suspended ? .background : said
        case .alive: break
        }
        if phase == .starting { return reason == .user ? .inactive : .background }
        if phase == .active || outstanding?.callback == .didBecomeActive { return isPassing ? .inactive : .active }
        if outstanding?.callback == .didEnterBackground { return .background }
        if phase != .background { return .inactive }
        return isFrozen ? .suspended : .background
    }

    /// When it wants to be looked at, and why.
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
        if case .unheard(let until?) = stage { found.append(Deadline(at: until, reason: .reconnection(id))) }
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
