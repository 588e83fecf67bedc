import LifeCycleModel
import LifeCyclePolicy

/// Calls in the reference model.
extension ReferenceModel {
    /// The call of a launch; nil if it has no such call.
    func call(_ id: CallID, of launch: LaunchID) -> PhoneCall? {
        voip[launch.app]?.launch == launch ? voip.calls(of: launch.app).first { $0.id == id } : nil
    }

    mutating func change(_ id: CallID, _ launch: LaunchID, _ change: (inout PhoneCall) -> Void) {
        voip.keep(launch.app) { record in
            for place in record.calls.indices where record.calls[place].id == id { change(&record.calls[place]) }
        }
    }

    // MARK: Reports of apps

    mutating func report(_ id: CallID, _ update: CallUpdate, _ launch: LaunchID, _ index: Int) {
        let app = launch.app
        // One call is reported for each push that the app was called for.
        let missing = voip.open.firstIndex { $0.app == app && $0.until != nil && !$0.isReported }
        if let missing { voip.open[missing].isReported = true }
        let isRepetition = call(id, of: launch) != nil
        let hasMode = apps[index].manifest.backgroundModes.contains(.voip)
        let isImpossible =
            voip.calls(of: app).count >= PhoneCall.most || !isOpenable(index) || shutdown != .none
        let failure: CallFailure? = !hasMode ? .unentitled : isImpossible && !isRepetition ? .unknown : nil
        voip.said.append(.reported(launch, id, failure))
        answer(id, failure, to: app)
        guard failure == nil, !isRepetition else { return }
        let number = (voip.records.flatMap(\.calls).map(\.number).max() ?? 0) + 1
        voip.keep(app) { record in
            record.launch = launch
            record.calls.append(PhoneCall(id: id, number: number, update: update))
        }
        voip.isNewlyRinging = true
    }

    mutating func answer(_ id: CallID, _ failure: CallFailure?, to app: AppID) {
        voip.answers.removeAll { $0.app == app && $0.call == id }
        // An app cannot fill the memory with reports that cannot be answered yet.
        if voip.answers.count(where: { $0.app == app }) < PhoneCall.most {
            voip.answers.append(ReferenceVoIP.Answer(app: app, call: id, failure: failure))
        }
    }

    mutating func endCall(_ id: CallID, _ launch: LaunchID, _ end: CallEnd) {
        guard call(id, of: launch) != nil else { return }
        voip.said.append(.ended(launch, id, end))
        voip.keep(launch.app) { record in
            record.calls.removeAll { $0.id == id }
            if record.calls.isEmpty { record.launch = nil }
        }
    }

    mutating func endAllCalls(of app: AppID) {
        guard let launch = voip[app]?.launch else { return }
        for call in voip.calls(of: app) { endCall(call.id, launch, .launchEnded) }
    }

    mutating func performed(_ action: CallAction, _ id: CallID, _ launch: LaunchID, isFulfilled: Bool) {
        guard call(id, of: launch)?.state.action == action else { return said.append(.launch(launch, .ignoredLate)) }
        switch (action, isFulfilled) {
        case (.end, _): endCall(id, launch, .user)
        case (.answer, false): endCall(id, launch, .failed)
        case (.answer, true):
            voip.said.append(.connected(launch, id))
            change(id, launch) { $0.state = .connected }
        }
    }

    // MARK: The user

    mutating func choose(_ choice: CallChoice) {
        if shutdown != .none { return refuse(choice.act, .shuttingDown) }
        switch choice {
        case .answer:
            guard let ringing = voip.oldestCall({ $0 == .ringing }) else { return refuse(.answerCall, .noCall) }
            if voip.oldestCall(\.isAnswered) != nil { return refuse(.answerCall, .anotherCall) }
            ask(ringing.launch, .answer, ringing.call.id, .answering(until: now + policy.callAction))
        case .decline:
            guard let ringing = voip.oldestCall({ $0 == .ringing }) else { return refuse(.declineCall, .noCall) }
            ask(ringing.launch, .end, ringing.call.id, .ending(until: now + policy.callAction))
        case .end:
            guard let call = voip.oldestCall({ $0 == .connected }) else { return refuse(.endCall, .noCall) }
            ask(call.launch, .end, call.call.id, .ending(until: now + policy.callAction))
        }
    }

    private mutating func refuse(_ act: UserAct, _ refusal: ActRefusal) {
        said.append(.device(.actRefused(act, refusal)))
    }

    /// The app is to perform the user's action.
    private mutating func ask(_ launch: LaunchID, _ action: CallAction, _ id: CallID, _ state: PhoneCall.State) {
        voip.said.append(.chosen(launch, id, action))
        change(id, launch) { $0.state = state }
        requests.append(.call(launch.app, .voip(.perform(action, id)), .whereItRuns))
    }

    /// The app has connected again, and may not have been called before a restart of the system.
    mutating func callAgain(_ launch: LaunchID) {
        guard let index = index(of: launch.app), voip[launch.app]?.launch == launch else { return }
        let hasSound = voip.audible.contains(launch.app) && voip.calls(of: launch.app).contains(where: \.isConnected)
        var calls: [VoIPCall] = hasSound ? [.audio(isActive: true)] : []
        for call in voip.calls(of: launch.app) {
            if let action = call.state.action { calls.append(.perform(action, call.id)) }
        }
        for call in calls where !isToBeCalled(.voip(call), index) {
            requests.append(.call(launch.app, .voip(call), .whereItRuns))
        }
    }

