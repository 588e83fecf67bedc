public import LifeCycleModel

/// The app's side of the life cycle. It turns the system's messages into delegate calls and notifications in Apple's
/// order, and manages the app's background tasks.
///
/// The core is pure: it returns steps and never calls out, because a delegate may call back into the core. Time is an
/// argument, read from CLOCK_MONOTONIC. RoostKit runs this code in real apps, and the simulator runs it in scripted
/// apps.
///
/// ```
///   starting ──launch──▶ rising ──didBecomeActive──▶ active
///      │                   ▲                          │ ▲
///      │ launch       willEnterForeground   willResignActive didBecomeActive
///      ▼                   │                          ▼ │
///   background ────────────┘◀──didEnterBackground── falling
/// ```
public struct AppCore: Hashable, Sendable {
    /// The maximum number of tasks that are begun and not ended: an app's list of its open tasks must fit into a
    /// message.
    public static let mostTasks = 4096

    /// The launch's progress, by the callbacks that have finished.
    public private(set) var phase = AppPhase.starting
    /// The last finished callback.
    public private(set) var lastCallback = CallbackID.none

    let context: LaunchContext
    /// The running callback. Other callbacks may arrive meanwhile, because a delegate may run a nested run loop.
    private var running: (id: CallbackID, callback: Callback)? {
        get { runningID.flatMap { id in runningCallback.map { (id, $0) } } }
        set {
            runningID = newValue?.id
            runningCallback = newValue?.callback
        }
    }
    private var runningID: CallbackID?
    private var runningCallback: Callback?
    private var waiting: [SystemMessage] = []
    private var isExiting = false
    private var scene: SceneSteps
    private var news = DeviceNews()
    /// The value of `UIApplication.isIdleTimerDisabled`.
    public private(set) var isIdleTimerDisabled = false

    var concerns = AppConcerns()
    private var events = OpenEvents()
    private var tasks = OpenTasks()
    /// The end of background time: the system's value or, until that arrives, an estimate. The time outlives the tasks,
    /// because one stretch in the background has one clock for all its tasks.
    private var backgroundDeadline: Nanoseconds?

    /// Creates the core of an app that was just launched.
    public init(context: LaunchContext) {
        self.context = context
        scene = SceneSteps(session: context.sceneSession)
    }

    // MARK: State for the app

    /// The current `UIApplication.applicationState`, also within callbacks (section 1.2, 7).
    public var applicationState: AppState {
        switch (phase, runningCallback) {
        case (.starting, .launch(let reason)): reason == .user ? .inactive : .background
        case (.starting, _): context.reason == .user && !context.isPrewarmed ? .inactive : .background
        case (_, .didBecomeActive): .active
        case (_, .didEnterBackground): .background
        case (.rising, _), (.falling, _): .inactive
        case (.active, _): .active
        case (.background, _): .background
        }
    }

    /// Whether the app can have background time at all.
    public var isMultitaskingSupported: Bool { context.isMultitaskingSupported }

    /// The remaining background time; nil in the foreground, where it is unlimited. Zero if no task is open,
    /// because nothing then prevents suspension.
    public func backgroundTimeRemaining(at now: Nanoseconds) -> Nanoseconds? {
        guard applicationState == .background else { return nil }
        guard let backgroundDeadline, !tasks.open.isEmpty else { return .zero }
        return max(.zero, backgroundDeadline - now)
    }

    /// The app's report of its own state, sent when it connects.
    public var attachment: Attachment {
        Attachment(
            lastCallback: lastCallback, phase: phase, open: tasks.open, isIdleTimerDisabled: isIdleTimerDisabled,
            isSceneConnected: scene.isConnected, openEvents: events.open, notificationActs: concerns.notifications.last)
    }

    /// The device facts that the app last received.
    public var facts: DeviceFacts { news.facts }

    /// The app's scene session; nil for an app without scenes.
    public var sceneSession: SceneSessionID? { context.sceneSession }

    /// The restore identifiers of the Bluetooth managers for which the app was launched.
    public private(set) var restoreIdentifiers: [String] = []

