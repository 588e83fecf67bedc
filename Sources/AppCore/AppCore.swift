public import LifeCycleModel

/// The app's side of the life cycle: turns what the system says into delegate calls and notifications in Apple's
/// order, and keeps the app's finite-length tasks.
///
/// Pure: it returns steps and never calls out, because a delegate re-enters it. Time is an argument, read from
/// CLOCK_MONOTONIC. RoostKit runs it in a real app, the simulator's scripted apps run the same one.
///
/// ```
///   starting ──launch──▶ rising ──didBecomeActive──▶ active
///      │                   ▲                          │ ▲
///      │ launch       willEnterForeground   willResignActive didBecomeActive
///      ▼                   │                          ▼ │
///   background ────────────┘◀──didEnterBackground── falling
/// ```
public struct AppCore: Hashable, Sendable {
    /// The most tasks that may be begun and not ended: an app's list of them has to fit a message.
    public static let mostTasks = 4096

    /// How far the app has come by the callbacks it has finished.
    public private(set) var phase = AppPhase.starting
    /// The last callback it has finished.
    public private(set) var lastCallback = CallbackID.none

    private let context: LaunchContext
    /// The callback being run, and those that came meanwhile (a delegate may run a nested run loop).
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
    /// `UIApplication.isIdleTimerDisabled`.
    public private(set) var isIdleTimerDisabled = false

    var concerns = AppConcerns()
    private var events = OpenEvents()
    private var tasks = OpenTasks()
    /// When background time is up: the system's word, or until it comes, an estimate. It outlives the tasks, because
    /// the clock does: one stretch in the background is one clock, however many tasks follow each other.
    private var backgroundDeadline: Nanoseconds?

    /// The core of an app that was just launched.
    public init(context: LaunchContext) {
        self.context = context
        scene = SceneSteps(session: context.sceneSession)
    }

    // MARK: What the app may read

    /// `UIApplication.applicationState` at this instant, also within callbacks (section 1.2, 7).
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

    /// Whether the app may have background time at all.
    public var isMultitaskingSupported: Bool { context.isMultitaskingSupported }

    /// The background time left; nil in the foreground, where it is without bounds. Zero where no task is
    /// open: nothing holds the app then, and it may be suspended at once.
    public func backgroundTimeRemaining(at now: Nanoseconds) -> Nanoseconds? {
        guard applicationState == .background else { return nil }
        guard let backgroundDeadline, !tasks.open.isEmpty else { return .zero }
        return max(.zero, backgroundDeadline - now)
    }

    /// What the app says of itself when it connects.
    public var attachment: Attachment {
        Attachment(
            lastCallback: lastCallback, phase: phase, open: tasks.open, isIdleTimerDisabled: isIdleTimerDisabled,
            isSceneConnected: scene.isConnected, openEvents: events.open, notificationActs: concerns.notifications.last)
    }

    /// The device as the app last heard of it.
    public var facts: DeviceFacts { news.facts }

    /// The app's scene session; nil where it has none.
    public var sceneSession: SceneSessionID? { context.sceneSession }

    /// The restore identifiers of the Bluetooth managers the app was launched for.
    public private(set) var restoreIdentifiers: [String] = []

    /// Whether the app's scene is connected.
    public var isSceneConnected: Bool { scene.isConnected }

    /// The tasks open now, in the order of their ids.
    public var openTasks: [BackgroundTask] { tasks.open }

    // MARK: What the system says

    /// Takes a message of the system's. A callback that was finished or begun already is passed over: after a
    /// reconnection the system says again what it has no answer to.
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
            // The app is not told in the middle of a callback, nor before it has launched.
            if runningID == nil { news.learn(facts, into: &steps) } else { waiting.append(message) }
        case .input(let input):
            if runningID != nil {
                waiting.append(message)
            } else if applicationState == .active {
                steps.append(.deliver(input))
            }
        case .concern(let message): concerns.handle(.told(message), into: &steps)
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
            // Tasks were dormant until now: those the system has not heard of are reported before any code runs.
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
            concerns.handle(.called(call), into: &steps)
            steps.append(.call(.concern(call, id)))
        case .willTerminate:
            steps.append(.call(.willTerminate))
            steps.append(.post(.willTerminate))
        }
        steps.append(.finish(id))
    }

    /// The calls of a callback have all returned: acknowledges it with the tasks open now, and goes on to the next.
    public mutating func callbackReturned(_ id: CallbackID, at now: Nanoseconds, into steps: inout [Step]) {
        guard let (current, callback) = running, current == id else { return }
        running = nil
        lastCallback = id
        events.returned(from: id)
        switch callback {
        case .launch(let reason): phase = reason == .user ? .rising : .background
        case .willEnterForeground:
            phase = .rising
            // A task begun within the callback has started an estimate, which ends with the background.
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
            // What is no callback is dealt with at once, and more may follow it.
            while runningID == nil, !waiting.isEmpty { receive(waiting.removeFirst(), at: now, into: &steps) }
        }
    }

    // MARK: What the app asks for

    /// `beginBackgroundTask`: nil (`.invalid`) where the app cannot run in the background, or has begun too
    /// many. In the foreground the task is dormant and nothing is sent.
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

    /// Estimates when background time is up, unless that is known. A time that came while no task was open is that of
    /// an earlier stretch: the app has been suspended since, and a new clock begins.
    private mutating func startClock(at now: Nanoseconds) {
        if let backgroundDeadline, backgroundDeadline > now || !tasks.open.isEmpty { return }
        backgroundDeadline = now + context.backgroundTime
    }

    /// `endBackgroundTask`: an identifier that is not open is worth a line in the log, no more.
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

    /// Sets `UIApplication.isIdleTimerDisabled`; the system hears of a change at once (T09).
    public mutating func setIdleTimerDisabled(_ isDisabled: Bool, into steps: inout [Step]) {
        guard isDisabled != isIdleTimerDisabled else { return }
        isIdleTimerDisabled = isDisabled
        steps.append(.send(.setIdleTimerDisabled(isDisabled)))
    }

    /// The completion handler was called that came with an event. A second call is worth a line in the log.
    public mutating func eventHandled(
        _ callback: CallbackID, _ kind: WakeEvent, _ result: BackgroundFetchResult, into steps: inout [Step]
    ) {
        if events.handled(callback, result) {
            steps.append(.send(.eventHandled(callback, result)))
        } else {
            steps.append(.log(.handlerCalledTwice(kind)))
        }
    }

    /// What is said again on a new connection, right after the app's account of itself: all that the system may not have
    /// heard, or may have forgotten. `nextRepeats` gives what follows.
    public mutating func beginRepeats() -> [AppRequest] {
        var steps: [Step] = []
        concerns.handle(.connectedAgain, into: &steps)
        return events.repeats + steps.compactMap { if case .send(let request) = $0 { request } else { nil } }
    }

    /// The next of it, about so much at once: an app with very many downloads does other things between.
    public mutating func nextRepeats(_ count: Int) -> [AppRequest] { concerns.transfers.nextRepeats(count) }

    /// Whether something is left to be said again.
    public var isRepeating: Bool { concerns.transfers.isRepeating }

    /// All of it.
    public mutating func repeats() -> [AppRequest] { beginRepeats() + nextRepeats(.max) }

    /// Asked just before a handler is called: whether the task still waits for one. Another handler may have ended
    /// it meanwhile, and each is called once.
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
