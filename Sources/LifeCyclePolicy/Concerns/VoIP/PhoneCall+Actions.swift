import LifeCycleModel

/// The actions on a call, from their beginning to their end.
extension PhoneCall {
    /// Whether the app puts the call on hold now.
    var isBeingHeld: Bool { changes.contains { $0.action == .hold } }

    /// Whether the other side has not answered the outgoing call.
    var awaitsOtherSide: Bool { state == .dialing || state.action == .start }

    /// The app is to perform an action until a time on the awake clock. A start begins with the call itself.
    mutating func begin(_ action: CallAction, until: Nanoseconds) {
        switch action {
        case .start: break
        case .answer: state = .answering(until: until)
        case .end: (state, changes) = (.ending(until: until), [])
        case .hold, .resume, .mute, .unmute: changes.append(Change(action, until: until))
        }
    }

    /// The app has performed a change of the call, or has not performed it.
    mutating func finish(_ change: CallAction, isFulfilled: Bool) {
        changes.removeAll { $0.action == change }
        guard isFulfilled else { return }
        switch change {
        case .hold: isOnHold = true
        case .resume: isOnHold = false
        case .mute: isMuted = true
        case .unmute: isMuted = false
        case .start, .answer, .end: break
        }
    }

    /// Moves the ends of the app's times for the actions.
    mutating func moveEnds(to time: (_ until: Nanoseconds) -> Nanoseconds) {
        switch state {
        case .ringing, .dialing, .connected: break
        case .answering(let until): state = .answering(until: time(until))
        case .starting(let until): state = .starting(until: time(until))
        case .ending(let until): state = .ending(until: time(until))
        }
        for index in changes.indices { changes[index].until = time(changes[index].until) }
    }
}

extension CallAction {
    /// Whether the user speaks on the call next. No other call may be current then.
    var takesCall: Bool {
        switch self {
        case .start, .answer, .resume: true
        case .end, .hold, .mute, .unmute: false
        }
    }
}
