public import LifeCycleModel

/// A call of an app's code to its push registry, or to its call provider.
private enum VoIPSDKCall: SDKCall {
    case registers(Bool)
    /// A call with a new UUID if it is nil.
    case reports(CallID?)
    /// An outgoing call with a new UUID if it is nil.
    case starts(CallID?)
    /// The newest call if it is nil, and below it the same.
    case connects(CallID?)
    case ends(CallID?)
    case fulfills(CallAction, CallID)

    var signature: String {
        switch self {
        case .registers: "desiredPushTypes"
        case .reports: "reportNewIncomingCall(with:update:completion:)"
        case .starts: "request(_:completion:)"
        case .connects: "reportOutgoingCall(with:connectedAt:)"
        case .ends: "reportCall(with:endedAt:reason:)"
        case .fulfills: "fulfill()"
        }
    }

    var rule: String {
        switch self {
        case .registers: "R-171"
        case .reports, .starts, .connects, .ends: "R-173"
        case .fulfills: "R-174"
        }
    }

    var text: String {
        switch self {
        case .registers(true): "registers for VoIP pushes"
        case .registers(false): "no longer wants VoIP pushes"
        case .reports: "reports an incoming call"
        case .starts: "starts an outgoing call"
        case .connects: "reports that its call is connected"
        case .ends: "reports that its call has ended"
        case .fulfills(.answer, _): "answers its call"
        case .fulfills(.end, _): "ends its call"
        case .fulfills(.start, _): "calls the other side"
        case .fulfills(.hold, _): "puts its call on hold"
        case .fulfills(.resume, _): "resumes its call"
        case .fulfills(.mute, _): "mutes its call"
        case .fulfills(.unmute, _): "unmutes its call"
        }
    }

    func perform(in app: inout ScriptedApp, at now: Nanoseconds, into acts: inout [ScriptedApp.Act]) {
        switch self {
        case .registers(let isWanted): app.registerForVoIP(isWanted, into: &acts)
        case .reports(let id): app.reportCall(id, into: &acts)
        case .starts(let id): app.startCall(id, into: &acts)
        case .connects(let id): app.connectCall(id, into: &acts)
        case .ends(let id): app.endCall(id, .remoteEnded, into: &acts)
        case .fulfills(let action, let id): app.performCall(action, id, isFulfilled: true, into: &acts)
        }
    }
}

extension AppScript.Act {
    /// Registers for VoIP pushes, or unregisters.
    public static func registersVoIP(_ isWanted: Bool) -> Self { .sdk(AnySDKCall(VoIPSDKCall.registers(isWanted))) }

    /// Reports an incoming call; nil stands for a call with a new UUID.
    public static func reportsCall(_ id: CallID? = nil) -> Self { .sdk(AnySDKCall(VoIPSDKCall.reports(id))) }

    /// Requests an outgoing call by a transaction; nil stands for a call with a new UUID.
    public static func startsCall(_ id: CallID? = nil) -> Self { .sdk(AnySDKCall(VoIPSDKCall.starts(id))) }

    /// Reports that an outgoing call is connected; nil stands for the newest call.
    public static func connectsCall(_ id: CallID? = nil) -> Self { .sdk(AnySDKCall(VoIPSDKCall.connects(id))) }

    /// Reports the end of a call; nil stands for the newest call.
    public static func endsCall(_ id: CallID? = nil) -> Self { .sdk(AnySDKCall(VoIPSDKCall.ends(id))) }

    /// Fulfills an action on a call.
    public static func fulfillsCall(_ action: CallAction, _ id: CallID) -> Self {
        .sdk(AnySDKCall(VoIPSDKCall.fulfills(action, id)))
    }
}
