import LifeCycleModel

/// Calls: the reports of apps, and the user's actions.
extension VoIP {
    /// Whether a call of any app rings.
    var isRinging: Bool {
        clients.contains { $0.value.record.calls.contains { $0.state == .ringing } }
    }

    /// The first call in a state, by the order in which calls were reported.
    private func firstCall(where isWanted: (PhoneCall.State) -> Bool) -> (app: AppID, call: PhoneCall)? {
        var first: (app: AppID, call: PhoneCall)?
        for (app, client) in clients {
            for call in client.record.calls where isWanted(call.state) && call.number < first?.call.number ?? .max {
                first = (app, call)
            }
        }
        return first
    }

    // MARK: Reports

    /// An app reports an incoming call.
    mutating func report(
        _ id: CallID, _ update: CallUpdate, by launch: LaunchID, on device: DeviceState,
        into actions: inout Actions<Self>
    ) {
        let app = launch.app
        change(app) { client in
            // One call is reported for each push.
            if let push = client.open.first(where: { !$0.value.hasCall && $0.value.until != nil })?.key {
                client.open.update(push) { $0.hasCall = true }
            }
        }
        let calls = clients[app]?.record.calls ?? []
        // The app repeats a report that was not answered before a restart of the system.
        let isRepeated = calls.contains { $0.id == id }
        var failure: CallFailure?
        if device.manifest(of: app)?.backgroundModes.contains(.voip) != true {
            failure = .unentitled
        } else if !isRepeated, calls.count >= PhoneCall.most || !device.isOpenable(app) || device.isShuttingDown {
            failure = .unknown
        }
        actions.explain(.reported(launch, id, failure))
        answer(id, failure, to: app)
        guard failure == nil, !isRepeated else { return }
        let number = clients.flatMap(\.value.record.calls).map(\.number).max() ?? 0
        keep(app, into: &actions) { record in
            record.launch = launch
            record.calls.append(PhoneCall(id: id, number: number + 1, update: update))
        }
        interruptsForeground = true
    }

    private mutating func answer(_ id: CallID, _ failure: CallFailure?, to app: AppID) {
        change(app) { client in
            client.answers.removeAll { $0.id == id }
            if client.answers.count < PhoneCall.most {
                client.answers.append(VoIPClient.Answer(id: id, failure: failure))
            }
        }
    }

    /// An app changes what is shown of a call.
    mutating func update(
        _ id: CallID, _ update: CallUpdate, by launch: LaunchID, into actions: inout Actions<Self>
    ) {
        guard let index = index(of: id, in: launch) else {
            // The app has missed the end of the call.
            return answer(id, .unknown, to: launch.app)
        }
        if clients[launch.app]?.record.calls[index].update == update { return }
        keep(launch.app, into: &actions) { $0.calls[index].update = update }
    }

    /// A call of an app is over.
    mutating func end(_ id: CallID, of launch: LaunchID, _ end: CallEnd, into actions: inout Actions<Self>) {
        guard let index = index(of: id, in: launch) else { return }
        actions.explain(.ended(launch, id, end))
        keep(launch.app, into: &actions) { record in
            record.calls.remove(at: index)
            if record.calls.isEmpty { record.launch = nil }
        }
    }

    // MARK: The user's actions

    /// The user acts on a call.
    mutating func choose(_ choice: CallChoice, on device: DeviceState, into actions: inout Actions<Self>) {
        if device.isShuttingDown { return actions.refuse(choice.act, .shuttingDown) }
        switch choice {
        case .answer:
            guard let (app, call) = firstCall(where: { $0 == .ringing }) else {
                return actions.refuse(choice.act, .noCall)
            }
            if firstCall(where: \.isAnswered) != nil { return actions.refuse(choice.act, .anotherCall) }
            perform(.answer, call.id, of: app, on: device, into: &actions)
        case .decline:
            guard let (app, call) = firstCall(where: { $0 == .ringing }) else {
                return actions.refuse(choice.act, .noCall)
            }
            perform(.end, call.id, of: app, on: device, into: &actions)
        case .end:
            guard let (app, call) = firstCall(where: { $0 == .connected }) else {
                return actions.refuse(choice.act, .noCall)
            }
            perform(.end, call.id, of: app, on: device, into: &actions)
        }
    }

    private mutating func perform(
        _ action: CallAction, _ id: CallID, of app: AppID, on device: DeviceState, into actions: inout Actions<Self>
    ) {
        guard let launch = clients[app]?.record.launch, let index = index(of: id, in: launch) else { return }
        let until = device.awakeNow + device.policy.callAction
        actions.explain(.chosen(launch, id, action))
        keep(app, into: &actions) {
            $0.calls[index].state = action == .answer ? .answering(until: until) : .ending(until: until)
        }
        actions.call(app, .voip(.perform(action, id)), .whenItRuns)
    }

    /// The app has connected again after a restart of the system, which may have been about to call it.
    mutating func callAgain(_ launch: LaunchID, on device: DeviceState, into actions: inout Actions<Self>) {
        guard let client = clients[launch.app], client.record.launch == launch else { return }
        var calls: [VoIPCall] = client.isConnected && client.hasAudio == true ? [.audio(isActive: true)] : []
        calls += client.record.calls.compactMap { call in call.state.action.map { .perform($0, call.id) } }
        for call in calls where !device.isToBeCalled(launch.app, .voip(call)) {
            actions.call(launch.app, .voip(call), .whenItRuns)
        }
    }

    /// The app has performed the user's action, or could not.
    mutating func performed(
        _ action: CallAction, _ id: CallID, isFulfilled: Bool, by launch: LaunchID, into actions: inout Actions<Self>
    ) {
        guard let index = index(of: id, in: launch),
            clients[launch.app]?.record.calls[index].state.action == action
        else { return actions.ignore(launch) }
        switch action {
        case .end: end(id, of: launch, .user, into: &actions)
        case .answer where !isFulfilled: end(id, of: launch, .failed, into: &actions)
        case .answer:
            actions.explain(.connected(launch, id))
            keep(launch.app, into: &actions) { $0.calls[index].state = .connected }
        }
    }

    private func index(of id: CallID, in launch: LaunchID) -> Int? {
        guard let record = clients[launch.app]?.record, record.launch == launch else { return nil }
        return record.calls.firstIndex { $0.id == id }
    }

    // MARK: Settling

    /// The launch of the calls may have ended while the system was gone.
    mutating func endCallsOfOtherLaunches(
        of app: AppID, on device: DeviceState, into actions: inout Actions<Self>
    ) {
        guard let launch = clients[app]?.record.launch, device.liveLaunch(of: app) != launch else { return }
        for call in clients[app]?.record.calls ?? [] { end(call.id, of: launch, .launchEnded, into: &actions) }
    }

    /// The calls whose app has not performed the user's action in time are over.
    mutating func endTimesOfCalls(of app: AppID, on device: DeviceState, into actions: inout Actions<Self>) {
        guard let client = clients[app], let launch = client.record.launch else { return }
        for call in client.record.calls {
            guard let until = call.state.until, until <= device.awakeNow, let action = call.state.action
            else { continue }
            actions.call(app, .voip(.timedOut(action, call.id)), .whenItRuns)
            end(call.id, of: launch, .timedOut(action), into: &actions)
        }
    }
}
