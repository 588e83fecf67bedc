import LifeCycleModel

extension JSONField {
    /// The event that a callback of this kind delivers; nil for another kind.
    func event(_ kind: String) throws(WireError) -> WakeEvent? {
        kind == JSON.eventKind ? try self["event"].object()["kind"].choice() : nil
    }
}

extension JSON {
    fileprivate static let eventKind = "handleEvent"

    /// A callback that delivers an event with a completion handler.
    static func callback(_ id: CallbackID, event: WakeEvent, payload: String? = nil) -> JSON {
        let event = JSON.object(["kind": .string(event.rawValue), "payload": payload.map { .string($0) }])
        return .callback(id, eventKind, ["event": event])
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

    /// Reads a list and validates it: not too long, in order of arrival, without duplicates.
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
