import LifeCycleModel

/// The wire format of kept sockets and of keep-alive handlers.
enum SocketWords: WireConcern {
    static let keep = "roost.App.KeepSocket"
    static let drop = "roost.App.DropSocket"
    static let setKeepAlive = "roost.App.SetKeepAlive"
    static let kept = "socketKept"
    static let handler = "keepAliveHandler"
    static let interface = ConcernInterface(
        kinds: [handler], messages: [.init(kept, "(socket: int, failure: ?int)")],
        app: PackageResources.Sockets_App_varlink)

    static func request(_ method: String, _ parameters: JSONField) throws(WireError) -> ConcernRequest? {
        switch method {
        case keep: .socket(.keep(try KeptSocket(parameters)))
        case drop: .socket(.drop(try parameters["socket"].socketID()))
        case setKeepAlive:
            .socket(.setKeepAlive((try parameters["interval"].ifGiven?.positive(Int64.self)).map { Nanoseconds($0) }))
        default: nil
        }
    }

    static func call(_ kind: String, _ fields: JSONField) -> ConcernCall? {
        kind == handler ? .socket(.keepAlive) : nil
    }

    static func message(_ field: JSONField) throws(WireError) -> ConcernMessage? {
        guard field.name == kept else { return nil }
        let parts = try field.object()
        let failure = try parts["failure"].ifGiven?.code(of: SocketFailure.self)
        return .socket(.kept(try parts["socket"].socketID(), failure))
    }

    static func act(_ method: String, _ parameters: JSONField) -> (any ControlAct)? { nil }

    static func sent(_ request: ConcernRequest) -> VarlinkCall? {
        guard case .socket(let request) = request else { return nil }
        return switch request {
        case .keep(let socket):
            VarlinkCall(
                keep, ["descriptor": .integer(Int64(socket.descriptor)), "socket": socket.id.json], oneway: true)
        case .drop(let id): VarlinkCall(drop, ["socket": id.json], oneway: true)
        case .setKeepAlive(let interval):
            VarlinkCall(setKeepAlive, ["interval": interval.map { .integer($0.rawValue) }], oneway: true)
        }
    }

    static func sent(_ call: ConcernCall, _ id: CallbackID) -> JSON? {
        guard case .socket(let call) = call else { return nil }
        return switch call {
        case .keepAlive: .callback(id, handler)
        }
    }

    static func sent(_ message: ConcernMessage) -> VarlinkReply? {
        guard case .socket(let news) = message else { return nil }
        return switch news {
        case .kept(let id, let failure):
            VarlinkReply(
                [kept: .object(["failure": failure.map { .integer(Int64($0.rawValue)) }, "socket": id.json])],
                continues: true)
        }
    }
}

extension KeptSocket {
    fileprivate init(_ parameters: JSONField) throws(WireError) {
        let descriptor = parameters["descriptor"]
        let number = try descriptor.whole(Int32.self)
        guard number >= 0 else { throw .invalidParameter(field: descriptor.name, problem: "is negative") }
        self.init(id: try parameters["socket"].socketID(), descriptor: number)
    }
}

extension SocketID {
    fileprivate var json: JSON { .integer(rawValue) }
}

extension JSONField {
    fileprivate func socketID() throws(WireError) -> SocketID { SocketID(rawValue: try positive()) }
}