    /// False in an app without scenes, and after the user closed the scene. An `Attachment` reports it.
    public var isSceneConnected: Bool { scene.isConnected }

    /// The open tasks in the order of their ids.
    public var openTasks: [BackgroundTask] { tasks.open }

    // MARK: Messages from the system

    /// Handles a message. A callback that has already begun or finished is ignored: after a reconnection the system
    /// repeats unanswered callbacks.
    public mutating func receive(_ message: SystemMessage, at now: Nanoseconds, into steps: inout [Step]) {
        switch message {
        case .callback(let id, let callback):
            guard id > lastCallback, id != runningID, !waiting.contains(message), !isExiting else { return }
            if runningID == nil {
                begin(id, callback, at: now, into: &steps)
            } else {
                waiting.append(message)
            }
        case .backgroundTime(let until):
            backgroundDeadline = until
        case .taskRefused(let id):
            if tasks.refuse(id) { steps.append(.expire(id)) }
        case .device(let facts):
            // Device news must wait while a callback runs, and until the app has launched.
            if runningID == nil { news.learn(facts, into: &steps) } else { waiting.append(message) }
        case .input(let input):
            if runningID != nil {
                waiting.append(message)
            } else if applicationState == .active {
                steps.append(.deliver(input))
            }
        case .concern(let message): concerns.handle(.received(message), into: &steps)
        case .restoreIdentifiers(let identifiers): restoreIdentifiers = identifiers
        }
    }

    private mutating func begin(
        _ id: CallbackID, _ callback: Callback, at now: Nanoseconds, into steps: inout [Step]
    ) {
        running = (id, callback)
        switch callback {
        case .launch(let reason):
            steps.append(.call(.willFinishLaunching(reason)))
            steps.append(.call(.didFinishLaunching(reason)))
            steps.append(.post(.didFinishLaunching(reason)))
            scene.launched(for: reason, into: &steps)
        case .didBecomeActive:
            scene.didBecomeActive(into: &steps)
        case .willResignActive:
            scene.willResignActive(into: &steps)
        case .didEnterBackground:
            // Tasks were dormant until now. Report the tasks that the system does not know before any code runs.
            for task in tasks.takeUnreported() { steps.append(.send(.beginTask(task))) }
            if backgroundDeadline == nil, !tasks.open.isEmpty { backgroundDeadline = now + context.backgroundTime }
            scene.didEnterBackground(into: &steps)
        case .willEnterForeground:
            backgroundDeadline = nil
            scene.willEnterForeground(into: &steps)
        case .expireTasks:
            for task in tasks.open { steps.append(.expire(task.id)) }
        case .deviceChanged(let facts): news.learn(facts, into: &steps)
        case .memoryWarning:
            steps.append(.call(.didReceiveMemoryWarning))
            steps.append(.post(.didReceiveMemoryWarning))
        case .disconnectScene: scene.disconnect(into: &steps)
        case .discardScenes(let range): scene.discard(range.sessions, into: &steps)
        case .concern(let call):
            if case .event(let event)? = call.handler(of: id) { events.came(event) }
            concerns.handle(.called(call, at: now), into: &steps)
            steps.append(.call(.concern(call, id)))
        case .willTerminate:
            steps.append(.call(.willTerminate))
            steps.append(.post(.willTerminate))
        }
        steps.append(.finish(id))
    }

    /// Records that all calls of a callback have returned, acknowledges it with the open tasks, and begins the next
    /// callback.
    public mutating func callbackReturned(_ id: CallbackID, at now: Nanoseconds, into steps: inout [Step]) {
        guard let (current, callback) = running, current == id else { return }
        running = nil
        lastCallback = id
        events.returned(from: id)
        switch callback {
        case .launch(let reason): phase = reason == .user ? .rising : .background
        case .willEnterForeground:
            phase = .rising
            // A task begun within the callback has started an estimate, which ends with the background stretch.
            backgroundDeadline = nil
        case .didBecomeActive: phase = .active
        case .willResignActive: phase = .falling
        case .didEnterBackground: phase = .background
        case .expireTasks, .deviceChanged, .memoryWarning, .disconnectScene, .discardScenes, .concern:
            break
        case .willTerminate: isExiting = true
        }
        tasks.markReported()
        steps.append(.send(.acknowledge(id, open: tasks.open)))
        if isExiting {
            steps.append(.exit)
        } else {
            // Messages that are not callbacks are handled at once; then more may follow.
            while runningID == nil, !waiting.isEmpty { receive(waiting.removeFirst(), at: now, into: &steps) }
        }
    }

