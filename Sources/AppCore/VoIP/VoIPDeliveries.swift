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

/// A call that a push registry makes to the app's code.
public enum PushDelivery: Hashable, Sendable {
    /// The registry has this token.
    case token(DeviceToken, to: PushRegistryID)
    /// A push came; the registry is nil if none wants it any longer.
    case push(VoIPPushID, payload: String, to: PushRegistryID?)
}

/// A call that a call provider makes to the app's code.
public enum CallDelivery: Hashable, Sendable {
    /// The answer to a report: why the call is not shown, or nil if it is.
    case reported(CallReportID, CallFailure?)
    /// The user has answered, declined or ended a call.
    case perform(CallAction, CallID, by: CallProviderID)
    /// The time for an action is over, and with it the call.
    case timedOut(CallAction, CallID, by: CallProviderID)
    /// The app's audio session is active for a call, or no longer.
    case audio(isActive: Bool, to: CallProviderID)
}
