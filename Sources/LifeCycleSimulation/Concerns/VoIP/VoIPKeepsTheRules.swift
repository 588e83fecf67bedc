import LifeCycleModel
import LifeCyclePolicy

/// The rules of VoIP pushes and calls:
/// - An app is called for a push only after its launch has asked for pushes, and once for each push.
/// - An app that reports no call for a push is killed, unless it exits. Either is a miss. After `voipMisses` misses it
///   is not woken any longer.
/// - A call belongs to a launch of an app that declares `voip`, and ends with the launch. Meanwhile the app is not
///   suspended.
/// - An incoming call is connected only after an answer, which the user or its app has chosen. An outgoing call is
///   connected only after its start. Neither begins while another call is on, and no call is resumed then.
/// - All actions of a transaction begin, or none. The app performs each action in time. Otherwise the call ends, or is
///   not changed.
struct VoIPKeepsTheRules: Invariant {
    static let name = "VoIP keeps the rules"

    /// A push that an app was called for, until the delegate's method has returned.
    private struct Push: Sendable {
        let launch: LaunchID
        let number: Int64
        let until: Nanoseconds
        /// The same, but later if the system has stalled meanwhile.
        var latest: Nanoseconds
        var isReported = false
    }

    private var pushes: [Push] = []
    private var calls: [ObservedCall] = []
    // The collections are for look-up only, so the order does not matter.
    private var registered: Set<LaunchID> = []
    private var lastPushes: [AppID: Int64] = [:]
    /// The time until which the pushes of each launch may keep it running.
    private var pushTimes: [LaunchID: Nanoseconds] = [:]
    private var misses: [AppID: Int32] = [:]
    /// The launches from before the journal. They may have registered, and may have calls.
    private var earlier: Set<LaunchID> = []
    /// False after a restart of the system until the first deadline. Until then a launch may be over that has calls.
    private var isStarted = true
    /// The brain's next deadline, as of the last event; nil if there is none.
    private var wanted: Nanoseconds?

    init() {}

    init(_ device: Device) { earlier = Set(device.snapshots.compactMap(\.launch)) }

    mutating func check(_ turn: Observation) -> String? {
        if turn.event == .deadlineReached, !isStarted { started(turn) }
        if let wanted, wanted + turn.policy.stall < turn.now { loopStalled(turn) }
        wanted = isStarted ? turn.device.nextDeadlineTime : nil
        if let finding = checkArrival(turn) ?? checkExits(turn) { return finding }
        for effect in turn.effects {
            switch effect {
            case .decided(.concern(.voip(let decision))):
                if let finding = check(decision, turn) { return finding }
            case .launch(let launch, .kill(.noCallReported)):
                // A kill before the system's restart is repeated when the launch is found.
                if case .process(_, .found) = turn.event { break }
                guard turn.hasMiss(of: launch) else { return "\(launch) is killed for a push, and missed no call" }
            case .store(.appRemoved(let app)): (lastPushes[app], misses[app]) = (nil, nil)
            default: break
            }
        }
        let finding =
            checkReturn(turn) ?? checkTransaction(turn) ?? checkTimes(turn) ?? checkCalls(turn) ?? checkHolds(turn)
        for case .decided(.launch(let launch, .ended(_, _))) in turn.effects { forget(launch) }
        return finding
    }

    mutating func systemRestarted() {
        (pushes, pushTimes, wanted) = ([], [:], nil)
        isStarted = false
    }

    /// The apps connect again after a restart of the system, and report what they did meanwhile.
    private mutating func started(_ turn: Observation) {
        isStarted = true
        let least = turn.now + turn.policy.reconnect
        for place in calls.indices { calls[place].extend { max($0, least) } }
    }

    /// The apps have the full time again.
    private mutating func loopStalled(_ turn: Observation) {
        let (push, action) = (turn.now + turn.policy.voipPush, turn.now + turn.policy.callAction)
        for place in pushes.indices { pushes[place].latest = push }
        for place in calls.indices { calls[place].extend { _ in action } }
        for launch in pushTimes.keys { pushTimes[launch] = push }
    }

