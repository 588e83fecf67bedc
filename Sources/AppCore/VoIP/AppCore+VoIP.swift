public import LifeCycleModel

/// The app's VoIP pushes and calls.
///
/// The app's side refuses at once a second call with the same UUID, and transactions without an action or a provider.
/// The system decides everything else, and answers each report and each transaction.
extension AppCore {
    /// Adds a push registry.
    public mutating func addPushRegistry() -> PushRegistryID { concerns.voip.pushes.addRegistry() }

    /// Removes a registry, which receives nothing any longer. The app stays registered.
    public mutating func removePushRegistry(_ id: PushRegistryID) { concerns.voip.pushes.removeRegistry(id) }

    /// Records whether a registry wants VoIP pushes. The app is registered while one of its registries does.
    public mutating func setVoIPPushes(_ isWanted: Bool, by id: PushRegistryID, into steps: inout [Step]) {
        concerns.voip.pushes.setWanted(isWanted, by: id, into: &steps)
    }

    /// The token of a registry that wants VoIP pushes; nil if it has none yet.
    public func voipToken(of id: PushRegistryID) -> DeviceToken? { concerns.voip.pushes.token(of: id) }

    /// Records that the delegate's method for a push has returned. By now the app must have reported a call.
    public mutating func returnedFromVoIPPush(_ id: VoIPPushID, into steps: inout [Step]) {
        concerns.voip.pushes.returned(from: id, into: &steps)
    }

    /// Records that the completion handler of a push was called.
    public mutating func completedVoIPPush(_ id: VoIPPushID, into steps: inout [Step]) {
        concerns.voip.pushes.completed(id, into: &steps)
    }

    /// The most calls that push registries have to make now.
    public var pushDeliveryCount: Int { concerns.voip.pushes.deliveryCount }

    /// Takes the next call that a push registry has to make; nil if there is none.
    public mutating func nextPushDelivery() -> PushDelivery? { concerns.voip.pushes.nextDelivery() }

    // MARK: Calls

    /// Adds a call provider.
    public mutating func addCallProvider() -> CallProviderID { concerns.voip.calls.addProvider() }

    /// Invalidates a provider, whose calls end.
    public mutating func invalidateCallProvider(_ id: CallProviderID, into steps: inout [Step]) {
        concerns.voip.calls.invalidate(id, into: &steps)
    }

    /// Reports an incoming call of a provider. The answer is the delivery `reported` with the number of the report.
    public mutating func reportCall(
        _ id: CallID, _ update: CallUpdate, by provider: CallProviderID, as report: CallReportID,
        into steps: inout [Step]
    ) {
        concerns.voip.calls.report(id, update, by: provider, as: report, into: &steps)
    }

    /// Changes the facts of a call that are not nil.
    public mutating func updateCall(_ id: CallID, caller: String?, hasVideo: Bool?, into steps: inout [Step]) {
        concerns.voip.calls.update(id, caller: caller, hasVideo: hasVideo, into: &steps)
    }

    /// Asks for 1 to `VoIPRequest.mostActions` actions on calls of the app, all or none of them. The answer is the
    /// delivery `transacted` with the number of the transaction. A call that the transaction starts belongs to the
    /// provider that was added last.
    public mutating func transact(
        _ requests: [CallRequest], as transaction: CallTransactionID, into steps: inout [Step]
    ) {
        concerns.voip.calls.transact(requests, as: transaction, into: &steps)
    }

    /// Records that the other side has answered an outgoing call. Nothing happens if the app has no such call, or is to
    /// end it.
    public mutating func connectedCall(_ id: CallID, into steps: inout [Step]) {
        concerns.voip.calls.connected(id, into: &steps)
    }

    /// Ends a call, which the user has not ended. Nothing happens if the app has no such call.
    public mutating func endCall(_ id: CallID, _ reason: CallEndedReason, into steps: inout [Step]) {
        concerns.voip.calls.end(id, reason, into: &steps)
    }

    /// Records that the app has performed an action on a call, or could not. Nothing happens if the app does not have
    /// to perform it, or no longer.
    public mutating func performedCallAction(
        _ action: CallAction, _ id: CallID, isFulfilled: Bool, into steps: inout [Step]
    ) {
        concerns.voip.calls.performed(action, id, isFulfilled: isFulfilled, into: &steps)
    }

    /// The app's calls that the system has accepted, oldest first.
    public var callSnapshots: [CallSnapshot] { concerns.voip.calls.snapshots }

    /// The facts of a call; nil if the app has no such call.
    public func callUpdate(of id: CallID) -> CallUpdate? { concerns.voip.calls.update(of: id) }

    /// Begins the deliveries `changed`.
    public mutating func observeCalls() { concerns.voip.calls.observe() }

    /// The most calls that call providers have to make now.
    public var callDeliveryCount: Int { concerns.voip.calls.deliveryCount }

    /// Takes the next call that a call provider has to make; nil if there is none.
    public mutating func nextCallDelivery() -> CallDelivery? { concerns.voip.calls.nextDelivery() }
}