    private func isToBeCalled(_ call: ConcernCall, _ index: Int) -> Bool {
        guard let launch = apps[index].launch, !launch.isGoing else { return false }
        return launch.outstanding?.callback == .concern(call) || launch.pendingCalls.contains { $0.call == call }
    }

    /// Moves the times for the user's actions. Only the next change of a record is on disk.
    mutating func extendActions(to time: (_ until: Nanoseconds) -> Nanoseconds) {
        for place in voip.records.indices {
            for index in voip.records[place].calls.indices {
                switch voip.records[place].calls[index].state {
                case .answering(let until):
                    voip.records[place].calls[index].state = .answering(until: time(until))
                case .ending(let until): voip.records[place].calls[index].state = .ending(until: time(until))
                case .ringing, .connected: break
                }
            }
        }
    }

    /// After a restart of the system, apps may report what they did meanwhile.
    mutating func waitForReconnections() {
        guard voip.isRestarted else { return }
        voip.isRestarted = false
        let least = now + policy.reconnect
        extendActions { max($0, least) }
    }

    // MARK: The end of an event

    /// The launch of the calls may have ended while the system did not run.
    mutating func endCallsOfOtherLaunches(_ app: AppID, _ index: Int) {
        let launch = apps[index].launch
        if launch?.isGoing != false || launch?.id != voip[app]?.launch { endAllCalls(of: app) }
    }

    /// The calls whose app has not performed the user's action in time are over.
    mutating func endLateCalls(_ app: AppID) {
        for call in voip.calls(of: app) {
            guard let until = call.state.until, until <= now, let action = call.state.action,
                let launch = voip[app]?.launch
            else { continue }
            requests.append(.call(app, .voip(.timedOut(action, call.id)), .whereItRuns))
            endCall(call.id, launch, .timedOut(action))
        }
    }

    mutating func settleCalls(_ app: AppID, _ index: Int) {
        // The app is called before it may be suspended.
        activateForCall(app)
        holdForVoIP(app, index)
        answerReports(app, index)
    }

    /// In the background an app is kept running while it has a call, and while it handles a push.
    private mutating func holdForVoIP(_ app: AppID, _ index: Int) {
        // An app that is about to be suspended is frozen first.
        guard isOpenable(index), !isBeingFrozen(app), let launch = apps[index].launch else { return }
        let isInBackground = !isInForeground(index)
        let hasCall = isInBackground && !voip.calls(of: app).isEmpty
        let hasPush = isInBackground && voip.open.contains { $0.app == app && $0.until != nil }
        // The new assertions come first, so that the app is not suspended in between.
        if hasCall, !launch.isHeldForCall { requests.append(.holdForCall(app, true)) }
        if hasPush, !launch.isHeldForPush { requests.append(.holdForPush(app, true)) }
        if !hasCall, launch.isHeldForCall { requests.append(.holdForCall(app, false)) }
        if !hasPush, launch.isHeldForPush { requests.append(.holdForPush(app, false)) }
    }

    /// The first connected call activates the app's audio session. The session is deactivated when no call is connected
    /// and none is being ended.
    private mutating func activateForCall(_ app: AppID) {
        let calls = voip.calls(of: app)
        if calls.contains(where: \.isConnected) {
            if voip.audible.contains(app) { return }
            voip.audible.append(app)
        } else {
            guard voip.audible.contains(app) || voip.perhapsAudible.contains(app),
                calls.allSatisfy({ $0.state.action != .end })
            else { return }
            voip.audible.removeAll { $0 == app }
        }
        voip.perhapsAudible.removeAll { $0 == app }
        requests.append(.call(app, .voip(.audio(isActive: voip.audible.contains(app))), .whereItRuns))
    }

    private mutating func answerReports(_ app: AppID, _ index: Int) {
        guard let launch = apps[index].launch, !launch.isGoing, !launch.isSuspendedOrAboutToBe else { return }
        for answer in voip.answers where answer.app == app {
            voip.messages.append(
                ReferenceVoIP.Message(launch: launch.id, news: .reported(answer.call, answer.failure)))
        }
        voip.answers.removeAll { $0.app == app }
    }

    /// A call that begins to ring interrupts the foreground app, until no call rings (T06).
    mutating func settleRinging() {
        let isRinging = voip.isRinging
        // The user may have ended the interruption while the call rings.
        if device.interruption != .call { voip.isInterrupting = false }
        if voip.isNewlyRinging, isRinging, isInterruptible {
            voip.isInterrupting = true
            requests.append(.interrupt(.call))
        } else if voip.isInterrupting, !isRinging {
            voip.isInterrupting = false
            requests.append(.endInterruption(.call))
        }
        voip.isNewlyRinging = false
    }

    /// Calls of apps interrupt the sound of the other apps.
    mutating func informOfCalls() {
        let apps = voip.records.filter { !$0.calls.isEmpty }.map(\.app)
        guard apps != voip.toldApps else { return }
        voip.toldApps = apps
        requests.append(.tell(.callsChanged(apps)))
    }

    /// After a restart of the system, an interruption may still be that of a call that rings, and the audio session of
    /// an app may be active for a call.
    mutating func callsRestarted() {
        voip.isInterrupting = voip.isRinging && device.interruption == .call
        for app in apps where app.launch?.id == voip[app.id]?.launch {
            let calls = voip.calls(of: app.id)
            if calls.contains(where: \.isConnected) {
                voip.audible.append(app.id)
            } else if calls.contains(where: { $0.state.action == .end }) {
                voip.perhapsAudible.append(app.id)
            }
        }
    }
}

extension PhoneCall {
    fileprivate var isConnected: Bool { state == .connected }
}
