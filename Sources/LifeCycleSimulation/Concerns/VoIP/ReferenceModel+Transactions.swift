import LifeCycleModel
import LifeCyclePolicy

/// The transactions of apps in the reference model.
extension ReferenceModel {
    /// The actions begin one after the other. If one of them is impossible, the earlier ones are undone.
    mutating func transact(_ number: Int64, _ actions: [CallRequest], _ launch: LaunchID, _ index: Int) {
        let (before, count) = (voip, requests.count)
        var failure: TransactionFailure?
        if !apps[index].manifest.backgroundModes.contains(.voip) {
            failure = .unentitled
        } else if !isOpenable(index) || shutdown != .none {
            failure = .unknown
        } else {
            for action in actions where failure == nil { failure = begin(action, launch, index) }
        }
        if let failure {
            voip = before
            requests.removeLast(requests.count - count)
            voip.said.append(.transactionRefused(launch, failure))
        }
        answer(number, failure, to: launch.app)
        // The app learns of the acceptance before it is called.
        if failure == nil { sendAnswers(launch.app, index) }
    }

    /// Begins an action; the reason if that is impossible.
    private mutating func begin(_ request: CallRequest, _ launch: LaunchID, _ index: Int) -> TransactionFailure? {
        switch request {
        case .start(let id, let update): return startCall(id, update, launch, isSeen: isInForeground(index))
        case .act(let action, let id):
            guard let call = call(id, of: launch) else { return .unknownCallUUID }
            let needsUser = action == .answer || action == .resume
            guard call.admits(action), !needsUser || !isUserOccupied else { return .invalidAction }
            ask(launch, action, id)
            return nil
        }
    }

    /// The first call of an app begins where the user sees the app.
    private mutating func startCall(
        _ id: CallID, _ update: CallUpdate, _ launch: LaunchID, isSeen: Bool
    ) -> TransactionFailure? {
        if call(id, of: launch) != nil { return .callUUIDAlreadyExists }
        let calls = voip.calls(of: launch.app)
        if calls.count >= PhoneCall.most { return .maximumCallGroupsReached }
        if isUserOccupied || calls.isEmpty && !isSeen { return .invalidAction }
        let new = PhoneCall(id: id, number: nextCallNumber, update: update, startingUntil: now + policy.callAction)
        voip.keep(launch.app) { record in
            record.launch = launch
            record.calls.append(new)
        }
        ask(launch, .start, id)
        return nil
    }

    /// A call that is about to be put on hold leaves the user to the next call.
    private var isUserOccupied: Bool {
        voip.records.flatMap(\.calls).contains { $0.occupiesUser && !$0.awaits(.hold) }
    }

    private mutating func answer(_ number: Int64, _ failure: TransactionFailure?, to app: AppID) {
        voip.transactions.removeAll { $0.app == app && $0.number == number }
        voip.transactions.append(ReferenceVoIP.Transaction(app: app, number: number, failure: failure))
        // An app cannot fill the memory with transactions that cannot be answered yet.
        let isTooMany = voip.transactions.count { $0.app == app } > ReferenceVoIP.mostTransactions
        if isTooMany, let oldest = voip.transactions.firstIndex(where: { $0.app == app }) {
            voip.transactions.remove(at: oldest)
        }
    }
}
