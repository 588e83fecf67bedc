import LifeCycleModel

/// The words of a concern, as the interface `roost.App` has them. Each reader gives nil for a word of another concern.
protocol WireConcern: SendableMetatype {
    /// The members of a reply that hold a message of the concern.
    static var messages: [String] { get }

    static func request(_ method: String, _ parameters: JSONField) throws(WireError) -> ConcernRequest?
    static func call(_ kind: String, _ fields: JSONField) throws(WireError) -> ConcernCall?
    static func message(_ field: JSONField) throws(WireError) -> ConcernMessage?
}

/// The words of every concern.
enum WireConcerns {
    private static let all: [any WireConcern.Type] = [FetchWords.self, NotificationWords.self, TransferWords.self]

    static let messages = all.flatMap { $0.messages }

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
}

extension ConcernRequest {
    var call: VarlinkCall {
        switch self {
        case .fetch(let request): request.call
        case .notification(let request): request.call
        case .transfer(let session, let act): act.call(of: session)
        }
    }
}

extension ConcernCall {
    func json(_ id: CallbackID) -> JSON {
        switch self {
        case .fetch(let call): call.json(id)
        case .notification(let call): call.json(id)
        case .transfer(let call): call.json(id)
        }
    }
}

extension ConcernMessage {
    var reply: VarlinkReply {
        switch self {
        case .notification(let news): news.reply
        case .transfer(let session, let news): news.reply(of: session)
        }
    }
}
