import AppCore
import Foundation
package import LifeCycleModel
import RoostWire
import Synchronization

/// The app's side of its life cycle, usable from any thread: the core, the expiration handlers, and the connection for
/// requests.
///
/// One lock protects all three, and a request is sent while the lock is held. So requests leave in the order in which
/// the core decided on them. An acknowledgment never overtakes a task begun before it on another thread. A task begun
/// in the background has been sent to the system when `beginBackgroundTask` returns. None of the app's code runs under
/// the lock.
package final class AppSession: Sendable {
    typealias Handler = @MainActor @Sendable () -> Void

    /// The destination of requests.
    enum Outlet {
        /// No connection. Nothing is lost: the attachment reports the app's state when it connects.
        case none
        case socket(StreamSocket, Pace, ReceiveBuffer)
        /// The device of a test that hosts the app in its own process.
        case host(any HostLink)
    }

    struct State {
        var core: AppCore
        var handlers: [TaskID: Handler] = [:]
        /// The receivers of news about the open background sessions.
        var listeners: [SessionIdentifier: any TransferListener] = [:]
        /// The app's location managers, its audio session with its players, its push registries, its call providers
        /// and its requests to keep sockets, if it has made them.
        var concernListeners: [ListeningConcern: any ConcernListener] = [:]  // ordered: looked up only
        var outlet = Outlet.none
        /// The number of connections so far; a thread that repeats requests stops when its connection is not the newest.
        var introductions = 0
    }

    /// The session of this process, made from its environment. A process that Roost did not launch exits here.
    static let shared = {
        let session = AppSession(environment: readEnvironment())
        known.withLock { $0 = session }
        return session
    }()

    /// The session of the app whose code is running, created on first use.
    package static var current: AppSession { CurrentApp.runner?.session ?? shared }

    /// The session of the app whose code is running; nil if no session has begun.
    static var running: AppSession? { CurrentApp.runner?.session ?? known.withLock { $0 } }

    private static let known = Mutex<AppSession?>(nil)

    /// The reason for the launch and its conditions.
    let context: LaunchContext
    /// The environment that leads to the system; nil for an app that a test hosts in its own process.
    let environment: AppEnvironment?
    /// The link to the test's device; nil unless a test hosts the app in its own process.
    let link: (any HostLink)?
    let phases: PhaseSource
    private let state: Mutex<State>

    convenience init(environment: AppEnvironment) {
        self.init(context: environment.context, environment: environment, link: nil)
    }

    /// Creates the session of an app that a test hosts in its own process.
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

    /// Records the launch. The phase of a prewarmed process is known only now (T28).
    func launched() { phases.change(to: ScenePhase(applicationState)) }

    private static func readEnvironment() -> AppEnvironment {
        do {
            if let environment = try AppEnvironment(reading: { getenv($0).map { String(cString: $0) } }) {
                // A process with the token can speak for this app, so children must not inherit it.
                unsetenv(AppEnvironment.tokenVariable)
                return environment
            }
        } catch {
            AppLog.fail("the launch environment is invalid: \(error)", code: EX_USAGE)
        }
        AppLog.fail(
            "this app runs on Roost: install its bundle with `roost install`, and start it with `roost launch`",
            code: EX_USAGE)
    }

    // MARK: State for the app

    var applicationState: AppState { state.withLock { $0.core.applicationState } }

    var isMultitaskingSupported: Bool { state.withLock { $0.core.isMultitaskingSupported } }

    /// The device facts that the app last received.
    var facts: DeviceFacts { state.withLock { $0.core.facts } }

    /// Whether the process was started before the app is launched (T28).
    var isPrewarmed: Bool { context.isPrewarmed }

    /// The name of the application object's class; nil for `UIApplication`.
    var principalClass: String? { context.principalClass }

    /// Whether the system gave the launch a scene session, so that scene delegates are called.
    var hasScenes: Bool { context.sceneSession != nil }

    /// The remaining background time; nil in the foreground, where it is unlimited.
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

    /// Writes the app's defaults before a request in the background that lets the system suspend the app.
    package func keepBeforeSuspension() {
        if link == nil, applicationState == .background { UserDefaults.keep() }
    }

    func endTask(_ id: TaskID) {
        keepBeforeSuspension()
        // The system is not notified of an end in the foreground, but a test checks that no task was forgotten.
        TestRecorder.shared?.write(.ended(id))
        // Release the handler outside of the lock: what it captured may run code when it is released.
        let (rest, handler) = state.withLock { state -> ([Step], Handler?) in
            var steps: [Step] = []
            state.core.endTask(id, into: &steps)
            return (Self.send(steps, &state.outlet), state.handlers.removeValue(forKey: id))
        }
        withExtendedLifetime(handler) {
            for case .log(let fault) in rest { log(fault) }
        }
    }

    // MARK: Other requests of the app

    var isIdleTimerDisabled: Bool { state.withLock { $0.core.isIdleTimerDisabled } }

    func setIdleTimerDisabled(_ isDisabled: Bool) { ask { $0.setIdleTimerDisabled(isDisabled, into: &$1) } }

    /// Sends a request of the app, from any thread, and logs a misuse.
    func ask(_ request: (_ core: inout AppCore, _ steps: inout [Step]) -> Void) {
        for case .log(let fault) in transact({ core, _, steps in request(&core, &steps) }) { log(fault) }
    }

    /// The completion handler of an event. It is to be called once, from any thread; a second call is logged (R-89,
    ///
    func handler(
        of kind: WakeEvent, by callback: CallbackID
    ) -> @Sendable (UIBackgroundFetchResult) -> Void {
        { [self] result in
            // The app may be suspended as soon as the system receives this.
            if link == nil { UserDefaults.keep() }
            ask { $0.eventHandled(callback, kind, BackgroundFetchResult(result), into: &$1) }
        }
    }

    // MARK: Work of the main thread

    /// Handles a message from the system and returns the steps that remain to be performed.
    func receive(_ message: SystemMessage) -> [Step] {
        defer { if let concern = ListeningConcern(message) { deliverLater(for: concern) } }
        return transact { core, now, steps in core.receive(message, at: now, into: &steps) }
    }

    /// Records that a callback's calls have returned, and returns the steps that remain to be performed.
    func finish(_ callback: CallbackID) -> [Step] {
        transact { core, now, steps in core.callbackReturned(callback, at: now, into: &steps) }
    }

    /// The expiration handler of a task, to be called now; nil if the task no longer waits for it.
    func takeHandler(of id: TaskID) -> Handler? {
        let (handler, rest) = state.withLock { state -> (Handler?, [Step]) in
            var steps: [Step] = []
            let isDue = state.core.takeExpiration(of: id, into: &steps)
            return (isDue ? state.handlers.removeValue(forKey: id) : nil, Self.send(steps, &state.outlet))
        }
        for case .log(let fault) in rest { log(fault) }
        return handler
    }

    /// A value read from the core under the lock.
    func reading<Value: Sendable>(_ read: (AppCore) -> Value) -> Value { state.withLock { read($0.core) } }

    func transact(_ change: (inout AppCore, Nanoseconds, inout [Step]) -> Void) -> [Step] {
        defer { follow() }
        let now = now
        return state.withLock { state in
            var steps: [Step] = []
            change(&state.core, now, &steps)
            return Self.send(steps, &state.outlet)
        }
    }

    /// Sends the requests among the steps and returns the other steps. The core puts requests before any call of the
    /// same transaction.
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
            case .socket(let socket, let pace, let buffer):
                pace.keep()
                do throws(SocketError) {
                    try socket.send(request, receivingInto: buffer)
                } catch {
                    // Half a message may have been sent, so the connection is unusable. Its reader, on the main thread,
                    // sees the end and reconnects.
                    socket.shutDown()
                    outlet = .none
                }
            }
        }
        return rest
    }

    // MARK: Background sessions

    /// Changes the state of background sessions, and sends the requests that result.
    func transferring<Result>(_ change: (inout State, inout [Step]) -> sending Result) -> sending Result {
        state.withLock { state in
            var steps: [Step] = []
            let result = change(&state, &steps)
            // Only requests result from this.
            _ = Self.send(steps, &state.outlet)
            return result
        }
    }

    /// The receiver of a session's news; nil if the session is not open. If `isLast`, the receiver is removed.
    func listener(of identifier: SessionIdentifier, isLast: Bool) -> (any TransferListener)? {
        state.withLock { isLast ? $0.listeners.removeValue(forKey: identifier) : $0.listeners[identifier] }
    }

    // MARK: Connection

    /// Introduces the app on two new connections; from then on requests are sent. The lock is held, so no task is
    /// begun, ended or acknowledged between the attachment and the first request. `buffer` is that of `callbacks`.
    func introduce(
        callbacks: StreamSocket, requests: StreamSocket, buffer: ReceiveBuffer, token: String
    ) throws(SocketError) {
        let rest = try state.withLock { state throws(SocketError) -> Int? in
            try callbacks.send(AppCall.attach(token: token, state.core.attachment).encoded(), receivingInto: buffer)
            try requests.send(AppCall.identify(token: token).encoded(), receivingInto: buffer)
            let pace = Pace()
            for request in state.core.beginRepeats() + state.core.nextRepeats(Self.saidAtOnce) {
                pace.keep()
                try requests.send(request, receivingInto: buffer)
            }
            state.outlet = .socket(requests, pace, buffer)
            state.introductions += 1
            return state.core.isRepeating ? state.introductions : nil
        }
        if let rest { Thread.detachNewThread { [self] in sayRest(of: rest) } }
        // The core may have learned from the repetition that a call is over.
        deliverLater(for: .calls)
    }

    /// The number of requests repeated in a batch, and the pause after it in milliseconds. Together they leave the app
    /// half of what it may send in a second.
    private static let saidAtOnce = 100
    private static let pause: Int32 = 25

    /// Repeats the remaining requests in batches while the app runs. For 100,000 downloads this takes longer than an
    /// app may be unresponsive.
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

    /// Stops sending: the connections are gone, or are about to be closed.
    func forgetConnection() { state.withLock { $0.outlet = .none } }

    /// The attachment that the app sends to a test's device when the device begins to listen.
    package var attachment: Attachment { state.withLock { $0.core.attachment } }

    /// The background tasks that the app has begun and not ended.
    package var openTasks: [BackgroundTask] { state.withLock { $0.core.openTasks } }

    /// Logs a misuse for the app's author, in Apple's words if Apple has any.
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
                "The completion handler of application(_:\(kind.name)…) was called more than once, or much too late."
            )
        case .noExpirationHandler(let id):
            write(
                "Background task \(id.rawValue) has no expiration handler, and its time is up: the app will be "
                    + "terminated unless the task is ended now.")
        }
    }

    /// Goes to the virtual device's log if a test hosts the app.
    package func log(_ line: String) { write(line) }

    private func write(_ line: String) {
        if let link { link.log(line) } else { AppLog.write(line) }
    }

    /// CLOCK_MONOTONIC of the device on which the app runs.
    package var now: Nanoseconds { link?.now ?? Self.monotonic }

    /// CLOCK_MONOTONIC of the machine.
    static var monotonic: Nanoseconds {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Nanoseconds(Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
