public import LifeCycleModel

/// A call of `roost.App`: what an app says to the system.
public enum AppCall: Hashable, Sendable {
    /// Opens the callbacks connection; its replies are `SystemMessage`s.
    case attach(token: String, Attachment)
    /// Opens the requests connection.
    case identify(token: String)
    /// A request, on the requests connection.
    case request(AppRequest)

    /// Reads a call; throws where its method, or any of its parameters, is not as the interface says.
    public init(_ call: VarlinkCall) throws(WireError) {
        guard call.interface == VarlinkInterface.app.name else { throw .unknownInterface(call.interface) }
        switch call.method {
        case "roost.App.Attach":
            guard call.more else {
                throw .invalidParameter(field: "more", problem: "is not set: callbacks are a stream of replies")
            }
            let parameters = try call.parameters(as: Attach.self)
            guard parameters.lastCallback >= 0 else {
                throw .invalidParameter(field: "lastCallback", problem: "is negative")
            }
            self = .attach(
                token: try Self.checked(token: parameters.token),
                Attachment(
                    lastCallback: CallbackID(parameters.lastCallback), phase: parameters.phase,
                    open: try TaskPayload.tasks(parameters.open, field: "open"),
                    isIdleTimerDisabled: parameters.isIdleTimerDisabled ?? false,
                    isSceneConnected: parameters.isSceneConnected ?? false))
        case "roost.App.Identify":
            self = .identify(token: try Self.checked(token: call.parameters(as: Token.self).token))
        case "roost.App.Acknowledge":
            let parameters = try call.parameters(as: Acknowledge.self)
            guard parameters.callback >= 1 else {
                throw .invalidParameter(field: "callback", problem: "is not positive")
            }
            self = .request(
                .acknowledge(
                    CallbackID(parameters.callback), open: try TaskPayload.tasks(parameters.open, field: "open")))
        case "roost.App.BeginTask":
            self = .request(.beginTask(try call.parameters(as: BeginTask.self).task.task(field: "task")))
        case "roost.App.EndTask":
            // An app may end what it likes: any number is taken.
            self = .request(.endTask(TaskID(try call.parameters(as: EndTask.self).task)))
        case "roost.App.SetIdleTimerDisabled":
            self = .request(.setIdleTimerDisabled(try call.parameters(as: IdleTimer.self).disabled))
        default:
            throw .unknownMethod(call.method)
        }
    }

    /// The call as it is sent: requests need no answer, so they are `oneway`.
    public var call: VarlinkCall {
        switch self {
        case .attach(let token, let attachment):
            VarlinkCall(
                method: "roost.App.Attach",
                parameters: Attach(
                    token: token, lastCallback: attachment.lastCallback.rawValue, phase: attachment.phase,
                    open: TaskPayload.payloads(attachment.open),
                    isIdleTimerDisabled: attachment.isIdleTimerDisabled,
                    isSceneConnected: attachment.isSceneConnected),
                more: true)
        case .identify(let token):
            VarlinkCall(method: "roost.App.Identify", parameters: Token(token: token))
        case .request(.acknowledge(let callback, let open)):
            VarlinkCall(
                method: "roost.App.Acknowledge",
                parameters: Acknowledge(callback: callback.rawValue, open: TaskPayload.payloads(open)), oneway: true)
        case .request(.beginTask(let task)):
            VarlinkCall(
                method: "roost.App.BeginTask", parameters: BeginTask(task: TaskPayload(task)), oneway: true)
        case .request(.endTask(let id)):
            VarlinkCall(method: "roost.App.EndTask", parameters: EndTask(task: id.rawValue), oneway: true)
        case .request(.setIdleTimerDisabled(let isDisabled)):
            VarlinkCall(
                method: "roost.App.SetIdleTimerDisabled", parameters: IdleTimer(disabled: isDisabled), oneway: true)
        }
    }

    /// The bytes to send, with the ending NUL.
    public func encoded() -> [UInt8] { call.encoded() }

    private static func checked(token: String) throws(WireError) -> String {
        guard !token.isEmpty, token.utf8.count <= WireLimits.token else {
            throw .invalidParameter(field: "token", problem: "is empty or longer than \(WireLimits.token) bytes")
        }
        return token
    }

    private struct Attach: Codable {
        let token: String
        @Whole var lastCallback: Int32
        let phase: AppPhase
        let open: [TaskPayload]
        let isIdleTimerDisabled: Bool?
        let isSceneConnected: Bool?
    }
    private struct IdleTimer: Codable { let disabled: Bool }
    private struct Token: Codable { let token: String }
    private struct Acknowledge: Codable {
        @Whole var callback: Int32
        let open: [TaskPayload]
    }
    private struct BeginTask: Codable { let task: TaskPayload }
    private struct EndTask: Codable { @Whole var task: Int64 }
}
