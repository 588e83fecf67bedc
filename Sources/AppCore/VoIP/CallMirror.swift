import LifeCycleModel

/// The app's side of its calls: the providers, the calls that they have reported or that the app has begun, and the
/// actions that they have to perform.
struct CallMirror: AppConcern {
    /// A report that the system has not answered.
    private struct Report: Hashable {
        let id: CallReportID
        let call: CallID
    }

    /// A request by which the app ended a call.
    private struct End: Hashable {
        let call: CallID
        let request: VoIPRequest
    }

    /// The providers that are not invalid.
    private(set) var providers: [CallProviderID] = []
    private var lastProvider: Int64 = 0
    private var calls: [KnownCall] = []
    private var reports: [Report] = []
    /// The transactions that the system has not answered, oldest first.
    var transactions: [CallTransaction] = []
    var lastTransaction: Int64 = 0
    /// Whether the system has activated the audio session for a call.
    private var isAudioActive = false
    /// The last calls that the app has ended: the system may have missed that.
    private var ends: [End] = []
    /// The calls as the observers know them; nil without an observer.
    private var observed: [CallSnapshot]?
    /// The calls of the app's code that providers have to make, oldest first.
    var deliveries: [CallDelivery] = []

    mutating func handle(_ happening: AppHappening, into steps: inout [Step]) {
        defer { noteChanges() }
        switch happening {
        case .called(.voip(.perform(let action, let id)), _): begin(action, id, into: &steps)
        case .called(.voip(.timedOut(let action, let id)), _): timedOut(action, id, into: &steps)
        case .called(.voip(.audio(let isActive)), _):
            // The system repeats the activation after its restart.
            guard isActive != isAudioActive else { return }
            setAudio(isActive)
        case .received(.voip(.reported(let id, let failure))): answered(id, failure, into: &steps)
        case .received(.voip(.transacted(let number, let failure))): answered(number, failure, into: &steps)
        case .connectedAgain: sendAgain(into: &steps)
        case .called, .received: break
        }
    }

    func send(_ request: VoIPRequest, into steps: inout [Step]) {
        steps.append(.send(.concern(.voip(request))))
    }

    private mutating func sendAgain(into steps: inout [Step]) {
        endAudioWithoutCalls()
        for end in ends { send(end.request, into: &steps) }
        // The system answers if it does not know the call any longer.
        for call in calls where !reports.contains(where: { $0.call == call.id }) {
            send(.update(call.id, call.update), into: &steps)
        }
        for request in calls.flatMap(\.repeats) { send(request, into: &steps) }
        for report in reports {
            if let index = index(of: report.call) {
                send(.report(report.call, calls[index].update), into: &steps)
            } else {
                // The app has ended the call meanwhile, so that the system has nothing to answer.
                deliveries.append(.reported(report.id, .unknown))
            }
        }
        let known = calls.map(\.id)
        reports.removeAll { !known.contains($0.call) }
        sendTransactionsAgain(into: &steps)
    }

    // MARK: Sound

    private mutating func setAudio(_ isActive: Bool) {
        isAudioActive = isActive
        deliveries += providers.map { .audio(isActive: isActive, to: $0) }
    }

    /// The last call with sound was over, or on hold, before a restart of the system, which cannot say so.
    private mutating func endAudioWithoutCalls() {
        if isAudioActive, !calls.contains(where: \.hasAudio) { setAudio(false) }
    }

    // MARK: Providers

    mutating func addProvider() -> CallProviderID {
        lastProvider += 1
        let id = CallProviderID(rawValue: lastProvider)
        providers.append(id)
        return id
    }

    /// The calls of the provider end, and nothing is delivered to it any longer.
    mutating func invalidate(_ id: CallProviderID, into steps: inout [Step]) {
        providers.removeAll { $0 == id }
        for call in calls where call.provider == id { end(call.id, .failed, into: &steps) }
    }

    // MARK: Calls

    /// Reports a call. The answer is a delivery. A second call with the same UUID is refused here: for the system it is
    /// a repetition.
    mutating func report(
        _ id: CallID, _ update: CallUpdate, by provider: CallProviderID, as report: CallReportID,
        into steps: inout [Step]
    ) {
        if let index = index(of: id) {
            // The app has reported a call for its push, though in vain.
            send(.report(id, update), into: &steps)
            calls[index].isReportedAgain = true
            return deliveries.append(.reported(report, .callUUIDAlreadyExists))
        }
        if isAboutToStart(id) { return deliveries.append(.reported(report, .callUUIDAlreadyExists)) }
        guard providers.contains(provider) else { return deliveries.append(.reported(report, .unknown)) }
        add(KnownCall(incoming: id, by: provider, update))
        reports.append(Report(id: report, call: id))
        send(.report(id, update), into: &steps)
    }

    /// A new call has the UUID of an earlier one, whose end is not repeated any longer.
    mutating func add(_ call: KnownCall) {
        ends.removeAll { $0.call == call.id }
        calls.append(call)
    }

    /// The system answers once for all reports of a UUID that have come meanwhile.
    private mutating func answered(_ id: CallID, _ failure: CallFailure?, into steps: inout [Step]) {
        if let index = index(of: id) {
            if failure == nil {
                calls[index].isShown = true
            } else {
                let call = remove(index, into: &steps)
                // The system could not say that the time is over.
                if let action = call.action { deliveries.append(.timedOut(action, id, by: call.provider)) }
                endAudioWithoutCalls()
            }
        }
        for report in reports where report.call == id { deliveries.append(.reported(report.id, failure)) }
        reports.removeAll { $0.call == id }
    }

