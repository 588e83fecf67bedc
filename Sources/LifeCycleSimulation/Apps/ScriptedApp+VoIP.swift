import AppCore
import LifeCycleModel

/// An app's use of VoIP pushes and calls, by its behavior profile or its script.
///
/// The app makes the requests itself, as an app in any language may.
extension ScriptedApp {
    /// An app's own account of its calls.
    struct Phone: Hashable, Sendable {
        /// Whether the app has asked for VoIP pushes.
        var isRegistered = false
        /// The calls that the app has reported or started and not ended, oldest first.
        var calls: [CallID] = []
        /// The number of UUIDs that the app has made in this launch.
        var made = 0
        /// The number of the last transaction.
        var lastTransaction: Int64 = 0
    }

    /// The requests that the app repeats on a new connection.
    var repeatedVoIPRequests: [AppRequest] {
        let registration = phone.isRegistered ? [VoIPRequest.setRegistered(true)] : []
        let reports = phone.calls.suffix(1).map { VoIPRequest.report($0, CallUpdate()) }
        return (registration + reports).map { .concern(.voip($0)) }
    }

    // MARK: Requests

    mutating func registerForVoIP(_ isWanted: Bool, into acts: inout [Act]) {
        phone.isRegistered = isWanted
        send(.setRegistered(isWanted), into: &acts)
    }

    /// Reports a call; nil stands for a call with a new UUID.
    mutating func reportCall(_ id: CallID?, into acts: inout [Act]) {
        let id = id ?? newCall()
        if !phone.calls.contains(id) { phone.calls.append(id) }
        send(.report(id, CallUpdate()), into: &acts)
    }

    /// Starts an outgoing call; nil stands for a call with a new UUID.
    mutating func startCall(_ id: CallID?, into acts: inout [Act]) {
        let id = id ?? newCall()
        if !phone.calls.contains(id) { phone.calls.append(id) }
        transact([.start(id, CallUpdate())], into: &acts)
    }

    /// Reports that the other side has answered an outgoing call; nil stands for the newest call, if there is one.
    func connectCall(_ id: CallID?, into acts: inout [Act]) {
        if let id = id ?? phone.calls.last { send(.connected(id), into: &acts) }
    }

    private mutating func transact(_ actions: [CallRequest], into acts: inout [Act]) {
        phone.lastTransaction += 1
        send(.transact(phone.lastTransaction, actions), into: &acts)
    }

    /// Ends a call; nil stands for the newest call, if there is one.
    mutating func endCall(_ id: CallID?, _ reason: CallEndedReason, into acts: inout [Act]) {
        guard let id = id ?? phone.calls.last else { return }
        phone.calls.removeAll { $0 == id }
        send(.ended(id, reason), into: &acts)
    }

    /// Performs an action, or reports that this is impossible.
    mutating func performCall(_ action: CallAction, _ id: CallID, isFulfilled: Bool, into acts: inout [Act]) {
        if action == .end || !isFulfilled && action.endsCallIfMissed { phone.calls.removeAll { $0 == id } }
        send(.performed(action, id, isFulfilled: isFulfilled), into: &acts)
    }

    /// The delegate's method has returned, and the completion handler is called.
    func finish(_ push: VoIPPush, into acts: inout [Act]) {
        send(.returned(push.number), into: &acts)
        send(.completed(push.number), into: &acts)
    }

    private mutating func newCall() -> CallID {
        phone.made += 1
        return .numbered(phone.made)
    }

    private func send(_ request: VoIPRequest, into acts: inout [Act]) { acts.append(.send(.concern(.voip(request)))) }

    private func send(
        _ request: VoIPRequest, within longest: Nanoseconds, random: inout RandomSource, into acts: inout [Act]
    ) {
        let span = Nanoseconds(1 + random.span(upTo: longest.rawValue))
        acts.append(.sendLater(.concern(.voip(request)), span))
    }

    // MARK: By the behavior profile

    /// In the middle of a callback, the app registers for pushes, uses calls, or handles the callback if it is about
    /// them.
    mutating func useCalls(in call: DelegateCall, random: inout RandomSource, into acts: inout [Act]) {
        guard profile.calls > 0 else { return }
        switch call {
        case .concern(.voip(let call), _): return handle(call, random: &random, into: &acts)
        // Apps have to register at each launch. Some do so late, or never.
        case .didFinishLaunching:
            if modes.contains(.voip), random.chance(4, in: 5) { registerForVoIP(true, into: &acts) }
        default: break
        }
        guard random.chance(profile.calls, in: 150) else { return }
        switch random.below(18) {
        case 0: registerForVoIP(false, into: &acts)
        case 1, 2: registerForVoIP(true, into: &acts)
        case 3, 4: reportCall(nil, into: &acts)
        case 5, 6: endCall(nil, .remoteEnded, into: &acts)
        case 7: if let id = phone.calls.last { send(.update(id, CallUpdate(caller: "caller")), into: &acts) }
        case 8, 9: startCall(nil, into: &acts)
        case 10: connectCall(nil, into: &acts)
        case 11: if let id = phone.calls.last { switchCalls(from: id, into: &acts) }
        case 12, 13: transactAnything(random: &random, into: &acts)
        default: requestAnything(random: &random, into: &acts)
        }
    }

