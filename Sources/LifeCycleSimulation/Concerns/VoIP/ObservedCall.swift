import LifeCycleModel

/// A call as the invariant sees it in the decisions about it.
struct ObservedCall: Hashable, Sendable {
    enum Progress: Hashable, Sendable { case ringing, answering, starting, dialing, connected, ending }

    /// An action that the app has to perform.
    struct Duty: Hashable, Sendable {
        let action: CallAction
        let until: Nanoseconds
        /// The same, but later if the system has stalled meanwhile.
        var latest: Nanoseconds

        init(_ action: CallAction, until: Nanoseconds) { (self.action, self.until, latest) = (action, until, until) }
    }

    let launch: LaunchID
    let id: CallID
    private(set) var progress: Progress
    private var isOnHold = false
    private var isMuted = false
    private(set) var duties: [Duty] = []

    init(launch: LaunchID, id: CallID, progress: Progress = .ringing) {
        (self.launch, self.id, self.progress) = (launch, id, progress)
    }

    /// A call from before the journal, in the state in which it may begin an action; nil if there are several such
    /// states.
    init?(launch: LaunchID, id: CallID, before action: CallAction) {
        switch action {
        case .answer: self.init(launch: launch, id: id)
        case .hold, .end: self.init(launch: launch, id: id, progress: .connected)
        case .resume:
            self.init(launch: launch, id: id, progress: .connected)
            isOnHold = true
        case .start, .mute, .unmute: return nil
        }
    }

    /// Whether the user speaks on the call, or is about to.
    var isOn: Bool {
        switch progress {
        case .answering, .starting, .dialing, .connected: !isOnHold || hasDuty(.resume)
        case .ringing, .ending: false
        }
    }

    func hasDuty(_ action: CallAction) -> Bool { duties.contains { $0.action == action } }

    /// Whether an action may begin. The user ends only calls that ring, or that are answered or started.
    func permits(_ action: CallAction, isByUser: Bool) -> Bool {
        switch action {
        case .start: false
        case .answer: progress == .ringing
        case .end: isByUser ? [.ringing, .dialing, .connected].contains(progress) : progress != .ending
        case .hold: progress == .connected && !isOnHold && !hasDuty(.hold) && !hasDuty(.resume)
        case .resume: progress == .connected && isOnHold && !hasDuty(.hold) && !hasDuty(.resume)
        case .mute: isStarted && !isMuted && !hasDuty(.mute) && !hasDuty(.unmute)
        case .unmute: isStarted && isMuted && !hasDuty(.mute) && !hasDuty(.unmute)
        }
    }

    private var isStarted: Bool { progress == .dialing || progress == .connected }

    mutating func begin(_ duty: Duty) {
        switch duty.action {
        case .start: (progress, duties) = (.starting, [duty])
        case .answer: (progress, duties) = (.answering, [duty])
        case .end: (progress, duties) = (.ending, [duty])
        case .hold, .resume, .mute, .unmute: duties.append(duty)
        }
    }

    /// The app has performed the answer or the start, or the call is connected. Other actions continue.
    mutating func move(to new: Progress) {
        progress = new
        duties.removeAll { $0.action == .start || $0.action == .answer }
    }

    /// The app has performed an action without which the call continues, or has not. Returns the action's duty; nil if
    /// there was none.
    mutating func change(_ action: CallAction, isDone: Bool) -> Duty? {
        guard let place = duties.firstIndex(where: { $0.action == action }) else { return nil }
        let duty = duties.remove(at: place)
        switch action {
        case .start, .answer, .end: return nil
        case .hold: if isDone { isOnHold = true }
        case .resume: if isDone { isOnHold = false }
        case .mute: if isDone { isMuted = true }
        case .unmute: if isDone { isMuted = false }
        }
        return duty
    }

    /// Moves the latest ends of all actions.
    mutating func extend(_ time: (_ latest: Nanoseconds) -> Nanoseconds) {
        for place in duties.indices { duties[place].latest = time(duties[place].latest) }
    }
}
