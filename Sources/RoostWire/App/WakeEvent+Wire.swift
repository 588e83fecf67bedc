import LifeCycleModel

/// An event as the interface has it.
extension ConcernCall {
    init(event field: JSONField) throws(WireError) {
        self =
            switch try field.object()["kind"].choice(of: WakeEvent.self) {
            case .backgroundFetch: .fetch(.performFetch)
            case .remoteNotification:
                .notification(.receivedRemote(try RemoteNotification(json: field["payload"].string())))
            }
    }
}

extension WakeEvent {
    func json(payload: String? = nil) -> JSON {
        .object(["kind": .string(rawValue), "payload": payload.map { .string($0) }])
    }
}

extension OpenEvent {
    private init(_ field: JSONField) throws(WireError) {
        let fields = try field.object()
        let callback = try fields["callback"].whole(Int32.self)
        guard callback >= 1 else { throw .invalidParameter(field: fields["callback"].name, problem: "is not positive") }
        self.init(callback: CallbackID(callback), kind: try fields["kind"].choice())
    }

    private var json: JSON {
        .object(["callback": .integer(Int64(callback.rawValue)), "kind": .string(kind.rawValue)])
    }

    /// Reads a list, and checks it: not too long, in the order they came, none twice.
    static func list(_ field: JSONField) throws(WireError) -> [OpenEvent] {
        let fields = try field.list()
        guard fields.count <= OpenEvent.most else {
            throw .invalidParameter(field: field.name, problem: "holds more than \(OpenEvent.most) events")
        }
        var events: [OpenEvent] = []
        for field in fields {
            let event = try OpenEvent(field)
            if let last = events.last, last.callback >= event.callback {
                throw .invalidParameter(field: field["callback"].name, problem: "does not follow the one before it")
            }
            events.append(event)
        }
        return events
    }

    static func json(_ events: [OpenEvent]) -> JSON { .array(events.map(\.json)) }
}
