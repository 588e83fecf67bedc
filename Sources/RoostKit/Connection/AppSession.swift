import AppCore
import Foundation
import LifeCycleModel
import RoostWire
import Synchronization

/// The app's own side of its life cycle, for any thread: the core, the handlers, and the way requests go out.
///
/// All three lie under one lock, and a request is sent before the lock is let go. So requests leave in the order in
/// which the core decided on them: an acknowledgement never overtakes a begin made before it, on whatever thread, and
/// a task begun off the foreground is with the system when `beginBackgroundTask` returns. No code of the app's runs
/// under the lock.
final class AppSession: Sendable {
    typealias Handler = @MainActor @Sendable () -> Void

    private struct State {
        var core: AppCore
        var handlers: [TaskID: Handler] = [:]
        var requests: StreamSocket?
    }

    /// The session of this process, made from its environment. A process that Roost did not launch ends here.
    static let shared = {
        let session = AppSession(environment: readEnvironment())
        known.withLock { $0 = session }
        return session
    }()

    /// The session of this process, if it is an app's and has begun.
    static var running: AppSession? { known.withLock { $0 } }

    private static let known = Mutex<AppSession?>(nil)

    let environment: AppEnvironment
    /// How far in front the app is, for those who follow it.
    let phases: PhaseSource
    private let state: Mutex<State>

    init(environment: AppEnvironment) {
        self.environment = environment
        let core = AppCore(context: environment.context)
        phases = PhaseSource(ScenePhase(core.applicationState))
        state = Mutex(State(core: core))
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
    var isPrewarmed: Bool { environment.context.isPrewarmed }

    /// The class of the application object; nil for `UIApplication`.
    var principalClass: String? { environment.context.principalClass }

    /// Whether the app has scenes.
    var hasScenes: Bool { environment.context.sceneSession != nil }

    /// Nil in the foreground, where it is without bounds.
    var backgroundTimeRemaining: Nanoseconds? {
        let now = Self.now
        return state.withLock { $0.core.backgroundTimeRemaining(at: now) }
    }

    // MARK: Tasks

    func beginTask(name: String, handler: Handler?) -> UIBackgroundTaskIdentifier {
        let now = Self.now
        let (id, rest) = state.withLock { state -> (TaskID?, [Step]) in
            var steps: [Step] = []
            let id = state.core.beginTask(name: name, hasHandler: handler != nil, at: now, into: &steps)
            if let id { state.handlers[id] = handler }
            return (id, Self.send(steps, &state.requests))
        }
        for case .log(let fault) in rest { log(fault) }
        return id.map { UIBackgroundTaskIdentifier(rawValue: Int($0.rawValue)) } ?? .invalid
    }

    func endTask(_ id: TaskID) {
        // The handler is let go outside of the lock: what it captured may run code when it goes.
        let (rest, handler) = state.withLock { state -> ([Step], Handler?) in
            var steps: [Step] = []
            state.core.endTask(id, into: &steps)
            return (Self.send(steps, &state.requests), state.handlers.removeValue(forKey: id))
        }
        withExtendedLifetime(handler) {
            for case .log(let fault) in rest { log(fault) }
        }
    }

    // MARK: What else the app asks for

    var isIdleTimerDisabled: Bool { state.withLock { $0.core.isIdleTimerDisabled } }

    func setIdleTimerDisabled(_ isDisabled: Bool) {
        let rest = transact { core, _, steps in core.setIdleTimerDisabled(isDisabled, into: &steps) }
        for case .log(let fault) in rest { log(fault) }
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
            return (isDue ? state.handlers.removeValue(forKey: id) : nil, Self.send(steps, &state.requests))
        }
        for case .log(let fault) in rest { log(fault) }
        return handler
    }

    private func transact(_ change: (inout AppCore, Nanoseconds, inout [Step]) -> Void) -> [Step] {
        let now = Self.now
        return state.withLock { state in
            var steps: [Step] = []
            change(&state.core, now, &steps)
            return Self.send(steps, &state.requests)
        }
    }

    /// Sends what is to be sent and returns the rest. The core puts what it sends before any call of the same
    /// transaction. Without a connection nothing is lost: the app's account of itself says it when it connects.
    private static func send(_ steps: [Step], _ requests: inout StreamSocket?) -> [Step] {
        var rest: [Step] = []
        for step in steps {
            guard case .send(let request) = step else {
                rest.append(step)
                continue
            }
            guard let socket = requests else { continue }
            do throws(SocketError) {
                try socket.send(AppCall.request(request).encoded())
            } catch {
                // Half a message may be out: the connection is of no use any more. Its reader, on the main thread,
                // sees the end and connects again.
                socket.shutDown()
                requests = nil
            }
        }
        return rest
    }

    // MARK: Connection

    /// Introduces the app on two fresh connections; from then on requests go out. Nothing can be begun, ended or
    /// acknowledged between the account the app gives and its first request.
    func introduce(callbacks: StreamSocket, requests: StreamSocket) throws(SocketError) {
        let token = environment.token
        try state.withLock { state throws(SocketError) in
            try callbacks.send(AppCall.attach(token: token, state.core.attachment).encoded())
            try requests.send(AppCall.identify(token: token).encoded())
            state.requests = requests
        }
    }

    /// The connections are gone, or are about to be closed.
    func forgetConnection() { state.withLock { $0.requests = nil } }

    /// Tells the app's author of a misuse, in Apple's words where Apple has them.
    func log(_ fault: AppFault) {
        switch fault {
        case .tooManyTasks:
            AppLog.write("Can't beginBackgroundTask: \(AppCore.mostTasks) background tasks are open already.")
        case .unknownTask(let id):
            let hex = String(UInt64(bitPattern: id.rawValue), radix: 16)
            AppLog.write(
                "Can't endBackgroundTask: no background task exists with identifier \(id.rawValue) (0x\(hex)), or it "
                    + "may have already been ended. Break in UIApplicationEndBackgroundTaskError() to debug.")
        case .taskWithoutHandler(let id):
            AppLog.write(
                "Background task \(id.rawValue) was begun without an expiration handler: if its time runs out, the app "
                    + "will be terminated.")
        case .noExpirationHandler(let id):
            AppLog.write(
                "Background task \(id.rawValue) has no expiration handler, and its time is up: the app will be "
                    + "terminated unless the task is ended now.")
        }
    }

    private static var now: Nanoseconds {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Nanoseconds(Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