    private mutating func forget(_ launch: LaunchID) {
        registered.remove(launch)
        earlier.remove(launch)
        pushTimes[launch] = nil
    }

    // MARK: Pushes

    private mutating func checkArrival(_ turn: Observation) -> String? {
        switch turn.event {
        case .device(.appInstalled(let app, _)): misses[app] = nil
        case .device(.deviceStarted): misses = [:]
        case .concern(.voip(.pushArrived(let app, _))):
            guard Int64(misses[app] ?? 0) >= turn.policy.voipMisses else { return nil }
            let isAccepted = turn.voipDecisions.contains { decision in
                switch decision {
                case .waits(app): true
                case .delivered(let launch, _): launch.app == app
                default: false
                }
            }
            return isAccepted ? "\(app) gets a push, and reported no call for too many" : nil
        default: break
        }
        return nil
    }

    private mutating func check(_ decision: VoIPDecision, _ turn: Observation) -> String? {
        switch decision {
        case .asked(let launch, true): registered.insert(launch)
        case .delivered(let launch, let number): return delivered(number, launch, turn)
        case .dropped(let app, .launchEnded): pushes.removeAll { $0.launch.app == app }
        case .missed(let launch, let count): return missed(launch, count, turn)
        case .reported(let launch, let id, let failure): return reported(id, launch, failure, turn)
        case .chosen(let launch, let id, let action): return chosen(action, id, launch, turn)
        case .transactionRefused(let launch, let failure): return refused(failure, launch, turn)
        case .dialing(let launch, let id): return dialing(id, launch, turn)
        case .connected(let launch, let id): return connected(id, launch, turn)
        case .changed(let launch, let id, let action): return changed(action, id, launch, turn)
        case .changeFailed(let launch, let id, let action): return changeFailed(action, id, launch, turn)
        case .ended(let launch, let id, let end): return ended(id, launch, end, turn)
        case .asked(_, false), .registered, .waits, .dropped: break
        }
        return nil
    }

    private mutating func delivered(_ number: Int64, _ launch: LaunchID, _ turn: Observation) -> String? {
        if !registered.contains(launch), !earlier.contains(launch) {
            return "\(launch) is called for a push, and has not asked for pushes"
        }
        let last = lastPushes.updateValue(number, forKey: launch.app) ?? 0
        if number <= last { return "\(launch) is called for the push \(number) after the push \(last)" }
        let until = turn.now + turn.policy.voipPush
        pushes.append(Push(launch: launch, number: number, until: until, latest: until))
        pushTimes[launch] = until
        return nil
    }

    private mutating func missed(_ launch: LaunchID, _ count: Int32, _ turn: Observation) -> String? {
        let place = pushes.firstIndex { push in
            push.launch == launch && !push.isReported
                && (push.until <= turn.now || turn.isRequest(.returned(push.number), by: launch)
                    || turn.exited.contains(launch))
        }
        misses[launch.app] = count
        guard let place else {
            return earlier.contains(launch) ? nil : "\(launch) has missed a call, and may still report it"
        }
        pushes.remove(at: place)
        return turn.killed.contains(launch) || turn.exited.contains(launch)
            ? nil : "\(launch) has reported no call for a push, and lives"
    }

    /// An app cannot escape the count of its misses by an exit.
    private func checkExits(_ turn: Observation) -> String? {
        guard turn.policy.voipPushNeedsCall else { return nil }
        let escaped = turn.exited.first { launch in
            pushes.contains { $0.launch == launch && !$0.isReported } && !turn.hasMiss(of: launch)
        }
        return escaped.map { "\($0) has exited without the call for a push, and has not missed it" }
    }

    /// The delegate's method returns from a push.
    private mutating func checkReturn(_ turn: Observation) -> String? {
        pushes.removeAll { turn.killed.contains($0.launch) || turn.ended.contains($0.launch) }
        guard case .app(let launch, .requested(.concern(.voip(.returned(let number))))) = turn.event,
            let place = pushes.firstIndex(where: { $0.launch == launch && $0.number == number })
        else { return nil }
        let push = pushes.remove(at: place)
        let isMissing = turn.policy.voipPushNeedsCall && !push.isReported
        return isMissing ? "\(launch) has returned from a push without a call, and lives" : nil
    }