    /// Puts a call on hold, and starts another one.
    private mutating func switchCalls(from id: CallID, into acts: inout [Act]) {
        let new = newCall()
        phone.calls.append(new)
        transact([.act(.hold, id), .start(new, CallUpdate())], into: &acts)
    }

    /// Asks for some actions, most of them on the app's own calls. Some are impossible.
    private mutating func transactAnything(random: inout RandomSource, into acts: inout [Act]) {
        let count = random.chance(1, in: 10) ? 0 : 1 + random.below(3)
        var actions: [CallRequest] = []
        for _ in 0..<count {
            var id = CallID.numbered(1 + random.below(4))
            if !phone.calls.isEmpty, random.chance(3, in: 4) { id = phone.calls[random.below(phone.calls.count)] }
            let action = CallAction.allCases[random.below(CallAction.allCases.count)]
            let isStart = action == .start && random.chance(7, in: 8)
            actions.append(isStart ? .start(id, CallUpdate(hasVideo: true)) : .act(action, id))
        }
        transact(actions, into: &acts)
    }

    /// Makes a request that the app's side of RoostKit would not make.
    private mutating func requestAnything(random: inout RandomSource, into acts: inout [Act]) {
        if profile.floods > 0, random.chance(1, in: 3) {
            acts.append(.fault(.flood))
            for _ in 0..<PhoneCall.most + 4 { reportCall(nil, into: &acts) }
            return startCall(nil, into: &acts)
        }
        let id = CallID.numbered(1 + random.below(4))
        let number = Int64(1 + random.below(4))
        switch random.below(7) {
        case 0: send(.returned(number), into: &acts)
        case 1: send(.completed(number), into: &acts)
        case 2: send(.ended(id, .failed), into: &acts)
        case 3: reportCall(id, into: &acts)
        case 4: connectCall(id, into: &acts)
        default:
            let action = CallAction.allCases[random.below(CallAction.allCases.count)]
            performCall(action, id, isFulfilled: random.chance(3, in: 4), into: &acts)
        }
    }

    private mutating func handle(_ call: VoIPCall, random: inout RandomSource, into acts: inout [Act]) {
        switch call {
        case .push(let push): handle(push, random: &random, into: &acts)
        case .perform(let action, let id): handle(action, id, random: &random, into: &acts)
        case .timedOut(let action, let id): if action.endsCallIfMissed { phone.calls.removeAll { $0 == id } }
        case .tokenUpdated, .audio: break
        }
    }

    /// Most apps report a call at once. Others report it too late or never, and some return or call the completion
    /// handler late or never.
    private mutating func handle(_ push: VoIPPush, random: inout RandomSource, into acts: inout [Act]) {
        switch random.below(8) {
        case 0: break
        case 1:
            let report = VoIPRequest.report(newCall(), CallUpdate())
            send(report, within: .seconds(4), random: &random, into: &acts)
        default:
            reportCall(nil, into: &acts)
            // Some apps answer a call themselves, for example by a wired headset.
            if let id = phone.calls.last, random.chance(1, in: 8) { transact([.act(.answer, id)], into: &acts) }
        }
        for request in [VoIPRequest.returned(push.number), .completed(push.number)] {
            if random.chance(profile.forgetsHandlers + 5, in: 100) {
                acts.append(.fault(.forgottenHandler))
            } else {
                let isLate = random.chance(profile.dawdles, in: 100)
                send(request, within: .seconds(isLate ? 45 : 2), random: &random, into: &acts)
            }
        }
    }

    /// Most apps perform an action at once. Others do so late or never, cannot perform it, or end the call.
    private mutating func handle(
        _ action: CallAction, _ id: CallID, random: inout RandomSource, into acts: inout [Act]
    ) {
        switch random.below(8) {
        case 0, 1: break
        case 2: performCall(action, id, isFulfilled: false, into: &acts)
        case 3: endCall(id, .remoteEnded, into: &acts)
        case 4:
            let performed = VoIPRequest.performed(action, id, isFulfilled: true)
            send(performed, within: .seconds(20), random: &random, into: &acts)
        default:
            performCall(action, id, isFulfilled: true, into: &acts)
            guard action == .answer || action == .start else { return }
            // The other side may answer, and hang up later.
            if action == .start, random.chance(3, in: 4) {
                send(.connected(id), within: .seconds(20), random: &random, into: &acts)
            }
            guard random.chance(1, in: 3) else { return }
            send(.ended(id, .remoteEnded), within: .seconds(90), random: &random, into: &acts)
        }
    }
}

extension CallAction {
    /// Whether the call is over if the app cannot perform the action.
    fileprivate var endsCallIfMissed: Bool {
        switch self {
        case .answer, .start, .end: true
        case .hold, .resume, .mute, .unmute: false
        }
    }
}

extension DelegateCall {
    /// The actions of an app whose script has no entry for the call.
    var usualActs: [AppScript.Act] {
        if event != nil { return [.fetched(.newData)] }
        return switch self {
        case .concern(.voip(.push), _): [.reportsCall()]
        case .concern(.voip(.perform(let action, let id)), _): [.fulfillsCall(action, id)]
        default: []
        }
    }
}
