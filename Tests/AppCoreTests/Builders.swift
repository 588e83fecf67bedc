import AppCore
import LifeCycleModel

/// A core, and the steps that it returns. The steps are carried out as RoostKit does, but without code of an app.
struct Scripted {
    var core: AppCore
    var steps: [Step] = []
    private var nextCallback: Int32 = 1

    init(
        _ reason: LaunchReason = .user, isMultitaskingSupported: Bool = true, sceneSession: SceneSessionID? = nil,
        keepAliveFloor: Nanoseconds? = nil
    ) {
        core = AppCore(
            context: LaunchContext(
                reason: reason, backgroundTime: .seconds(30), isMultitaskingSupported: isMultitaskingSupported,
                sceneSession: sceneSession, keepAliveFloor: keepAliveFloor))
    }

    /// The steps for the message.
    mutating func receive(_ message: SystemMessage, at now: Nanoseconds = .zero) -> [Step] {
        var steps: [Step] = []
        core.receive(message, at: now, into: &steps)
        return steps
    }

    mutating func finish(_ id: Int32, at now: Nanoseconds = .zero) -> [Step] {
        var steps: [Step] = []
        core.callbackReturned(CallbackID(id), at: now, into: &steps)
        return steps
    }

    /// Runs a whole callback, without code of an app, and returns all of its steps.
    @discardableResult mutating func run(_ callback: Callback, at now: Nanoseconds = .zero) -> [Step] {
        let id = nextCallback
        nextCallback += 1
        return receive(.callback(CallbackID(id), callback), at: now) + finish(id, at: now)
    }

    /// Begins a callback and leaves it running.
    mutating func start(_ callback: Callback) -> Int32 {
        let id = nextCallback
        nextCallback += 1
        _ = receive(.callback(CallbackID(id), callback))
        return id
    }

    mutating func begin(_ name: String, hasHandler: Bool = true, at now: Nanoseconds = .zero) -> (TaskID?, [Step]) {
        var steps: [Step] = []
        let id = core.beginTask(name: name, hasHandler: hasHandler, at: now, into: &steps)
        return (id, steps)
    }

    mutating func end(_ id: Int64) -> [Step] {
        var steps: [Step] = []
        core.endTask(TaskID(id), into: &steps)
        return steps
    }

    mutating func handle(_ callback: Int32, _ result: BackgroundFetchResult) -> [Step] {
        var steps: [Step] = []
        core.eventHandled(CallbackID(callback), .backgroundFetch, result, into: &steps)
        return steps
    }

    mutating func takeExpiration(_ id: Int64) -> (Bool, [Step]) {
        var steps: [Step] = []
        let isDue = core.takeExpiration(of: TaskID(id), into: &steps)
        return (isDue, steps)
    }

    /// A core in `phase`, by the shortest way.
    static func at(_ phase: AppPhase) -> Scripted {
        switch phase {
        case .starting: return Scripted()
        case .rising: return after([.launch(.user)])
        case .active: return after([.launch(.user), .didBecomeActive])
        case .falling: return after([.launch(.user), .didBecomeActive, .willResignActive])
        case .background: return after([.launch(.user), .didBecomeActive, .willResignActive, .didEnterBackground])
        }
    }

    static func after(_ callbacks: [Callback]) -> Scripted {
        var app = Scripted()
        for callback in callbacks { app.run(callback) }
        return app
    }
}

func task(_ id: Int64, _ name: String = "task") -> BackgroundTask { BackgroundTask(id: TaskID(id), name: name) }
