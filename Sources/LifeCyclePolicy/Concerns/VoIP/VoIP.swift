import LifeCycleModel

/// VoIP pushes, and the incoming calls that apps report for them.
///
/// A push wakes its app in any state. The app has to report a call before its delegate has returned. While a call rings
/// or is on, its app is kept running; the user answers, declines and ends calls, and the app performs that.
struct VoIP: Hashable, Sendable, Codable {
    private(set) var clients = SortedMap<AppID, VoIPClient>()
    /// Whether something has changed since the apps were last looked at.
    private var isStale = true
    /// The next time at which something is due, on the awake clock.
    private var next: Nanoseconds?
    /// Whether a call has begun to ring since the apps were last looked at.
    private var interruptsForeground = false
    /// Whether the foreground app is interrupted by a call that rings.
    private var isInterrupting = false
    /// The apps with calls, as the other concerns know them.
    private var toldCallers: [AppID] = []
    /// The foreground app when the apps were last looked at.
    private var foregroundApp: AppID?
    /// Whether the system has been restarted, and the apps were not looked at since.
    private var isRestored = false

    /// The calls of a launch that still runs go on after a restart of the system. Pushes do not outlive it.
    mutating func restore(_ records: [ConcernRecord], on device: DeviceState) {
        for record in records.voip {
            var client = VoIPClient(record: record)
            if let launch = record.launch, launch == device.liveLaunch(of: record.app) {
                client.holds = [.call]
                client.hasAudio = record.calls.contains { $0.state == .connected }
            }
            clients.set(client, for: record.app)
        }
        isInterrupting = isRinging && device.foreground.interruption == .call
        isRestored = true
    }

    var isEmpty: Bool { clients.isEmpty }

    func nextDeadline(on device: DeviceState) -> Deadline? { next.map { Deadline(at: $0, reason: .voip) } }

    /// Whether the apps have to be looked at now.
    func isDue(on device: DeviceState) -> Bool {
        isStale || foregroundApp != device.foreground.app
            || isInterrupting && device.foreground.interruption != .call || next.map { $0 <= device.awakeNow } ?? false
    }

    mutating func becomeStale() { isStale = true }

    mutating func change(_ app: AppID, _ change: (inout VoIPClient) -> Void) {
        if clients[app] == nil { clients.set(VoIPClient(record: VoIPRecord(app: app)), for: app) }
        clients.update(app, change)
        isStale = true
    }

    /// Changes an app's record, and persists it.
    mutating func keep(_ app: AppID, into actions: inout Actions<Self>, _ change: (inout VoIPRecord) -> Void) {
        self.change(app) { change(&$0.record) }
        if let record = clients[app]?.record { actions.persist(.client(record)) }
    }

    mutating func forget(_ app: AppID) {
        clients.remove(app)
        isStale = true
        // If this was the last app, the concern is idle now and does not look at the apps again.
        next = clients.compactMap(\.value.next).min()
    }

    /// After a stall of the system, apps get their full time again: their messages may wait to be read.
    mutating func noticeStall(on device: DeviceState) {
        guard let next, next < device.awakeNow - device.policy.stall else { return }
        let until = device.awakeNow + device.policy.voipPush
        for app in clients.keys {
            change(app) { client in
                for push in client.open.keys where client.open[push]?.until != nil {
                    client.open.update(push) { $0.until = until }
                }
                for index in client.waiting.indices { client.waiting[index].until = until }
            }
        }
        extendActions { _ in device.awakeNow + device.policy.callAction }
        self.next = nil
    }

    /// Moves the times for the user's actions.
    private mutating func extendActions(to time: (_ until: Nanoseconds) -> Nanoseconds) {
        for app in clients.keys {
            change(app) { client in
                for index in client.record.calls.indices { client.record.calls[index].state.moveEnd(to: time) }
            }
        }
    }

    /// An app that was found frozen after a restart of the system has no assertion any longer.
    mutating func foundFrozen(_ app: AppID, on device: DeviceState) {
        if device.isSuspended(app) { clients.update(app) { $0.holds = [] } }
    }

    // MARK: Calls

    private var isRinging: Bool {
        clients.contains { $0.value.record.calls.contains { $0.state == .ringing } }
    }

    /// The first call in a state, by the order in which calls were reported.
    func firstCall(where isWanted: (PhoneCall.State) -> Bool) -> (app: AppID, call: PhoneCall)? {
        var first: (app: AppID, call: PhoneCall)?
        for (app, client) in clients {
            for call in client.record.calls where isWanted(call.state) && call.number < first?.call.number ?? .max {
                first = (app, call)
            }
        }
        return first
    }

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

