import LifeCycleModel

/// The actions that apps perform with their calls.
extension VoIP {
    // MARK: The user

    /// The user acts on a call.
    mutating func choose(_ choice: CallChoice, on device: DeviceState, into actions: inout Actions<Self>) {
        if device.isShuttingDown { return actions.refuse(choice.act, .shuttingDown) }
        guard let (app, call) = call(for: choice) else { return actions.refuse(choice.act, .noCall) }
        if choice.action.takesCall, firstCall(where: \.isCurrent) != nil {
            return actions.refuse(choice.act, .anotherCall)
        }
        perform(choice.action, call.id, of: app, on: device, into: &actions)
    }

    /// The call that the user means; nil if there is none.
    private func call(for choice: CallChoice) -> (app: AppID, call: PhoneCall)? {
        switch choice {
        case .answer, .decline: firstCall { $0.state == .ringing }
        // A call on hold is ended only if the user speaks on no other call.
        case .end: firstCall(where: \.hasAudio) ?? firstCall { $0.state == .connected }
        case .hold, .resume: firstCall { $0.allows(choice.action) }
        case .mute, .unmute: firstCall { $0.hasAudio && $0.allows(choice.action) }
        }
    }

    /// The first call of this kind, by the order in which calls were reported or begun.
    private func firstCall(where isWanted: (PhoneCall) -> Bool) -> (app: AppID, call: PhoneCall)? {
        var first: (app: AppID, call: PhoneCall)?
        for (app, client) in clients {
            for call in client.record.calls where call.number < first?.call.number ?? .max && isWanted(call) {
                first = (app, call)
            }
        }
        return first
    }

    // MARK: The app

    private mutating func perform(
        _ action: CallAction, _ id: CallID, of app: AppID, on device: DeviceState, into actions: inout Actions<Self>
    ) {
        guard let launch = clients[app]?.record.launch, let index = index(of: id, in: launch) else { return }
        let until = device.awakeNow + device.policy.callAction
        actions.explain(.chosen(launch, id, action))
        keep(app, into: &actions) { $0.calls[index].begin(action, until: until) }
        actions.call(app, .voip(.perform(action, id)), .whenItRuns)
    }

    /// The app has connected again after a restart of the system, which may have been about to call it.
    mutating func callAgain(_ launch: LaunchID, on device: DeviceState, into actions: inout Actions<Self>) {
        guard let client = clients[launch.app], client.record.launch == launch else { return }
        var calls: [VoIPCall] = client.needsAudio && client.hasAudio == true ? [.audio(isActive: true)] : []
        for call in client.record.calls { calls += call.actions.map { .perform($0.action, call.id) } }
        for call in calls where !device.isToBeCalled(launch.app, .voip(call)) {
            actions.call(launch.app, .voip(call), .whenItRuns)
        }
    }

    /// The app has performed an action, or could not.
    mutating func performed(
        _ action: CallAction, _ id: CallID, isFulfilled: Bool, by launch: LaunchID, into actions: inout Actions<Self>
    ) {
        guard let index = index(of: id, in: launch),
            clients[launch.app]?.record.calls[index].actions.contains(where: { $0.action == action }) == true
        else { return actions.ignore(launch) }
        switch action {
        case .end: end(id, of: launch, .user, into: &actions)
        case .answer where !isFulfilled, .start where !isFulfilled: end(id, of: launch, .failed, into: &actions)
        case .answer: connect(id, of: launch, into: &actions)
        case .start:
            actions.explain(.dialing(launch, id))
            keep(launch.app, into: &actions) { $0.calls[index].state = .dialing }
        case .hold, .resume, .mute, .unmute:
            endChange(action, id, of: launch, isFulfilled: isFulfilled, into: &actions)
        }
    }

    /// The other side has answered an outgoing call. The app may say so before it has fulfilled the start.
    mutating func connected(_ id: CallID, by launch: LaunchID, into actions: inout Actions<Self>) {
        guard let index = index(of: id, in: launch),
            clients[launch.app]?.record.calls[index].awaitsOtherSide == true
        else { return actions.ignore(launch) }
        connect(id, of: launch, into: &actions)
    }

    private mutating func connect(_ id: CallID, of launch: LaunchID, into actions: inout Actions<Self>) {
        guard let index = index(of: id, in: launch) else { return }
        actions.explain(.connected(launch, id))
        keep(launch.app, into: &actions) { $0.calls[index].state = .connected }
    }

    /// The app has performed a change of a call, or has not performed it. The call continues.
    private mutating func endChange(
        _ change: CallAction, _ id: CallID, of launch: LaunchID, isFulfilled: Bool, into actions: inout Actions<Self>
    ) {
        guard let index = index(of: id, in: launch) else { return }
        actions.explain(isFulfilled ? .changed(launch, id, change) : .changeFailed(launch, id, change))
        keep(launch.app, into: &actions) { $0.calls[index].finish(change, isFulfilled: isFulfilled) }
    }

    // MARK: Settling

    /// Ends the actions that the app has not performed in time. A call is over if it depends on the action.
    mutating func endTimesOfCalls(of app: AppID, on device: DeviceState, into actions: inout Actions<Self>) {
        guard let client = clients[app], let launch = client.record.launch else { return }
        for call in client.record.calls {
            for late in call.actions where late.until <= device.awakeNow {
                actions.call(app, .voip(.timedOut(late.action, call.id)), .whenItRuns)
                if late.action.isVital {
                    end(call.id, of: launch, .timedOut(late.action), into: &actions)
                } else {
                    endChange(late.action, call.id, of: launch, isFulfilled: false, into: &actions)
                }
            }
        }
    }
}
