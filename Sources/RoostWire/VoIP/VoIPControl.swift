public import LifeCycleModel

/// A VoIP push, or an action of the user on a call.
public enum VoIPControl: Hashable, Sendable, ControlAct {
    /// Send an app a VoIP push with this payload, as its provider does.
    case pushVoIP(BundleIdentifier, payload: String)
    /// Act on a call as its user.
    case actOnCall(CallChoice)
}

extension VoIPControl {
    private enum Method {
        static let push = "roost.Control.PushVoIP"
        static let actOnCall = "roost.Control.ActOnCall"
    }

    /// Nil for a method of another concern.
    init?(_ method: String, _ parameters: JSONField) throws(WireError) {
        switch method {
        case Method.push:
            self = .pushVoIP(try parameters["app"].app(), payload: try VoIPPush.payload(parameters["payload"]))
        case Method.actOnCall: self = .actOnCall(try parameters["action"].choice())
        default: return nil
        }
    }

    var subject: ControlSubject {
        switch self {
        case .pushVoIP(let app, let payload): .app(app) { .voip(.pushArrived($0, payload: payload)) }
        case .actOnCall(let choice): .device { _ in .voip(.chosen(choice)) }
        }
    }

    var call: VarlinkCall {
        switch self {
        case .pushVoIP(let app, let payload):
            VarlinkCall(Method.push, ["app": app.json, "payload": .string(payload)])
        case .actOnCall(let choice): VarlinkCall(Method.actOnCall, ["action": .string(choice.rawValue)])
        }
    }
}

extension ControlCall {
    /// The call that a client sends for a VoIP push, or for an action of the user on a call.
    public static func voip(_ act: VoIPControl) -> ControlCall { .act(AnyControlAct(act)) }
}

extension VoIPPush {
    /// Checks a payload as Apple's service does: its size, and that it is a JSON object. Its content
    /// belongs to the app.
    ///
    /// - Returns: The payload as text.
    public static func payload(_ bytes: [UInt8]) throws(PayloadFault) -> String {
        try JSONParser.payload(bytes, atMost: largestPayload).text
    }

    fileprivate static func payload(_ field: JSONField) throws(WireError) -> String {
        let text = try field.string()
        do {
            return try payload(Array(text.utf8))
        } catch {
            throw .invalidParameter(field: field.name, problem: "\(error)")
        }
    }
}