    /// The user acts on a call.
    mutating func choose(_ choice: CallChoice, on device: DeviceState, into actions: inout Actions<Self>) {
        if device.isShuttingDown { return actions.refuse(choice.act, .shuttingDown) }
        switch choice {
        case .answer:
            guard let (app, call) = firstCall(where: { $0 == .ringing }) else {
                return actions.refuse(choice.act, .noCall)
            }
            let other = firstCall { state in
                switch state {
                case .answering, .connected: true
                case .ringing, .ending: false
                }
            }
            if other != nil { return actions.refuse(choice.act, .anotherCall) }
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
        var calls: [VoIPCall] = client.hasAudio ? [.audio(isActive: true)] : []
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

    /// Looks at each app again.
    mutating func settleAll(on device: DeviceState, into actions: inout Actions<Self>) {
        if isRestored {
            isRestored = false
            // The apps connect again now, and repeat what they have done meanwhile.
            extendActions { max($0, device.awakeNow + device.policy.reconnect) }
        }
        for app in clients.keys {
            endCallsOfOtherLaunches(of: app, on: device, into: &actions)
            endTimes(of: app, on: device, into: &actions)
            launchForWaiting(app, on: device, into: &actions)
            // The call of the app comes before the end of the hold may suspend the app.
            settleAudio(of: app, on: device, into: &actions)
            settleHolds(of: app, on: device, into: &actions)
            sendAnswers(to: app, on: device, into: &actions)
        }
        settleInterruption(on: device, into: &actions)
        let callers = clients.filter { !$0.value.record.calls.isEmpty }.map(\.key)
        if callers != toldCallers {
            toldCallers = callers
            actions.tell(.callsChanged(callers))
        }
        (isStale, foregroundApp) = (false, device.foreground.app)
        next = clients.compactMap(\.value.next).min()
    }

    /// The launch of the calls may have ended while the system was gone.
    private mutating func endCallsOfOtherLaunches(
        of app: AppID, on device: DeviceState, into actions: inout Actions<Self>
    ) {
        guard let launch = clients[app]?.record.launch, device.liveLaunch(of: app) != launch else { return }
        for call in clients[app]?.record.calls ?? [] { end(call.id, of: launch, .launchEnded, into: &actions) }
    }

    private mutating func endTimes(of app: AppID, on device: DeviceState, into actions: inout Actions<Self>) {
        endTimesOfPushes(of: app, on: device, into: &actions)
        guard let client = clients[app] else { return }
        for call in client.record.calls {
            guard let until = call.state.until, until <= device.awakeNow, let action = call.state.action,
                let launch = client.record.launch
            else { continue }
            actions.call(app, .voip(.timedOut(action, call.id)), .whenItRuns)
            end(call.id, of: launch, .timedOut(action), into: &actions)
        }
    }

    /// In the background an app is kept running while it has a call, and while it handles a push.
    private mutating func settleHolds(of app: AppID, on device: DeviceState, into actions: inout Actions<Self>) {
        guard let client = clients[app] else { return }
        // One event does not freeze and thaw an app. Its freeze is the next change.
        guard device.isOpenable(app), !device.isBeingFrozen(app) else { return }
        var wanted: [Assertion] = []
        if !device.isInForeground(app) {
            if !client.record.calls.isEmpty { wanted.append(.call) }
            if client.open.contains(where: { $0.value.until != nil }) { wanted.append(.voipPush) }
        }
        // A suspended app has no assertion any longer.
        let old = device.isSuspended(app) ? [] : client.holds
        for assertion in wanted where !old.contains(assertion) { actions.hold(app, assertion) }
        for assertion in old where !wanted.contains(assertion) { actions.release(app, assertion) }
        clients.update(app) { $0.holds = wanted }
    }

    /// While one of its calls is on, the app's audio session is active.
    private mutating func settleAudio(of app: AppID, on device: DeviceState, into actions: inout Actions<Self>) {
        guard let client = clients[app] else { return }
        let isOn = client.record.calls.contains { $0.state == .connected }
        guard isOn != client.hasAudio else { return }
        clients.update(app) { $0.hasAudio = isOn }
        actions.call(app, .voip(.audio(isActive: isOn)), .whenItRuns)
    }

    private mutating func sendAnswers(to app: AppID, on device: DeviceState, into actions: inout Actions<Self>) {
        guard let client = clients[app], !client.answers.isEmpty, !device.isSuspended(app),
            let launch = device.liveLaunch(of: app)
        else { return }
        for answer in client.answers { actions.send(.reported(answer.id, answer.failure), to: launch) }
        clients.update(app) { $0.answers = [] }
    }

    /// A call that begins to ring interrupts the foreground app, until no call rings (T06, R-174).
    private mutating func settleInterruption(on device: DeviceState, into actions: inout Actions<Self>) {
        // The user may have ended the interruption while the call rings.
        if device.foreground.interruption != .call { isInterrupting = false }
        if interruptsForeground, isRinging, device.isInterruptible {
            isInterrupting = true
            actions.interrupt(.call)
        } else if isInterrupting, !isRinging {
            isInterrupting = false
            actions.endInterruption(.call)
        }
        interruptsForeground = false
    }
}

extension CallChoice {
    /// The action for records of refusals.
    fileprivate var act: UserAct {
        switch self {
        case .answer: .answerCall
        case .decline: .declineCall
        case .end: .endCall
        }
    }
}

extension PhoneCall.State {
    /// Moves the end of the app's time for the user's action, if there is one.
    fileprivate mutating func moveEnd(to time: (_ until: Nanoseconds) -> Nanoseconds) {
        switch self {
        case .ringing, .connected: break
        case .answering(let until): self = .answering(until: time(until))
        case .ending(let until): self = .ending(until: time(until))
        }
    }
}
