public import LifeCycleModel

/// The wire format of a message to an app: a reply to `roost.App.Attach`, which always announces a further reply.
extension SystemMessage {
    /// Reads a reply. Throws unless it has exactly one message.
    public init(_ reply: VarlinkReply) throws(WireError) {
        if let error = reply.error { throw .unexpectedReply(error) }
        guard reply.continues else { throw .unexpectedReply("it ends the stream of callbacks") }
        let parameters = try reply.parameters()
        let messages =
            ["callback", "backgroundTime", "taskRefused", "device", "restoreIdentifiers", "input"]
            + WireConcerns.messages
        let given = messages.compactMap { parameters[$0].ifGiven }
        guard let field = given.first, given.count == 1 else {
            throw .invalidParameter(field: "parameters", problem: "must hold exactly one message")
        }
        switch field.name {
        case "callback":
            self = .callback(CallbackID(try field.object()["id"].positive()), try Callback(field))
        case "backgroundTime":
            let until = try field.object()["until"].ifGiven?.whole(Int64.self)
            self = .backgroundTime(until: until.map(Nanoseconds.init))
        case "taskRefused": self = .taskRefused(TaskID(try field.object()["task"].positive()))
        case "device": self = .device(try DeviceFacts(field))
        case "restoreIdentifiers": self = .restoreIdentifiers(try field.restoreIdentifiers())
        case "input": self = .input(try UserInput(field))
        default:
            guard let message = try WireConcerns.message(field) else {
                throw .invalidParameter(field: field.name, problem: "is not a message")
            }
            self = .concern(message)
        }
    }

    /// One reply in the stream that answers `Attach`.
    public var reply: VarlinkReply {
        switch self {
        case .callback(let id, let callback): VarlinkReply(["callback": callback.json(id: id)], continues: true)
        case .backgroundTime(let until):
            VarlinkReply(
                ["backgroundTime": .object(["until": until.map { .integer($0.rawValue) }])], continues: true)
        case .taskRefused(let id):
            VarlinkReply(["taskRefused": .object(["task": .integer(id.rawValue)])], continues: true)
        case .device(let facts): VarlinkReply(["device": facts.json], continues: true)
        case .concern(let message): message.reply
        case .restoreIdentifiers(let identifiers):
            VarlinkReply(["restoreIdentifiers": .array(identifiers.map { .string($0) })], continues: true)
        case .input(let input): VarlinkReply(["input": input.json], continues: true)
        }
    }

    /// The bytes to send, with the terminating NUL.
    public func encoded() -> [UInt8] { reply.encoded() }
}

extension JSONField {
    /// The restore identifiers of an app's Bluetooth managers.
    func restoreIdentifiers() throws(WireError) -> [String] {
        let fields = try list()
        guard fields.count <= LaunchReason.mostRestoreIdentifiers else {
            throw .invalidParameter(
                field: name, problem: "has \(fields.count) entries; the most is \(LaunchReason.mostRestoreIdentifiers)")
        }
        var identifiers: [String] = []
        for field in fields { identifiers.append(try field.string(atMost: LaunchReason.longestRestoreIdentifier)) }
        return identifiers
    }
}