    private mutating func checkTimes(_ turn: Observation) -> String? {
        guard isStarted else { return nil }
        let needsCall = turn.policy.voipPushNeedsCall
        pushes.removeAll { $0.latest <= turn.now && ($0.isReported || !needsCall) }
        if let late = pushes.first(where: { !$0.isReported && $0.latest + turn.slack < turn.now }) {
            return "\(late.launch) has reported no call in time, and lives"
        }
        return calls.first { call in call.duties.contains { $0.latest + turn.slack < turn.now } }
            .map { "\($0.launch) has not performed an action on \($0.id) in time" }
    }

    // MARK: Calls

    private func place(of id: CallID, _ launch: LaunchID) -> Int? {
        calls.firstIndex { $0.launch == launch && $0.id == id }
    }

    private mutating func reported(
        _ id: CallID, _ launch: LaunchID, _ failure: CallFailure?, _ turn: Observation
    ) -> String? {
        // One call is reported for each push.
        let place = pushes.firstIndex { $0.launch == launch && !$0.isReported }
        if let place { pushes[place].isReported = true }
        guard failure == nil, self.place(of: id, launch) == nil else { return nil }
        calls.append(ObservedCall(launch: launch, id: id))
        if let finding = checkApp(of: launch, turn) { return finding }
        // After a restart it may be the repetition of a report.
        let record = turn.device.record
        let isSeen = !isStarted || turn.foregroundApp == nil || record.isLocked || record.interruption != nil
        return isSeen ? nil : "\(id) of \(launch) rings, and does not interrupt the foreground app"
    }

    private func checkApp(of launch: LaunchID, _ turn: Observation) -> String? {
        guard let app = turn.snapshots.first(where: { $0.launch == launch }) else {
            return "\(launch) has a call, and does not run"
        }
        let hasMode = app.record.manifest.backgroundModes.contains(.voip)
        return hasMode ? nil : "\(launch) has a call, and does not declare the mode"
    }

    private mutating func chosen(
        _ action: CallAction, _ id: CallID, _ launch: LaunchID, _ turn: Observation
    ) -> String? {
        let isByUser = turn.isUsers(action)
        let actions = turn.transaction(of: launch) ?? []
        guard isByUser || actions.contains(where: { $0.call == id && $0.action == action }) else {
            return "\(launch) is to \(action) \(id) by itself"
        }
        let duty = ObservedCall.Duty(action, until: turn.now + turn.policy.callAction)
        if action == .start { return started(id, launch, duty, turn) }
        guard let place = place(of: id, launch) else {
            if let call = ObservedCall(launch: launch, id: id, before: action) {
                calls.append(call)
                calls[calls.count - 1].begin(duty)
            }
            return earlier.contains(launch) ? nil : "\(launch) is to \(action) \(id), which it does not have"
        }
        let old = calls[place]
        calls[place].begin(duty)
        if !old.permits(action, isByUser: isByUser) {
            return "\(launch) is to \(action) \(id) during \(old.progress)"
        }
        let isBarred = (action == .answer || action == .resume) && isOn(except: place, isByUser: isByUser)
        return isBarred ? "\(launch) is to \(action) \(id) while another call is on" : nil
    }

    private mutating func started(
        _ id: CallID, _ launch: LaunchID, _ duty: ObservedCall.Duty, _ turn: Observation
    ) -> String? {
        if place(of: id, launch) != nil { return "\(launch) starts \(id) twice" }
        let isBarred = isOn(except: nil, isByUser: false)
        calls.append(ObservedCall(launch: launch, id: id))
        calls[calls.count - 1].begin(duty)
        if isBarred { return "\(launch) starts \(id) while another call is on" }
        let isInterrupting = turn.effects.contains { effect in
            if case .decided(.launch(_, .interrupted)) = effect { true } else { false }
        }
        if isInterrupting { return "\(id) interrupts the foreground app, and does not ring" }
        return checkApp(of: launch, turn)
    }

