import AppCore
import Foundation
package import LifeCycleModel
import RoostWire
import Synchronization

/// The app's own side of its life cycle, for any thread: the core, the handlers, and the way requests go out.
///
/// All three lie under one lock, and a request is sent before the lock is let go. So requests leave in the order in
/// which the core decided on them: an acknowledgement never overtakes a begin made before it, on whatever thread, and
/// a task begun off the foreground is with the system when `beginBackgroundTask` returns. No code of the app's runs
/// under the lock.
package final class AppSession: Sendable {
    typealias Handler = @MainActor @Sendable () -> Void

    /// Where requests go.
    enum Outlet {
        /// Without a connection nothing is lost: the app's account of itself says it when it connects.
        case none
        case socket(StreamSocket, Pace)
        /// A test's device, in whose process the app runs.
        case host(any HostLink)
    }

    struct State {
        var core: AppCore
        var handlers: [TaskID: Handler] = [:]
        /// Who hears what becomes of the background sessions that are open.
        var listeners: [SessionIdentifier: any TransferListener] = [:]
        var outlet = Outlet.none
        /// Tells the connections there were from one another.
        var introductions = 0
    }

    /// The session of this process, made from its environment. A process that Roost did not launch ends here.
    static let shared = {
        let session = AppSession(environment: readEnvironment())
        known.withLock { $0 = session }
        return session
    }()

    /// The session of the app whose code this is.
    package static var current: AppSession { CurrentApp.runner?.session ?? shared }

    /// The same, if there is one that has begun.
    static var running: AppSession? { CurrentApp.runner?.session ?? known.withLock { $0 } }

    private static let known = Mutex<AppSession?>(nil)

    /// Why and under which conditions the app was launched.
    let context: LaunchContext
    /// The way to the system; nil for an app that a test hosts in its own process.
    let environment: AppEnvironment?
    /// The way to the test's device, of such an app.
    let link: (any HostLink)?
    /// How far in front the app is, for those who follow it.
    let phases: PhaseSource
    private let state: Mutex<State>

    convenience init(environment: AppEnvironment) {
        self.init(context: environment.context, environment: environment, link: nil)
    }

    /// The session of an app that a test hosts in its own process.
    package convenience init(context: LaunchContext, link: any HostLink) {
        self.init(context: context, environment: nil, link: link)
    }

    private init(context: LaunchContext, environment: AppEnvironment?, link: (any HostLink)?) {
        self.context = context
        self.environment = environment
        self.link = link
        let core = AppCore(context: context)
        phases = PhaseSource(ScenePhase(core.applicationState))
        state = Mutex(State(core: core, outlet: link.map { .host($0) } ?? .none))
    }

    /// The app is launched: where its process was started early, its phase is only known now (T28).
    func launched() { phases.change(to: ScenePhase(applicationState)) }

    private static func readEnvironment() -> AppEnvironment {
        do {
            if let environment = try AppEnvironment(reading: { getenv($0).map { String(cString: $0) } }) {
                // Whoever holds the token speaks for this app: children do not inherit it.
                unsetenv(AppEnvironment.tokenVariable)
                return environment
            }
        } catch {
            AppLog.fail("the launch environment is garbled: \(error)", code: EX_USAGE)
        }
        AppLog.fail(
            "this is an app for Roost: start it with `roost launch`, after `roost install` of its bundle",
            code: EX_USAGE)
    }

    // MARK: What the app may read

    var applicationState: AppState { state.withLock { $0.core.applicationState } }

    var isMultitaskingSupported: Bool { state.withLock { $0.core.isMultitaskingSupported } }

    /// The device as the app last heard of it.
    var facts: DeviceFacts { state.withLock { $0.core.facts } }

    /// Whether the process was started before the app is launched (T28).
    var isPrewarmed: Bool { context.isPrewarmed }

    /// The class of the application object; nil for `UIApplication`.
    var principalClass: String? { context.principalClass }

    /// Whether the app has scenes.
    var hasScenes: Bool { context.sceneSession != nil }

    /// Nil in the foreground, where it is without bounds.
    var backgroundTimeRemaining: Nanoseconds? {
        let now = now
        return state.withLock { $0.core.backgroundTimeRemaining(at: now) }
    }

    // MARK: Tasks

    func beginTask(name: String, handler: Handler?) -> UIBackgroundTaskIdentifier {
        beginTask(name: name, handler: handler, file: "", line: 0)
    }

    func beginTask(name: String, handler: Handler?, file: String, line: Int) -> UIBackgroundTaskIdentifier {
        let now = now
        let (id, rest) = state.withLock { state -> (TaskID?, [Step]) in
            var steps: [Step] = []
            let id = state.core.beginTask(name: name, hasHandler: handler != nil, at: now, into: &steps)
            if let id {
                state.handlers[id] = handler
                link?.began(id, file: file, line: line)
                TestRecorder.shared?.write(.began(id, file: file, line: line))
            }
            return (id, Self.send(steps, &state.outlet))
        }
        for case .log(let fault) in rest { log(fault) }
        return id.map { UIBackgroundTaskIdentifier(rawValue: Int($0.rawValue)) } ?? .invalid
    }

    func endTask(_ id: TaskID) {
        // The app may be suspended the moment the system hears of it.
        if link == nil, applicationState == .background { UserDefaults.keep() }
        // In the foreground the system does not hear of it, and a test wants to know that none was forgotten.
        TestRecorder.shared?.write(.ended(id))
        // The handler is let go outside of the lock: what it captured may run code when it goes.
        let (rest, handler) = state.withLock { state -> ([Step], Handler?) in
            var steps: [Step] = []
            state.core.endTask(id, into: &steps)
            return (Self.send(steps, &state.outlet), state.handlers.removeValue(forKey: id))
        }
        withExtendedLifetime(handler) {
            for case .log(let fault) in rest { log(fault) }
        }
    }

    // MARK: What else the app asks for

    var isIdleTimerDisabled: Bool { state.withLock { $0.core.isIdleTimerDisabled } }

    func setIdleTimerDisabled(_ isDisabled: Bool) { ask { $0.setIdleTimerDisabled(isDisabled, into: &$1) } }

    /// The app asks for something, on whatever thread: a misuse is worth a line in its log.
    func ask(_ request: (_ core: inout AppCore, _ steps: inout [Step]) -> Void) {
        for case .log(let fault) in transact({ core, _, steps in request(&core, &steps) }) { log(fault) }
    }

    /// The completion handler of an event, to be called once, on whatever thread: a second call is worth a line in the log
    ///
    func handler(
        of kind: WakeEvent, by callback: CallbackID
    ) -> @Sendable (UIBackgroundFetchResult) -> Void {
        { [self] result in
            // The app may be suspended the moment the system hears of it.
            if link == nil { UserDefaults.keep() }
            ask { $0.eventHandled(callback, kind, BackgroundFetchResult(result), into: &$1) }
        }
    }

    // MARK: What the main thread does

    /// Takes a message of the system's; what is left to do is returned.
    func receive(_ message: SystemMessage) -> [Step] {
        transact { core, now, steps in core.receive(message, at: now, into: &steps) }
    }

    /// A callback's calls have returned; what is left to do is returned.
    func finish(_ callback: CallbackID) -> [Step] {
        transact { core, now, steps in core.callbackReturned(callback, at: now, into: &steps) }
    }

    /// The handler to call now, if the task still waits for one.
    func takeHandler(of id: TaskID) -> Handler? {
        let (handler, rest) = state.withLock { state -> (Handler?, [Step]) in
            var steps: [Step] = []
            let isDue = state.core.takeExpiration(of: id, into: &steps)
            return (isDue ? state.handlers.removeValue(forKey: id) : nil, Self.send(steps, &state.outlet))
        }
        for case .log(let fault) in rest { log(fault) }
        return handler
    }

    /// What the core says at this instant.
    func reading<Value: Sendable>(_ read: (AppCore) -> Value) -> Value { state.withLock { read($0.core) } }

    func transact(_ change: (inout AppCore, Nanoseconds, inout [Step]) -> Void) -> [Step] {
        let now = now
        return state.withLock { state in
            var steps: [Step] = []
            change(&state.core, now, &steps)
            return Self.send(steps, &state.outlet)
        }
    }

    /// Sends what is to be sent and returns the rest. The core puts what it sends before any call of the same
    /// transaction.
    private static func send(_ steps: [Step], _ outlet: inout Outlet) -> [Step] {
        var rest: [Step] = []
        for step in steps {
            guard case .send(let request) = step else {
                rest.append(step)
                continue
            }
            switch outlet {
            case .none: break
            case .host(let link): link.send(request)
            case .socket(let socket, let pace):
                pace.keep()
                do throws(SocketError) {
                    try socket.send(AppCall.request(request).encoded())
                } catch {
                    // Half a message may be out: the connection is of no use any more. Its reader, on the main thread,
                    // sees the end and connects again.
                    socket.shutDown()
                    outlet = .none
                }
            }
        }
        return rest
    }

    // MARK: Background sessions

    /// Changes what belongs to background sessions, and sends what that brings forth.
    func transferring<Result>(_ change: (inout State, inout [Step]) -> sending Result) -> sending Result {
        state.withLock { state in
            var steps: [Step] = []
            let result = change(&state, &steps)
            // Nothing but requests comes of it.
            _ = Self.send(steps, &state.outlet)
            return result
        }
    }

    /// Who hears of a session; for the last time where `isLast`.
    func listener(of identifier: SessionIdentifier, isLast: Bool) -> (any TransferListener)? {
        state.withLock { isLast ? $0.listeners.removeValue(forKey: identifier) : $0.listeners[identifier] }
    }

    // MARK: Connection

    /// Introduces the app on two fresh connections; from then on requests go out. Nothing can be begun, ended or
    /// acknowledged between the account the app gives and its first request.
    func introduce(
        callbacks: StreamSocket, requests: StreamSocket, token: String
    ) throws(SocketError) {
        let rest = try state.withLock { state throws(SocketError) -> Int? in
            try callbacks.send(AppCall.attach(token: token, state.core.attachment).encoded())
            try requests.send(AppCall.identify(token: token).encoded())
            let pace = Pace()
            for request in state.core.beginRepeats() + state.core.nextRepeats(Self.saidAtOnce) {
                pace.keep()
                try requests.send(AppCall.request(request).encoded())
            }
            state.outlet = .socket(requests, pace)
            state.introductions += 1
            return state.core.isRepeating ? state.introductions : nil
        }
        if let rest { Thread.detachNewThread { [self] in sayRest(of: rest) } }
    }

    /// How much is said again at once, and how long the app has to itself after that, in milliseconds: half of what may be
    /// said in a second is left for it.
    private static let saidAtOnce = 100
    private static let pause: Int32 = 25

    /// Says the rest of what is to be said again, while the app goes on: of a hundred thousand downloads it takes longer
    /// than an app may be deaf.
    private func sayRest(of introduction: Int) {
        var isMore = true
        while isMore {
            poll(nil, 0, Self.pause)
            isMore = state.withLock { state in
                guard state.introductions == introduction, case .socket = state.outlet else { return false }
                _ = Self.send(state.core.nextRepeats(Self.saidAtOnce).map { .send($0) }, &state.outlet)
                return state.core.isRepeating
            }
        }
    }

    /// The connections are gone, or are about to be closed.
    func forgetConnection() { state.withLock { $0.outlet = .none } }

    /// What the app says of itself to a test's device that begins to listen.
    package var attachment: Attachment { state.withLock { $0.core.attachment } }

    /// The tasks the app has begun and not ended.
    package var openTasks: [BackgroundTask] { state.withLock { $0.core.openTasks } }

    /// Tells the app's author of a misuse, in Apple's words where Apple has them.
    func log(_ fault: AppFault) {
        switch fault {
        case .tooManyTasks:
            write("Can't beginBackgroundTask: \(AppCore.mostTasks) background tasks are open already.")
        case .unknownTask(let id):
            let hex = String(UInt64(bitPattern: id.rawValue), radix: 16)
            write(
                "Can't endBackgroundTask: no background task exists with identifier \(id.rawValue) (0x\(hex)), or it "
                    + "may have already been ended. Break in UIApplicationEndBackgroundTaskError() to debug.")
        case .taskWithoutHandler(let id):
            write(
                "Background task \(id.rawValue) was begun without an expiration handler: if its time runs out, the app "
                    + "will be terminated.")
        case .handlerCalledTwice(let kind):
            write(
                "The completion handler of application(_:\(kind.name)…) was called more than once, or long after its time."
            )
        case .noExpirationHandler(let id):
            write(
                "Background task \(id.rawValue) has no expiration handler, and its time is up: the app will be "
                    + "terminated unless the task is ended now.")
        }
    }

    /// A line in the app's log.
    package func log(_ line: String) { write(line) }

    private func write(_ line: String) {
        if let link { link.log(line) } else { AppLog.write(line) }
    }

    /// CLOCK_MONOTONIC, of the device the app runs on.
    var now: Nanoseconds { link?.now ?? Self.monotonic }

    /// CLOCK_MONOTONIC of the machine.
    static var monotonic: Nanoseconds {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Nanoseconds(Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