    // MARK: Requests from the app

    /// `beginBackgroundTask`: nil (`.invalid`) if the app cannot run in the background, or has too many open
    /// tasks. In the foreground the task is dormant, and nothing is sent.
    public mutating func beginTask(
        name: String, hasHandler: Bool, at now: Nanoseconds, into steps: inout [Step]
    ) -> TaskID? {
        guard context.isMultitaskingSupported, !isExiting else { return nil }
        guard tasks.count < Self.mostTasks else {
            steps.append(.log(.tooManyTasks))
            return nil
        }
        let isEffective = applicationState == .background
        if isEffective { startClock(at: now) }
        let task = tasks.begin(name: name, hasHandler: hasHandler, isReported: isEffective)
        if !hasHandler { steps.append(.log(.taskWithoutHandler(task.id))) }
        if isEffective { steps.append(.send(.beginTask(task))) }
        return task.id
    }

    /// Estimates the end of background time unless it is known. A past time without open tasks belongs to an earlier
    /// stretch: the app was suspended since, so a new clock begins.
    private mutating func startClock(at now: Nanoseconds) {
        if let backgroundDeadline, backgroundDeadline > now || !tasks.open.isEmpty { return }
        backgroundDeadline = now + context.backgroundTime
    }

    /// `endBackgroundTask`: an identifier that is not open is only logged.
    public mutating func endTask(_ id: TaskID, into steps: inout [Step]) {
        switch tasks.end(id) {
        case .ended:
            if applicationState == .background { steps.append(.send(.endTask(id))) }
        case .wasRefused:
            break
        case .unknown:
            steps.append(.log(.unknownTask(id)))
        }
    }

    /// Sets `UIApplication.isIdleTimerDisabled`, and reports a change to the system at once (T09).
    public mutating func setIdleTimerDisabled(_ isDisabled: Bool, into steps: inout [Step]) {
        guard isDisabled != isIdleTimerDisabled else { return }
        isIdleTimerDisabled = isDisabled
        steps.append(.send(.setIdleTimerDisabled(isDisabled)))
    }

    /// Records that the app has called an event's completion handler. A second call is logged.
    public mutating func eventHandled(
        _ callback: CallbackID, _ kind: WakeEvent, _ result: BackgroundFetchResult, into steps: inout [Step]
    ) {
        if events.handled(callback, result) {
            steps.append(.send(.eventHandled(callback, result)))
        } else {
            steps.append(.log(.handlerCalledTwice(kind)))
        }
    }

    /// The first repeated requests after a reconnection, right after the attachment. The system may have missed or
    /// forgotten them. `nextRepeats` returns the remaining requests.
    public mutating func beginRepeats() -> [AppRequest] {
        var steps: [Step] = []
        concerns.handle(.connectedAgain, into: &steps)
        return events.repeats + steps.compactMap { if case .send(let request) = $0 { request } else { nil } }
    }

    /// The next repeated requests, about `count` of them. The batches let an app with very many downloads continue.
    public mutating func nextRepeats(_ count: Int) -> [AppRequest] { concerns.transfers.nextRepeats(count) }

    /// Whether requests remain to be repeated.
    public var isRepeating: Bool { concerns.transfers.isRepeating }

    /// All requests to repeat after a reconnection.
    public mutating func repeats() -> [AppRequest] { beginRepeats() + nextRepeats(.max) }

    /// Whether a task still waits for its handler, asked just before the call. Another handler may have ended the task
    /// meanwhile, and each handler is called once.
    public mutating func takeExpiration(of id: TaskID, into steps: inout [Step]) -> Bool {
        switch tasks.takeHandler(id) {
        case .call: return true
        case .none: return false
        case .missing:
            steps.append(.log(.noExpirationHandler(id)))
            return false
        }
    }
}
