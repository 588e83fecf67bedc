public import LifeCycleModel

/// The number of a push registry, unique in a launch of the app.
public struct PushRegistryID: Hashable, Sendable {
    let rawValue: Int64
}

/// The number of a VoIP push, unique in a launch of the app.
public struct VoIPPushID: Hashable, Sendable {
    let rawValue: Int64
}

/// The number of a call provider, unique in a launch of the app.
public struct CallProviderID: Hashable, Sendable {
    let rawValue: Int64
}

/// The number that the app's side gives to a report of a call, unique in a launch of the app.
public struct CallReportID: Hashable, Sendable {
    let rawValue: Int64

    /// The report with this number.
    public init(_ rawValue: Int64) { self.rawValue = rawValue }
}

/// The number that the app's side gives to a transaction, unique in a launch of the app.
public struct CallTransactionID: Hashable, Sendable {
    let rawValue: Int64

    /// The transaction with this number.
    public init(_ rawValue: Int64) { self.rawValue = rawValue }
}

/// Why nothing of a transaction is performed.
public enum CallTransactionFailure: Hashable, Sendable {
    /// The transaction has no action.
    case emptyTransaction
    /// The app has no call provider.
    case unknownCallProvider
    /// The reason of the system, or one that it would give.
    case system(TransactionFailure)
}

/// The facts about a call for an observer.
public struct CallSnapshot: Hashable, Sendable {
    /// The call.
    public let id: CallID
    /// Whether the app has begun the call.
    public let isOutgoing: Bool
    /// Whether the app has answered the call, or the other side has.
    public let hasConnected: Bool
    /// Whether the call is on hold.
    public let isOnHold: Bool
    /// Whether the call is over.
    public let hasEnded: Bool

    /// The same call when it is over.
    var ended: CallSnapshot {
        CallSnapshot(
            id: id, isOutgoing: isOutgoing, hasConnected: hasConnected, isOnHold: isOnHold, hasEnded: true)
    }
}

/// A call that a push registry makes to the app's code.
public enum PushDelivery: Hashable, Sendable {
    /// The registry has this token.
    case token(DeviceToken, to: PushRegistryID)
    /// A push came; the registry is nil if none wants it any longer.
    case push(VoIPPushID, payload: String, to: PushRegistryID?)
}

/// A call that a call provider, a call controller or an observer makes to the app's code.
public enum CallDelivery: Hashable, Sendable {
    /// The answer to a report: why the call is not shown, or nil if it is.
    case reported(CallReportID, CallFailure?)
    /// The answer to a transaction: why nothing of it is performed, or nil if the providers perform it.
    case transacted(CallTransactionID, CallTransactionFailure?)
    /// The user, or the app itself, has asked for an action on a call. The facts of a call that the app starts are
    /// those of `AppCore.callUpdate(of:)`.
    case perform(CallAction, CallID, by: CallProviderID)
    /// The time for an action is over, and with the answer, the start or the end also the call.
    case timedOut(CallAction, CallID, by: CallProviderID)
    /// The app's audio session is active for a call, or no longer.
    case audio(isActive: Bool, to: CallProviderID)
    /// A call is new, has changed, or is over. Only after `AppCore.observeCalls()`.
    case changed(CallSnapshot)
}
