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
        let new = PhoneCall(id: id, number: nextCallNumber, update: update)
        voip.keep(app) { record in
            record.launch = launch
            record.calls.append(new)
        }
        voip.isNewlyRinging = true
    }

    var nextCallNumber: Int64 { (voip.records.flatMap(\.calls).map(\.number).max() ?? 0) + 1 }

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
        guard call(id, of: launch)?.awaits(action) == true else { return said.append(.launch(launch, .ignoredLate)) }
        switch (action, isFulfilled) {
        case (.end, _): endCall(id, launch, .user)
        case (.answer, false), (.start, false): endCall(id, launch, .failed)
        case (.answer, true):
            voip.said.append(.connected(launch, id))
            change(id, launch) { $0.state = .connected }
        case (.start, true):
            voip.said.append(.dialing(launch, id))
            change(id, launch) { $0.state = .dialing }
        case (.hold, _), (.resume, _), (.mute, _), (.unmute, _):
            voip.said.append(isFulfilled ? .changed(launch, id, action) : .changeFailed(launch, id, action))
            change(id, launch) { $0.finish(action, isDone: isFulfilled) }
        }
    }

    /// The other side has answered an outgoing call. The app may say so before it has fulfilled the start.
    mutating func connected(_ id: CallID, _ launch: LaunchID) {
        guard let call = call(id, of: launch), call.state == .dialing || call.awaits(.start) else {
            return said.append(.launch(launch, .ignoredLate))
        }
        voip.said.append(.connected(launch, id))
        change(id, launch) { $0.state = .connected }
    }

    // MARK: The user

    mutating func choose(_ choice: CallChoice) {
        if shutdown != .none { return refuse(choice.act, .shuttingDown) }
        let isOccupied = voip.oldestCall(\.occupiesUser) != nil
        switch choice {
        case .answer: begin(.answer, voip.oldestCall { $0.state == .ringing }, choice, isBarred: isOccupied)
        case .decline: begin(.end, voip.oldestCall { $0.state == .ringing }, choice)
        case .end:
            begin(.end, voip.oldestCall(\.sounds) ?? voip.oldestCall { $0.state == .connected }, choice)
        case .hold: begin(.hold, voip.oldestCall { $0.occupiesUser && $0.admits(.hold) }, choice)
        case .resume: begin(.resume, voip.oldestCall { $0.admits(.resume) }, choice, isBarred: isOccupied)
        case .mute: begin(.mute, voip.oldestCall { $0.sounds && $0.admits(.mute) }, choice)
        case .unmute: begin(.unmute, voip.oldestCall { $0.sounds && $0.admits(.unmute) }, choice)
        }
    }

    private mutating func refuse(_ act: UserAct, _ refusal: ActRefusal) {
        said.append(.device(.actRefused(act, refusal)))
    }

    /// The user's action concerns this call; nil if there is no such call. `isBarred` is whether another call forbids
    /// it.
    private mutating func begin(
        _ action: CallAction, _ call: (launch: LaunchID, call: PhoneCall)?, _ choice: CallChoice,
        isBarred: Bool = false
    ) {
        guard let call else { return refuse(choice.act, .noCall) }
        if isBarred { return refuse(choice.act, .anotherCall) }
        ask(call.launch, action, call.call.id)
    }

    /// The app is to perform an action, which the user or the app itself has asked for.
    mutating func ask(_ launch: LaunchID, _ action: CallAction, _ id: CallID) {
        let until = now + policy.callAction
        voip.said.append(.chosen(launch, id, action))
        change(id, launch) { $0.begin(action, until: until) }
        requests.append(.call(launch.app, .voip(.perform(action, id)), .whereItRuns))
    }

    /// The app has connected again, and may not have been called before a restart of the system.
    mutating func callAgain(_ launch: LaunchID) {
        guard let index = index(of: launch.app), voip[launch.app]?.launch == launch else { return }
        let hasSound = voip.audible.contains(launch.app) && voip.calls(of: launch.app).contains(where: \.sounds)
        var calls: [VoIPCall] = hasSound ? [.audio(isActive: true)] : []
        for call in voip.calls(of: launch.app) {
            for duty in call.duties { calls.append(.perform(duty.action, call.id)) }
        }
        for call in calls where !isToBeCalled(.voip(call), index) {
            requests.append(.call(launch.app, .voip(call), .whereItRuns))
        }
    }

    private func isToBeCalled(_ call: ConcernCall, _ index: Int) -> Bool {
        guard let launch = apps[index].launch, !launch.isGoing else { return false }
        return launch.outstanding?.callback == .concern(call) || launch.pendingCalls.contains { $0.call == call }
    }

    /// Moves the times for actions. Only the next change of a record is on disk.
    mutating func extendActions(to time: (_ until: Nanoseconds) -> Nanoseconds) {
        for place in voip.records.indices {
            for index in voip.records[place].calls.indices { voip.records[place].calls[index].extend(to: time) }
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

    /// The app has not performed an action in time. The call is over if it cannot continue without the action.
    mutating func endLateActions(_ app: AppID) {
        guard let launch = voip[app]?.launch else { return }
        for call in voip.calls(of: app) {
            for duty in call.duties where duty.until <= now {
                requests.append(.call(app, .voip(.timedOut(duty.action, call.id)), .whereItRuns))
                switch duty.action {
                case .start, .answer, .end: endCall(call.id, launch, .timedOut(duty.action))
                case .hold, .resume, .mute, .unmute:
                    voip.said.append(.changeFailed(launch, call.id, duty.action))
                    change(call.id, launch) { $0.finish(duty.action, isDone: false) }
                }
            }
        }
    }

    mutating func settleCalls(_ app: AppID, _ index: Int) {
        // The app is called before it may be suspended.
        activateForCall(app)
        holdForVoIP(app, index)
        sendAnswers(app, index)
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

    /// The first call that is dialing or connected, and is not on hold, activates the app's audio session. The session
    /// is deactivated when there is no such call and no call is being ended.
    private mutating func activateForCall(_ app: AppID) {
        let calls = voip.calls(of: app)
        if calls.contains(where: \.sounds) {
            if voip.audible.contains(app) { return }
            voip.audible.append(app)
        } else {
            guard voip.audible.contains(app) || voip.perhapsAudible.contains(app),
                !calls.contains(where: \.isBeingEnded)
            else { return }
            voip.audible.removeAll { $0 == app }
        }
        voip.perhapsAudible.removeAll { $0 == app }
        requests.append(.call(app, .voip(.audio(isActive: voip.audible.contains(app))), .whereItRuns))
    }

    mutating func sendAnswers(_ app: AppID, _ index: Int) {
        guard let launch = apps[index].launch, !launch.isGoing, !launch.isSuspendedOrAboutToBe else { return }
        for answer in voip.answers where answer.app == app {
            voip.messages.append(
                ReferenceVoIP.Message(launch: launch.id, news: .reported(answer.call, answer.failure)))
        }
        for answer in voip.transactions where answer.app == app {
            voip.messages.append(
                ReferenceVoIP.Message(launch: launch.id, news: .transacted(answer.number, answer.failure)))
        }
        voip.answers.removeAll { $0.app == app }
        voip.transactions.removeAll { $0.app == app }
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

    /// Calls of apps interrupt the sound of the other apps, unless they are on hold.
    mutating func informOfCalls() {
        let apps = voip.records.filter { !$0.calls.allSatisfy(\.isOnHold) }.map(\.app)
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
            if calls.contains(where: \.sounds) {
                voip.audible.append(app.id)
            } else if calls.contains(where: \.isBeingEnded) {
                voip.perhapsAudible.append(app.id)
            }
        }
    }
}
