import LifeCycleModel

/// The wire format of a concern. Each function returns nil for values of other concerns.
protocol WireConcern: SendableMetatype {
    static var interface: ConcernInterface { get }

    static func request(_ method: String, _ parameters: JSONField) throws(WireError) -> ConcernRequest?
    static func call(_ kind: String, _ fields: JSONField) throws(WireError) -> ConcernCall?
    static func message(_ field: JSONField) throws(WireError) -> ConcernMessage?
    static func act(_ method: String, _ parameters: JSONField) throws(WireError) -> (any ControlAct)?

    static func sent(_ request: ConcernRequest) -> VarlinkCall?
    static func sent(_ call: ConcernCall, _ id: CallbackID) -> JSON?
    static func sent(_ message: ConcernMessage) -> VarlinkReply?
}

/// The wire formats of all concerns.
enum WireConcerns {
    private static let all: [any WireConcern.Type] = [
        AudioWords.self,
        FetchWords.self,
        LocationWords.self,
        NotificationWords.self,
        SocketWords.self,
        TransferWords.self,
        VoIPWords.self,
    ]

    static let interfaces = all.map { $0.interface }
    /// The names of the members of a reply that carry messages.
    static let messages = interfaces.flatMap { $0.messages.map(\.name) }

    static func request(_ method: String, _ parameters: JSONField) throws(WireError) -> ConcernRequest? {
        for concern in all { if let request = try concern.request(method, parameters) { return request } }
        return nil
    }

    static func call(_ kind: String, _ fields: JSONField) throws(WireError) -> ConcernCall? {
        for concern in all { if let call = try concern.call(kind, fields) { return call } }
        return nil
    }

    static func message(_ field: JSONField) throws(WireError) -> ConcernMessage? {
        for concern in all { if let message = try concern.message(field) { return message } }
        return nil
    }

    static func act(_ method: String, _ parameters: JSONField) throws(WireError) -> (any ControlAct)? {
        for concern in all { if let act = try concern.act(method, parameters) { return act } }
        return nil
    }

    /// Encodes a value by its concern. Traps if no concern knows the value, which is a bug.
    fileprivate static func sent<Sent>(_ word: some Any, by encode: (any WireConcern.Type) -> Sent?) -> Sent {
        for concern in all { if let sent = encode(concern) { return sent } }
        preconditionFailure("the concern of \(word) is not in WireConcerns.all")
    }
}

extension ConcernRequest {
    var call: VarlinkCall { WireConcerns.sent(self) { $0.sent(self) } }
}

extension ConcernCall {
    func json(_ id: CallbackID) -> JSON { WireConcerns.sent(self) { $0.sent(self, id) } }
}

extension ConcernMessage {
    var reply: VarlinkReply { WireConcerns.sent(self) { $0.sent(self) } }
}
