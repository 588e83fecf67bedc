import LifeCycleModel

/// Wire formats of calls, and of the actions that an app asks for.
extension CallRequest {
    /// The facts of a call belong to `start` alone: the members of other actions are ignored.
    private init(_ field: JSONField) throws(WireError) {
        let parts = try field.object()
        let action: CallAction = try parts["action"].choice()
        let call = try parts["call"].callID()
        self = if action == .start { .start(call, try CallUpdate(parts)) } else { .act(action, call) }
    }

    /// Reads the actions of a transaction.
    static func transaction(_ field: JSONField) throws(WireError) -> [CallRequest] {
        let elements = try field.list()
        let most = VoIPRequest.mostActions
        guard (1...most).contains(elements.count) else {
            throw .invalidParameter(
                field: field.name, problem: "has \(elements.count) entries; there must be 1 to \(most)")
        }
        var requests: [CallRequest] = []
        for element in elements { requests.append(try CallRequest(element)) }
        return requests
    }

    var json: JSON {
        switch self {
        case .start(let id, let update):
            .object([
                "action": .string(action.rawValue), "call": id.json, "caller": update.callerIfKnown,
                "hasVideo": update.videoIfAny,
            ])
        case .act(let action, let id): .object(["action": .string(action.rawValue), "call": id.json])
        }
    }
}

extension CallUpdate {
    init(_ parameters: JSONField) throws(WireError) {
        self.init(
            caller: try parameters["caller"].ifGiven?.string() ?? "",
            hasVideo: try parameters["hasVideo"].ifGiven?.bool() ?? false)
    }

    /// The parameters of a request about the call.
    func members(of id: CallID) -> KeyValuePairs<String, JSON?> {
        ["call": id.json, "caller": callerIfKnown, "hasVideo": videoIfAny]
    }

    fileprivate var callerIfKnown: JSON? { caller.isEmpty ? nil : .string(caller) }
    fileprivate var videoIfAny: JSON? { hasVideo ? .bool(true) : nil }
}

extension CallID {
    var json: JSON { .string(description) }
}

extension JSONField {
    func callID() throws(WireError) -> CallID {
        guard let id = CallID(try string()) else { throw .invalidParameter(field: name, problem: "is not a UUID") }
        return id
    }
}
