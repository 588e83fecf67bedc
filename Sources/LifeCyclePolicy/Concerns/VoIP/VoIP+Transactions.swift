import LifeCycleModel

/// Transactions: the actions on calls that an app asks for by `CXCallController`.
extension VoIP {
    /// An app asks for actions. It performs all of them, or none if one of them is impossible.
    mutating func transact(
        _ number: Int64, _ requests: [CallRequest], by launch: LaunchID, on device: DeviceState,
        into actions: inout Actions<Self>
    ) {
        let app = launch.app
        var attempt = self
        let failure = attempt.begin(requests, by: launch, on: device)
        change(app) { $0.answer(transaction: number, failure) }
        if let failure { return actions.explain(.transactionRefused(launch, failure)) }
        for request in requests { actions.explain(.chosen(launch, request.call, request.action)) }
        // All actions are persisted together.
        if let record = attempt.clients[app]?.record, !requests.isEmpty {
            keep(app, into: &actions) { $0 = record }
        }
        // The app learns first that it is about to be called.
        sendAnswers(to: app, on: device, into: &actions)
        for request in requests { actions.call(app, .voip(.perform(request.action, request.call)), .whenItRuns) }
    }

    /// Begins the actions, each after those before it. Returns why the first impossible action is impossible; nil if
    /// all have begun.
    private mutating func begin(
        _ requests: [CallRequest], by launch: LaunchID, on device: DeviceState
    ) -> TransactionFailure? {
        if device.manifest(of: launch.app)?.backgroundModes.contains(.voip) != true { return .unentitled }
        if !device.isOpenable(launch.app) || device.isShuttingDown { return .unknown }
        let until = device.awakeNow + device.policy.callAction
        for request in requests {
            if let failure = failure(of: request, by: launch, on: device) { return failure }
            begin(request, by: launch, until: until)
        }
        return nil
    }

    /// Why an action is impossible now; nil if it is possible.
    private func failure(
        of request: CallRequest, by launch: LaunchID, on device: DeviceState
    ) -> TransactionFailure? {
        let calls = clients[launch.app]?.record.calls ?? []
        switch request {
        case .start(let id, _):
            if calls.contains(where: { $0.id == id }) { return .callUUIDAlreadyExists }
            if calls.count >= PhoneCall.most { return .maximumCallGroupsReached }
            // Otherwise any app in the background could keep itself running.
            if calls.isEmpty, !device.isInForeground(launch.app) { return .invalidAction }
        case .act(let action, let id):
            guard let index = index(of: id, in: launch) else { return .unknownCallUUID }
            guard calls[index].allows(action) else { return .invalidAction }
        }
        return request.action.takesCall && isAnyCallTaken ? .invalidAction : nil
    }

    /// Whether the user speaks on a call of any app, and the app does not put the call on hold now.
    private var isAnyCallTaken: Bool {
        clients.contains { $0.value.record.calls.contains { $0.isCurrent && !$0.isBeingHeld } }
    }

    private mutating func begin(_ request: CallRequest, by launch: LaunchID, until: Nanoseconds) {
        switch request {
        case .start(let id, let update):
            let call = PhoneCall(id: id, number: nextNumber, update: update, startingUntil: until)
            change(launch.app) { client in
                client.record.launch = launch
                client.record.calls.append(call)
            }
        case .act(let action, let id):
            guard let index = index(of: id, in: launch) else { return }
            change(launch.app) { $0.record.calls[index].begin(action, until: until) }
        }
    }
}