    /// Changes the facts of a call that are not nil.
    mutating func update(_ id: CallID, caller: String?, hasVideo: Bool?, into steps: inout [Step]) {
        guard let index = index(of: id) else { return }
        let old = calls[index].update
        let new = CallUpdate(caller: caller ?? old.caller, hasVideo: hasVideo ?? old.hasVideo)
        calls[index].update = new
        if new != old { send(.update(id, new), into: &steps) }
    }

    /// The other side has answered an outgoing call.
    mutating func connected(_ id: CallID, into steps: inout [Step]) {
        defer { noteChanges() }
        guard let index = index(of: id), calls[index].isOutgoing, calls[index].action != .end,
            calls[index].progress != .connected
        else { return }
        calls[index].connect()
        send(.connected(id), into: &steps)
    }

    mutating func end(_ id: CallID, _ reason: CallEndedReason, into steps: inout [Step]) {
        defer { noteChanges() }
        guard let index = index(of: id) else { return }
        finish(index, .ended(id, reason), into: &steps)
    }

    private mutating func finish(_ index: Int, _ request: VoIPRequest, into steps: inout [Step]) {
        send(request, into: &steps)
        // The request is also the end of another call with this UUID.
        if case .ended = request { calls[index].isReportedAgain = false }
        let call = remove(index, into: &steps)
        ends.append(End(call: call.id, request: request))
        if ends.count > PhoneCall.most { ends.removeFirst() }
    }

    /// The call is over. The system ends another call with its UUID, of which the app knows nothing.
    private mutating func remove(_ index: Int, into steps: inout [Step]) -> KnownCall {
        let call = calls.remove(at: index)
        if call.isReportedAgain { send(.ended(call.id, .failed), into: &steps) }
        return call
    }

    func index(of id: CallID) -> Int? { calls.firstIndex { $0.id == id } }

    // MARK: Actions

    /// The user, or the app, acts on a call. The system repeats that after its restart.
    private mutating func begin(_ action: CallAction, _ id: CallID, into steps: inout [Step]) {
        if action == .start { learnStart(of: id, into: &steps) }
        guard let index = index(of: id), calls[index].action != .end, !calls[index].isPerforming(action)
        else { return }
        guard !calls[index].hasFulfilled(action) else {
            // The system has missed the report, or has given up the action before.
            if !action.isVital { send(.performed(action, id, isFulfilled: true), into: &steps) }
            return
        }
        calls[index].begin(action)
        deliveries.append(.perform(action, id, by: calls[index].provider))
    }

    /// The app has performed an action, or could not.
    mutating func performed(
        _ action: CallAction, _ id: CallID, isFulfilled: Bool, into steps: inout [Step]
    ) {
        defer { noteChanges() }
        guard let index = index(of: id), calls[index].isPerforming(action) else { return }
        let request = VoIPRequest.performed(action, id, isFulfilled: isFulfilled)
        if action == .end || (action.isVital && !isFulfilled) { return finish(index, request, into: &steps) }
        calls[index].performed(action, isFulfilled: isFulfilled)
        send(request, into: &steps)
    }

    /// The time for an action is over: with the answer, the start or the end also the call.
    private mutating func timedOut(_ action: CallAction, _ id: CallID, into steps: inout [Step]) {
        if action == .start { learnStart(of: id, into: &steps) }
        guard let index = index(of: id) else { return }
        let provider = calls[index].provider
        if action.isVital { _ = remove(index, into: &steps) } else { calls[index].timedOut(action) }
        deliveries.append(.timedOut(action, id, by: provider))
    }

    // MARK: Observers

    /// The calls that the system has accepted, oldest first.
    var snapshots: [CallSnapshot] { calls.filter(\.isShown).map(\.snapshot) }

    /// From now on changes of calls are deliveries.
    mutating func observe() { if observed == nil { observed = snapshots } }

    private mutating func noteChanges() {
        guard let old = observed else { return }
        let new = snapshots
        observed = new
        for call in old where !new.contains(where: { $0.id == call.id }) { deliveries.append(.changed(call.ended)) }
        for call in new where !old.contains(call) { deliveries.append(.changed(call)) }
    }

    /// The facts of a call; nil if the app has no such call.
    func update(of id: CallID) -> CallUpdate? { index(of: id).map { calls[$0].update } }

    // MARK: Deliveries

    /// The number of calls of the app's code that providers have to make, or that are to be dropped.
    var deliveryCount: Int { deliveries.count }

    /// The next call of the app's code; nil if there is none. An action is dropped if its call is over.
    mutating func nextDelivery() -> CallDelivery? {
        while !deliveries.isEmpty {
            let delivery = deliveries.removeFirst()
            switch delivery {
            case .perform(let action, let id, _):
                guard let index = index(of: id), calls[index].isPerforming(action) else { continue }
            case .timedOut(_, _, let provider), .audio(_, let provider):
                guard providers.contains(provider) else { continue }
            case .reported, .transacted, .changed: break
            }
            return delivery
        }
        return nil
    }
}