    /// Whether another call is on. For an app's own actions, a call that is about to be put on hold is not.
    private func isOn(except place: Int?, isByUser: Bool) -> Bool {
        calls.indices.contains { $0 != place && calls[$0].isOn && (isByUser || !calls[$0].hasDuty(.hold)) }
    }

    private func refused(_ failure: TransactionFailure, _ launch: LaunchID, _ turn: Observation) -> String? {
        guard turn.transaction(of: launch) != nil else { return "\(launch) is refused a transaction by itself" }
        let app = turn.snapshots.first { $0.launch == launch }
        let lacksMode = app.map { !$0.record.manifest.backgroundModes.contains(.voip) }
        return lacksMode.map { $0 != (failure == .unentitled) } ?? false
            ? "a transaction of \(launch) is refused for \(failure)" : nil
    }

    /// All actions of a transaction begin, or none.
    private func checkTransaction(_ turn: Observation) -> String? {
        guard case .app(let launch, _) = turn.event, let actions = turn.transaction(of: launch) else { return nil }
        let count = turn.voipDecisions.count { if case .chosen = $0 { true } else { false } }
        let isRefused = turn.voipDecisions.contains { if case .transactionRefused = $0 { true } else { false } }
        if count != 0, isRefused { return "a transaction of \(launch) is refused, and begins" }
        return count == 0 || count == actions.count ? nil : "\(launch) is to perform a part of a transaction"
    }

    private mutating func dialing(_ id: CallID, _ launch: LaunchID, _ turn: Observation) -> String? {
        guard turn.isRequest(.performed(.start, id, isFulfilled: true), by: launch) else {
            return "\(id) is dialing, and \(launch) has not started it"
        }
        guard let place = place(of: id, launch) else {
            calls.append(ObservedCall(launch: launch, id: id, progress: .dialing))
            return earlier.contains(launch) ? nil : "\(launch) has started \(id), which it does not have"
        }
        let wasStarting = calls[place].progress == .starting
        calls[place].move(to: .dialing)
        return wasStarting ? nil : "\(id) of \(launch) is dialing, and was not being started"
    }

    private mutating func connected(_ id: CallID, _ launch: LaunchID, _ turn: Observation) -> String? {
        let isAnswer = turn.isRequest(.performed(.answer, id, isFulfilled: true), by: launch)
        guard isAnswer || turn.isRequest(.connected(id), by: launch) else {
            return "\(id) is connected, and \(launch) has not answered it"
        }
        guard let place = place(of: id, launch) else {
            calls.append(ObservedCall(launch: launch, id: id, progress: .connected))
            return earlier.contains(launch) ? nil : "\(launch) has connected \(id), which it does not have"
        }
        let old = calls[place].progress
        calls[place].move(to: .connected)
        let isRight = isAnswer ? old == .answering : old == .starting || old == .dialing
        return isRight ? nil : "\(id) of \(launch) is connected during \(old)"
    }

    private mutating func changed(
        _ action: CallAction, _ id: CallID, _ launch: LaunchID, _ turn: Observation
    ) -> String? {
        guard turn.isRequest(.performed(action, id, isFulfilled: true), by: launch) else {
            return "\(id) is changed (\(action)), and \(launch) has not performed that"
        }
        guard let place = place(of: id, launch) else {
            return earlier.contains(launch) ? nil : "\(launch) has changed \(id), which it does not have"
        }
        let isRight = calls[place].change(action, isDone: true) != nil || earlier.contains(launch)
        return isRight ? nil : "\(id) of \(launch) is changed (\(action)), and was not to be"
    }

    private mutating func changeFailed(
        _ action: CallAction, _ id: CallID, _ launch: LaunchID, _ turn: Observation
    ) -> String? {
        guard let place = place(of: id, launch), let duty = calls[place].change(action, isDone: false) else {
            return earlier.contains(launch) ? nil : "\(id) of \(launch) is not changed (\(action)), and was not to be"
        }
        let isFailed = turn.isRequest(.performed(action, id, isFulfilled: false), by: launch)
        return isFailed || duty.until <= turn.now
            ? nil : "\(launch) may still perform an action (\(action)) on \(id)"
    }

