import LifeCycleModel

/// A call of the app, as the app's side knows it.
struct KnownCall: Hashable {
    /// The progress of a call, by the app's own reports.
    enum Progress: Hashable {
        /// The app has not answered the call, or has not started it.
        case new
        /// The app has started the call, which the other side has not answered.
        case dialing
        case connected
    }

    let id: CallID
    let provider: CallProviderID
    let isOutgoing: Bool
    var update: CallUpdate
    private(set) var progress = Progress.new
    /// The answer, the start or the end, if the app has to perform it; otherwise nil.
    private(set) var action: CallAction?
    /// The other actions that the app has to perform: at most one about hold, and one about mute.
    private var changes: [CallAction] = []
    /// The last fulfilled actions: at most one about hold, and one about mute.
    private var fulfilled: [CallAction] = []
    /// Whether the system has accepted the call.
    var isShown: Bool
    /// Whether the app has reported the UUID again. If the system has just ended the call, the second report makes
    /// another one.
    var isReportedAgain = false

    /// A call that the app reports.
    init(incoming id: CallID, by provider: CallProviderID, _ update: CallUpdate) {
        (self.id, self.provider, self.update, isOutgoing, isShown) = (id, provider, update, false, false)
    }

    /// A call that the app has begun, with the system's consent.
    init(outgoing id: CallID, by provider: CallProviderID, _ update: CallUpdate) {
        (self.id, self.provider, self.update, isOutgoing, isShown) = (id, provider, update, true, true)
    }

    var isOnHold: Bool { fulfilled.contains(.hold) }

    /// Whether the audio session is active for the call, unless the call is being ended.
    var hasAudio: Bool { progress != .new && !isOnHold }

    /// The facts for an observer.
    var snapshot: CallSnapshot {
        CallSnapshot(
            id: id, isOutgoing: isOutgoing, hasConnected: progress == .connected, isOnHold: isOnHold, hasEnded: false)
    }

    /// The reports that the system may have missed before its restart. It ignores those that it knows.
    var repeats: [VoIPRequest] {
        func report(_ action: CallAction) -> VoIPRequest { .performed(action, id, isFulfilled: true) }
        let first: [VoIPRequest] =
            switch progress {
            case .new: []
            case .dialing: [report(.start)]
            case .connected: isOutgoing ? [report(.start), .connected(id)] : [report(.answer)]
            }
        return first + fulfilled.map(report)
    }

    // MARK: Actions

    /// Whether the app has to perform an action.
    func isPerforming(_ action: CallAction) -> Bool { self.action == action || changes.contains(action) }

    /// Whether the app has fulfilled an action, and nothing has changed that since.
    func hasFulfilled(_ action: CallAction) -> Bool {
        switch action {
        case .answer, .start: progress != .new
        case .end: false
        case .hold, .resume, .mute, .unmute: fulfilled.contains(action)
        }
    }

    /// The app has to perform an action.
    mutating func begin(_ action: CallAction) {
        isShown = true
        guard action.isVital else { return changes.replace(with: action) }
        self.action = action
        if action == .end { changes = [] }
    }

    /// The app has performed an action, or could not.
    mutating func performed(_ action: CallAction, isFulfilled: Bool) {
        if self.action == action { self.action = nil }
        changes.removeAll { $0 == action }
        guard isFulfilled else { return }
        switch action {
        case .answer: progress = .connected
        case .start: progress = .dialing
        case .end: break
        case .hold, .resume, .mute, .unmute: fulfilled.replace(with: action)
        }
    }

    /// The time for a change is over. The system has not changed the call, even if the app has fulfilled the action.
    mutating func timedOut(_ change: CallAction) {
        changes.removeAll { $0 == change }
        if fulfilled.contains(change), let opposite = change.opposite { fulfilled.replace(with: opposite) }
    }

    /// The other side has answered an outgoing call. With that the app has also started the call.
    mutating func connect() {
        if action == .start { action = nil }
        progress = .connected
    }
}

extension CallAction {
    /// The action that undoes a change of a call; nil for other actions.
    fileprivate var opposite: CallAction? {
        switch self {
        case .answer, .end, .start: nil
        case .hold: .resume
        case .resume: .hold
        case .mute: .unmute
        case .unmute: .mute
        }
    }
}

extension [CallAction] {
    /// Adds an action in place of the same one and of its opposite.
    fileprivate mutating func replace(with action: CallAction) {
        removeAll { $0 == action || $0 == action.opposite }
        append(action)
    }
}
