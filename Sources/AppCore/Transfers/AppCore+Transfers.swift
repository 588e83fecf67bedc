public import LifeCycleModel

extension AppCore {
    /// Sends a request about a background session or one of its tasks.
    public mutating func transfer(_ act: TransferAct, of session: SessionIdentifier, into steps: inout [Step]) {
        concerns.transfers.note(act, of: session)
        if concerns.transfers.holdsBack(act, of: session) { return }
        guard case .acknowledge(let outcomes) = act, outcomes.count > TransferAct.mostAcknowledged else {
            steps.append(.send(.concern(.transfer(session, act))))
            return
        }
        for start in stride(from: 0, to: outcomes.count, by: TransferAct.mostAcknowledged) {
            let some = Array(outcomes[start...].prefix(TransferAct.mostAcknowledged))
            steps.append(.send(.concern(.transfer(session, .acknowledge(some)))))
        }
    }
}