    private mutating func ended(_ id: CallID, _ launch: LaunchID, _ end: CallEnd, _ turn: Observation) -> String? {
        guard let place = place(of: id, launch) else {
            return earlier.contains(launch) ? nil : "\(id) of \(launch) has ended, and there was no such call"
        }
        let call = calls.remove(at: place)
        let isRight =
            switch end {
            case .reported(let reason): turn.isRequest(.ended(id, reason), by: launch)
            case .user:
                call.hasDuty(.end)
                    && [true, false].contains { turn.isRequest(.performed(.end, id, isFulfilled: $0), by: launch) }
            case .failed:
                [CallAction.answer, .start].contains {
                    call.hasDuty($0) && turn.isRequest(.performed($0, id, isFulfilled: false), by: launch)
                }
            case .timedOut(let action):
                [.answer, .start, .end].contains(action)
                    && call.duties.contains { $0.action == action && $0.until <= turn.now }
            case .launchEnded: true
            }
        return isRight ? nil : "\(id) of \(launch) has ended (\(end)) during \(call.progress)"
    }

    // MARK: After the event

    private func checkCalls(_ turn: Observation) -> String? {
        guard isStarted else { return nil }
        for call in calls {
            guard let app = turn.snapshots.first(where: { $0.launch == call.launch }),
                !turn.killed.contains(call.launch)
            else { return "\(call.id) outlives \(call.launch)" }
            if app.state == .suspended, !app.isEnding { return "\(call.launch) is suspended during \(call.id)" }
        }
        return nil
    }

    /// The assertions of an app that is being ended do not change any more.
    private func checkHolds(_ turn: Observation) -> String? {
        guard isStarted else { return nil }
        for app in turn.snapshots where !app.isEnding {
            guard let launch = app.launch, !earlier.contains(launch) else { continue }
            if app.assertions.contains(.call), !calls.contains(where: { $0.launch == launch }) {
                return "\(launch) is kept running by a call, and has none"
            }
            if app.assertions.contains(.voipPush), (pushTimes[launch] ?? .zero) + turn.slack < turn.now {
                return "\(launch) is kept running by a push whose time is over"
            }
        }
        return nil
    }
}

extension Observation {
    fileprivate var voipDecisions: [VoIPDecision] {
        effects.compactMap { if case .decided(.concern(.voip(let decision))) = $0 { decision } else { nil } }
    }

    fileprivate func hasMiss(of launch: LaunchID) -> Bool {
        voipDecisions.contains { if case .missed(launch, _) = $0 { true } else { false } }
    }

    /// The launches that are killed in this event, and below them the launches that have ended.
    fileprivate var killed: [LaunchID] {
        effects.compactMap { if case .launch(let launch, .kill) = $0 { launch } else { nil } }
    }
    fileprivate var ended: [LaunchID] {
        effects.compactMap { if case .decided(.launch(let launch, .ended(_, _))) = $0 { launch } else { nil } }
    }
    /// The launches whose app has exited by itself.
    fileprivate var exited: [LaunchID] {
        effects.compactMap { effect in
            if case .decided(.launch(let launch, .ended(.exited, _))) = effect { launch } else { nil }
        }
    }

    /// Whether the event is an act of the user by which an app performs this action.
    fileprivate func isUsers(_ action: CallAction) -> Bool {
        guard case .concern(.voip(.chosen(let choice))) = event else { return false }
        return switch choice {
        case .answer: action == .answer
        case .decline, .end: action == .end
        case .hold: action == .hold
        case .resume: action == .resume
        case .mute: action == .mute
        case .unmute: action == .unmute
        }
    }

    /// The actions of the transaction that the event is; nil if it is no transaction of the launch.
    fileprivate func transaction(of launch: LaunchID) -> [CallRequest]? {
        guard case .app(launch, .requested(.concern(.voip(.transact(_, let actions))))) = event else { return nil }
        return actions
    }

    /// Whether the event is this request of the launch.
    fileprivate func isRequest(_ request: VoIPRequest, by launch: LaunchID) -> Bool {
        event == .app(launch, .requested(.concern(.voip(request))))
    }
}
