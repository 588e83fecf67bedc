public import LifeCycleModel

/// What the system says to an app: a reply to `roost.App.Attach`, and another one always follows.
extension SystemMessage {
    /// Reads a reply; throws where it holds none of the messages, or more than one.
    public init(_ reply: VarlinkReply) throws(WireError) {
        if let error = reply.error { throw .unexpectedReply(error) }
        guard reply.continues else { throw .unexpectedReply("it ends the stream of callbacks") }
        let parameters = try reply.parameters(as: Parameters.self)
        switch (
            parameters.callback, parameters.backgroundTime, parameters.taskRefused, parameters.device,
            parameters.input
        ) {
        case (let callback?, nil, nil, nil, nil):
            guard callback.id >= 1 else {
                throw .invalidParameter(field: "callback.id", problem: "is not positive")
            }
            self = .callback(CallbackID(callback.id), try callback.callback())
        case (nil, let time?, nil, nil, nil):
            self = .backgroundTime(until: time.until)
        case (nil, nil, let refused?, nil, nil):
            guard refused.task >= 1 else {
                throw .invalidParameter(field: "taskRefused.task", problem: "is not positive")
            }
            self = .taskRefused(TaskID(refused.task))
        case (nil, nil, nil, let facts?, nil):
            self = .device(facts)
        case (nil, nil, nil, nil, let input?):
            self = .input(try input.input(field: "input"))
        default:
            throw .invalidParameter(field: "parameters", problem: "hold not exactly one message")
        }
    }

    /// The reply that says it.
    public var reply: VarlinkReply {
        let parameters =
            switch self {
            case .callback(let id, let callback): Parameters(callback: CallbackPayload(id: id, callback))
            case .backgroundTime(let until): Parameters(backgroundTime: TimePayload(until: until))
            case .taskRefused(let id): Parameters(taskRefused: RefusedPayload(task: id.rawValue))
            case .device(let facts): Parameters(device: facts)
            case .input(let input): Parameters(input: InputPayload(input))
            }
        return VarlinkReply(parameters: parameters, continues: true)
    }

    /// The bytes to send, with the ending NUL.
    public func encoded() -> [UInt8] { reply.encoded() }

    private struct Parameters: Codable {
        var callback: CallbackPayload?
        var backgroundTime: TimePayload?
        var taskRefused: RefusedPayload?
        var device: DeviceFacts?
        var input: InputPayload?
    }
    private struct TimePayload: Codable { let until: Nanoseconds? }
    private struct RefusedPayload: Codable { @Whole var task: Int64 }
}

/// A callback as the interface has it: `reason` is there for `launch` alone.
private struct CallbackPayload: Codable {
    enum Kind: String, Codable {
        case launch, didBecomeActive, willResignActive, didEnterBackground, willEnterForeground, expireTasks
        case deviceChanged, memoryWarning, disconnectScene, discardScenes, willTerminate
    }

    @Whole var id: Int32
    let kind: Kind
    var reason: LaunchReason?
    var device: DeviceFacts?
    var sessions: [SceneSessionID]?

    init(id: CallbackID, _ callback: Callback) {
        _id = Whole(wrappedValue: id.rawValue)
        switch callback {
        case .launch(let why):
            kind = .launch
            reason = why
        case .didBecomeActive: kind = .didBecomeActive
        case .willResignActive: kind = .willResignActive
        case .didEnterBackground: kind = .didEnterBackground
        case .willEnterForeground: kind = .willEnterForeground
        case .expireTasks: kind = .expireTasks
        case .deviceChanged(let facts):
            kind = .deviceChanged
            device = facts
        case .memoryWarning: kind = .memoryWarning
        case .disconnectScene: kind = .disconnectScene
        case .discardScenes(let closed):
            kind = .discardScenes
            sessions = closed.sessions
        case .willTerminate: kind = .willTerminate
        }
    }

    func callback() throws(WireError) -> Callback {
        switch kind {
        case .launch:
            guard let reason else { throw .invalidParameter(field: "callback.reason", problem: "is missing") }
            return .launch(reason)
        case .didBecomeActive: return .didBecomeActive
        case .willResignActive: return .willResignActive
        case .didEnterBackground: return .didEnterBackground
        case .willEnterForeground: return .willEnterForeground
        case .expireTasks: return .expireTasks
        case .deviceChanged:
            guard let device else { throw .invalidParameter(field: "callback.device", problem: "is missing") }
            return .deviceChanged(device)
        case .memoryWarning: return .memoryWarning
        case .disconnectScene: return .disconnectScene
        case .discardScenes:
            guard let sessions else { throw .invalidParameter(field: "callback.sessions", problem: "is missing") }
            let range = SceneSessionRange(sessions)
            guard range.sessions == sessions else {
                throw .invalidParameter(field: "callback.sessions", problem: "do not follow each other")
            }
            return .discardScenes(range)
        case .willTerminate: return .willTerminate
        }
    }
}
