public import LifeCycleModel

/// A call of `roost.App`, from an app to the system.
public enum AppCall: Hashable, Sendable {
    /// Opens the callbacks connection; its replies are `SystemMessage`s.
    case attach(token: String, Attachment)
    /// Opens the requests connection.
    case identify(token: String)
    /// A request, on the requests connection.
    case request(AppRequest)

    /// Reads a call. Throws if its method or a parameter does not conform to the interface.
    public init(_ call: VarlinkCall) throws(WireError) {
        guard call.interface == VarlinkInterface.app.name else { throw .unknownInterface(String(call.interface)) }
        let parameters = call.parameters
        switch call.method {
        case "roost.App.Attach":
            guard call.more else {
                throw .invalidParameter(field: "more", problem: "is not set: callbacks are a stream of replies")
            }
            self = .attach(token: try Self.token(parameters["token"]), try Attachment(parameters))
        case "roost.App.Identify":
            self = .identify(token: try Self.token(parameters["token"]))
        case "roost.App.Acknowledge":
            let callback = try parameters["callback"].whole(Int32.self)
            guard callback >= 1 else { throw .invalidParameter(field: "callback", problem: "is not positive") }
            self = .request(.acknowledge(CallbackID(callback), open: try BackgroundTask.list(parameters["open"])))
        case "roost.App.BeginTask":
            self = .request(.beginTask(try BackgroundTask(parameters["task"])))
        case "roost.App.EndTask":
            // An app may end any task identifier, so every number is accepted.
            self = .request(.endTask(TaskID(try parameters["task"].whole())))
        case "roost.App.SetIdleTimerDisabled":
            self = .request(.setIdleTimerDisabled(try parameters["disabled"].bool()))
        case "roost.App.HandledEvent":
            let callback = try parameters["callback"].whole(Int32.self)
            guard callback >= 1 else { throw .invalidParameter(field: "callback", problem: "is not positive") }
            self = .request(.eventHandled(CallbackID(callback), try parameters["result"].choice()))
        default:
            guard let request = try WireConcerns.request(call.method, parameters) else {
                throw .unknownMethod(call.method)
            }
            self = .request(.concern(request))
        }
    }

    /// The call as it is sent. Requests need no answer, so they are `oneway`.
    public var call: VarlinkCall {
        switch self {
        case .attach(let token, let attachment):
            VarlinkCall(
                "roost.App.Attach",
                [
                    "isIdleTimerDisabled": .bool(attachment.isIdleTimerDisabled),
                    "isSceneConnected": .bool(attachment.isSceneConnected),
                    "lastCallback": .integer(Int64(attachment.lastCallback.rawValue)),
                    "notificationActs": attachment.notificationActs == 0
                        ? nil : .integer(attachment.notificationActs),
                    "open": BackgroundTask.json(attachment.open),
                    "openEvents": attachment.openEvents.isEmpty ? nil : OpenEvent.json(attachment.openEvents),
                    "phase": .string(attachment.phase.rawValue),
                    "token": .string(token),
                ], more: true)
        case .identify(let token):
            VarlinkCall("roost.App.Identify", ["token": .string(token)])
        case .request(.acknowledge(let callback, let open)):
            VarlinkCall(
                "roost.App.Acknowledge",
                ["callback": .integer(Int64(callback.rawValue)), "open": BackgroundTask.json(open)], oneway: true)
        case .request(.beginTask(let task)):
            VarlinkCall("roost.App.BeginTask", ["task": task.json], oneway: true)
        case .request(.endTask(let id)):
            VarlinkCall("roost.App.EndTask", ["task": .integer(id.rawValue)], oneway: true)
        case .request(.eventHandled(let callback, let result)):
            VarlinkCall(
                "roost.App.HandledEvent",
                ["callback": .integer(Int64(callback.rawValue)), "result": .string(result.rawValue)], oneway: true)
        case .request(.concern(let request)): request.call
        case .request(.setIdleTimerDisabled(let isDisabled)):
            VarlinkCall("roost.App.SetIdleTimerDisabled", ["disabled": .bool(isDisabled)], oneway: true)
        }
    }

    /// The bytes to send, with the terminating NUL.
    public func encoded() -> [UInt8] { call.encoded() }

    private static func token(_ field: JSONField) throws(WireError) -> String {
        let token = try field.string()
        guard !token.isEmpty, token.utf8.count <= WireLimits.token else {
            throw .invalidParameter(
                field: field.name, problem: "is empty or longer than \(WireLimits.token) bytes")
        }
        return token
    }
}

extension Attachment {
    fileprivate init(_ parameters: JSONField) throws(WireError) {
        let lastCallback = try parameters["lastCallback"].whole(Int32.self)
        guard lastCallback >= 0 else { throw .invalidParameter(field: "lastCallback", problem: "is negative") }
        self.init(
            lastCallback: CallbackID(lastCallback), phase: try parameters["phase"].choice(),
            open: try BackgroundTask.list(parameters["open"]),
            isIdleTimerDisabled: try parameters["isIdleTimerDisabled"].ifGiven?.bool() ?? false,
            isSceneConnected: try parameters["isSceneConnected"].ifGiven?.bool() ?? false,
            openEvents: try parameters["openEvents"].ifGiven.map(OpenEvent.list) ?? [],
            notificationActs: try parameters["notificationActs"].ifGiven?.count() ?? 0)
    }
}
