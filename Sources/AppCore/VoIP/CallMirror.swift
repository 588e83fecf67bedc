import LifeCycleModel

/// The app's side of its calls: the providers, the calls that they have reported, and the user's actions that they have
/// to perform.
struct CallMirror: AppConcern {
    private struct Call: Hashable {
        let id: CallID
        let provider: CallProviderID
        var update: CallUpdate
        /// The user's action that the app has to perform; nil if there is none.
        var action: CallAction?
        /// Whether the app has performed the answer.
        var isAnswered = false
        /// Whether the app has reported the UUID again. If the system has just ended the call, the second report makes
        /// another one.
        var isReportedAgain = false
    }

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
    private var providers: [CallProviderID] = []
    private var lastProvider: Int64 = 0
    private var calls: [Call] = []
    private var reports: [Report] = []
    /// Whether the system has activated the audio session for a call.
    private var isAudioActive = false
    /// The last calls that the app has ended: the system may have missed that.
    private var ends: [End] = []
    /// The calls of the app's code that providers have to make, oldest first.
    private var deliveries: [CallDelivery] = []

    mutating func handle(_ happening: AppHappening, into steps: inout [Step]) {
        switch happening {
        case .called(.voip(.perform(let action, let id)), _):
            begin(action, id)
        case .called(.voip(.timedOut(let action, let id)), _):
            guard let index = index(of: id) else { return }
            let call = remove(index, into: &steps)
            deliveries.append(.timedOut(action, id, by: call.provider))
        case .called(.voip(.audio(let isActive)), _):
            // The system repeats the activation after its restart.
            guard isActive != isAudioActive else { return }
            isAudioActive = isActive
            deliveries += providers.map { .audio(isActive: isActive, to: $0) }
        case .received(.voip(.reported(let id, let failure))): answered(id, failure, into: &steps)
        case .connectedAgain: sendAgain(into: &steps)
        case .called, .received: break
        }
    }

    private func send(_ request: VoIPRequest, into steps: inout [Step]) {
        steps.append(.send(.concern(.voip(request))))
    }

    private mutating func sendAgain(into steps: inout [Step]) {
        endAudioWithoutCalls()
        for end in ends { send(end.request, into: &steps) }
        // The system answers if it does not know the call any longer.
        for call in calls where !reports.contains(where: { $0.call == call.id }) {
            send(.update(call.id, call.update), into: &steps)
        }
        for call in calls where call.isAnswered {
            send(.performed(.answer, call.id, isFulfilled: true), into: &steps)
        }
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
    }

    /// The last connected call was over before a restart of the system, which cannot say so.
    private mutating func endAudioWithoutCalls() {
        guard isAudioActive, !calls.contains(where: \.isAnswered) else { return }
        isAudioActive = false
        deliveries += providers.map { .audio(isActive: false, to: $0) }
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
        guard providers.contains(provider) else { return deliveries.append(.reported(report, .unknown)) }
        ends.removeAll { $0.call == id }
        calls.append(Call(id: id, provider: provider, update: update))
        reports.append(Report(id: report, call: id))
        send(.report(id, update), into: &steps)
    }

    /// The system answers once for all reports of a UUID that have come meanwhile.
    private mutating func answered(_ id: CallID, _ failure: CallFailure?, into steps: inout [Step]) {
        if failure != nil, let index = index(of: id) {
            let call = remove(index, into: &steps)
            // The system could not say that the time is over.
            if let action = call.action { deliveries.append(.timedOut(action, id, by: call.provider)) }
            endAudioWithoutCalls()
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

    mutating func end(_ id: CallID, _ reason: CallEndedReason, into steps: inout [Step]) {
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
    private mutating func remove(_ index: Int, into steps: inout [Step]) -> Call {
        let call = calls.remove(at: index)
        if call.isReportedAgain { send(.ended(call.id, .failed), into: &steps) }
        return call
    }

    /// The user acts on a call. The system repeats that after its restart.
    private mutating func begin(_ action: CallAction, _ id: CallID) {
        guard let index = index(of: id), calls[index].action != action, action == .end || !calls[index].isAnswered
        else { return }
        calls[index].action = action
        deliveries.append(.perform(action, id, by: calls[index].provider))
    }

    /// The app has performed the user's action, or could not.
    mutating func performed(
        _ action: CallAction, _ id: CallID, isFulfilled: Bool, into steps: inout [Step]
    ) {
        guard let index = index(of: id), calls[index].action == action else { return }
        let request = VoIPRequest.performed(action, id, isFulfilled: isFulfilled)
        if action == .end || !isFulfilled { return finish(index, request, into: &steps) }
        (calls[index].action, calls[index].isAnswered) = (nil, true)
        send(request, into: &steps)
    }

    private func index(of id: CallID) -> Int? { calls.firstIndex { $0.id == id } }

    // MARK: Deliveries

    /// The number of calls of the app's code that providers have to make, or that are to be dropped.
    var deliveryCount: Int { deliveries.count }

    /// The next call of the app's code; nil if there is none. An action is dropped if its call is over.
    mutating func nextDelivery() -> CallDelivery? {
        while !deliveries.isEmpty {
            let delivery = deliveries.removeFirst()
            switch delivery {
            case .perform(let action, let id, _):
                guard let index = index(of: id), calls[index].action == action else { continue }
            case .timedOut(_, _, let provider), .audio(_, let provider):
                guard providers.contains(provider) else { continue }
            case .reported: break
            }
            return delivery
        }
        return nil
    }
}
