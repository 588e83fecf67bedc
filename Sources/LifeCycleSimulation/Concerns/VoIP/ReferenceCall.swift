import LifeCycleModel

/// The facts about a call in the reference model.
extension PhoneCall {
    /// Whether the user speaks on the call, or is about to.
    var occupiesUser: Bool {
        switch state {
        case .answering, .starting, .dialing, .connected: !isOnHold || awaits(.resume)
        case .ringing, .ending: false
        }
    }

    /// Whether the app has answered or started the call, and it is not being ended.
    var isUp: Bool {
        switch state {
        case .dialing, .connected: true
        case .ringing, .answering, .starting, .ending: false
        }
    }

    /// Whether the app's audio session is active for the call.
    var sounds: Bool { isUp && !isOnHold }

    var isBeingEnded: Bool { if case .ending = state { true } else { false } }

    /// The actions that the app has to perform, each with the end of its time.
    var duties: [Change] {
        switch state {
        case .answering(let until): [Change(.answer, until: until)] + changes
        case .starting(let until): [Change(.start, until: until)] + changes
        case .ending(let until): [Change(.end, until: until)] + changes
        case .ringing, .dialing, .connected: changes
        }
    }

    /// Whether the app has to perform one of these actions.
    func awaits(_ actions: CallAction...) -> Bool { duties.contains { actions.contains($0.action) } }

    /// Whether the action fits the call, without regard to other calls.
    func admits(_ action: CallAction) -> Bool {
        switch action {
        case .start: false
        case .answer: state == .ringing
        case .end: !isBeingEnded
        case .hold: state == .connected && !isOnHold && !awaits(.hold, .resume)
        case .resume: state == .connected && isOnHold && !awaits(.hold, .resume)
        case .mute: isUp && !isMuted && !awaits(.mute, .unmute)
        case .unmute: isUp && isMuted && !awaits(.mute, .unmute)
        }
    }

    /// The app has to perform an action until this time.
    mutating func begin(_ action: CallAction, until: Nanoseconds) {
        switch action {
        case .start: state = .starting(until: until)
        case .answer: state = .answering(until: until)
        case .end:
            state = .ending(until: until)
            changes = []
        case .hold, .resume, .mute, .unmute: changes.append(Change(action, until: until))
        }
    }

    /// The app has performed an action that changes no progress, or could not.
    mutating func finish(_ action: CallAction, isDone: Bool) {
        changes.removeAll { $0.action == action }
        guard isDone else { return }
        switch action {
        case .hold: isOnHold = true
        case .resume: isOnHold = false
        case .mute: isMuted = true
        case .unmute: isMuted = false
        case .start, .answer, .end: break
        }
    }

    /// Moves the ends of all times.
    mutating func extend(to time: (_ until: Nanoseconds) -> Nanoseconds) {
        switch state {
        case .answering(let until): state = .answering(until: time(until))
        case .starting(let until): state = .starting(until: time(until))
        case .ending(let until): state = .ending(until: time(until))
        case .ringing, .dialing, .connected: break
        }
        for place in changes.indices { changes[place].until = time(changes[place].until) }
    }
}
