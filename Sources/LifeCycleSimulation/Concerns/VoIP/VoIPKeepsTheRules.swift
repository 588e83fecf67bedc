import LifeCycleModel
import LifeCyclePolicy

/// The rules of VoIP pushes and calls:
/// - An app is called for a push only after its launch has asked for pushes, and once for each push.
/// - An app that reports no call for a push is killed, unless it exits. Either is a miss. After `voipMisses` misses it
///   is not woken any longer.
/// - A call belongs to a launch of an app that declares `voip`, and ends with the launch. Meanwhile the app is not
///   suspended.
/// - Only the user's answer connects a call, and not while another call is on. The app performs the user's actions in
///   time.
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

    private struct Call: Sendable {
        let launch: LaunchID
        let id: CallID
        var state = PhoneCall.State.ringing
        /// The time of the state, but later if the system has stalled meanwhile.
        var latest: Nanoseconds?
    }

    private var pushes: [Push] = []
    private var calls: [Call] = []
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
        let finding = checkReturn(turn) ?? checkTimes(turn) ?? checkCalls(turn) ?? checkHolds(turn)
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
        for place in calls.indices { calls[place].latest = calls[place].latest.map { max($0, least) } }
    }

    /// The apps have the full time again.
    private mutating func loopStalled(_ turn: Observation) {
        let (push, action) = (turn.now + turn.policy.voipPush, turn.now + turn.policy.callAction)
        for place in pushes.indices { pushes[place].latest = push }
        for place in calls.indices where calls[place].latest != nil { calls[place].latest = action }
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
        case .connected(let launch, let id): return connected(id, launch, turn)
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
        return calls.first { $0.latest.map { $0 + turn.slack < turn.now } ?? false }
            .map { "\($0.launch) has not performed the user's action on \($0.id) in time" }
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
        calls.append(Call(launch: launch, id: id))
        guard let app = turn.snapshots.first(where: { $0.launch == launch }) else {
            return "\(launch) has a call, and does not run"
        }
        guard app.record.manifest.backgroundModes.contains(.voip) else {
            return "\(launch) has a call, and does not declare the mode"
        }
        // After a restart it may be the repetition of a report.
        let record = turn.device.record
        let isSeen = !isStarted || turn.foregroundApp == nil || record.isLocked || record.interruption != nil
        return isSeen ? nil : "\(id) of \(launch) rings, and does not interrupt the foreground app"
    }

    private mutating func chosen(
        _ action: CallAction, _ id: CallID, _ launch: LaunchID, _ turn: Observation
    ) -> String? {
        guard case .concern(.voip(.chosen)) = turn.event else { return "\(launch) is to \(action) \(id) by itself" }
        let until = turn.now + turn.policy.callAction
        let new: PhoneCall.State = action == .answer ? .answering(until: until) : .ending(until: until)
        guard let place = place(of: id, launch) else {
            calls.append(Call(launch: launch, id: id, state: new, latest: until))
            return earlier.contains(launch) ? nil : "\(launch) is to \(action) \(id), which it does not have"
        }
        let old = calls[place].state
        (calls[place].state, calls[place].latest) = (new, until)
        switch action {
        case .end: return old == .ringing || old == .connected ? nil : "\(launch) is to end \(id) during \(old)"
        case .answer:
            if old != .ringing { return "\(launch) is to answer \(id), which does not ring" }
            let isOther = calls.indices.contains { $0 != place && calls[$0].state.isAnswered }
            return isOther ? "\(launch) is to answer \(id) while another call is on" : nil
        }
    }

    private mutating func connected(_ id: CallID, _ launch: LaunchID, _ turn: Observation) -> String? {
        guard turn.isRequest(.performed(.answer, id, isFulfilled: true), by: launch) else {
            return "\(id) is connected, and \(launch) has not answered it"
        }
        guard let place = place(of: id, launch) else {
            calls.append(Call(launch: launch, id: id, state: .connected))
            return earlier.contains(launch) ? nil : "\(launch) has answered \(id), which it does not have"
        }
        let wasAnswered = calls[place].state.action == .answer
        (calls[place].state, calls[place].latest) = (.connected, nil)
        return wasAnswered ? nil : "\(id) of \(launch) is connected, and the user has not answered"
    }

    private mutating func ended(_ id: CallID, _ launch: LaunchID, _ end: CallEnd, _ turn: Observation) -> String? {
        guard let place = place(of: id, launch) else {
            return earlier.contains(launch) ? nil : "\(id) of \(launch) has ended, and there was no such call"
        }
        let state = calls.remove(at: place).state
        let isRight =
            switch end {
            case .reported(let reason): turn.isRequest(.ended(id, reason), by: launch)
            case .user:
                state.action == .end
                    && [true, false].contains { turn.isRequest(.performed(.end, id, isFulfilled: $0), by: launch) }
            case .failed:
                state.action == .answer && turn.isRequest(.performed(.answer, id, isFulfilled: false), by: launch)
            case .timedOut(let action): state.action == action && state.until.map { $0 <= turn.now } ?? false
            case .launchEnded: true
            }
        return isRight ? nil : "\(id) of \(launch) has ended (\(end)) during \(state)"
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

    /// Whether the event is this request of the launch.
    fileprivate func isRequest(_ request: VoIPRequest, by launch: LaunchID) -> Bool {
        event == .app(launch, .requested(.concern(.voip(request))))
    }
}
