import LifeCycleModel
import LifeCyclePolicy

/// The process of an app that has no code. The process obeys the system, one action at a time, when its world lets it
/// run.
struct PlainProcess: Hashable, Sendable, Encodable {
    struct Call: Hashable, Sendable, Encodable {
        let id: CallbackID
        let callback: Callback
    }

    let launch: LaunchID
    let isAdopted: Bool
    let usesScenes: Bool
    /// Whether the app answers no callback.
    var isHung = false
    /// Whether the start of the process has not been reported yet.
    var isStarting = true
    var isAttached = false
    /// The callback that the app has not answered yet.
    var pending: Call?
    var lastCallback = CallbackID.none
    var phase = AppPhase.starting
    var open: [BackgroundTask] = []
    /// The attempt of a freeze that the kernel has not finished yet.
    var freezeAttempt: Int32?
    var isFrozen = false
    /// Whether the app's activation is only transient. The app may then be active together with the next app.
    var isActivationTransient = false
    /// The exit status of the process, until the exit is reported.
    var exit: ExitStatus?
    var isIdleTimerDisabled = false
    var isSceneConnected = false
    var openEvents: [OpenEvent] = []
    var notificationActs: Int64 = 0
    /// The VoIP pushes, by number, that the app has not finished, and below them the actions on its call that it has
    /// not performed.
    var voipPushes: [Int64] = []
    var callActions: [CallAction] = []

    init(_ launch: LaunchID, of manifest: AppManifest?) {
        self.launch = launch
        isAdopted = manifest?.isAdopted ?? false
        usesScenes = manifest?.usesScenes ?? false && !isAdopted
    }

    /// The app's report when it connects.
    var attachment: Attachment {
        Attachment(
            lastCallback: lastCallback, phase: phase, open: open, isIdleTimerDisabled: isIdleTimerDisabled,
            isSceneConnected: isSceneConnected, openEvents: openEvents, notificationActs: notificationActs)
    }

    mutating func perform(_ effect: LaunchEffect) {
        switch effect {
        case .send(.callback(let id, let callback)): pending = Call(id: id, callback: callback)
        case .freeze(let attempt): freezeAttempt = attempt
        case .thaw:
            freezeAttempt = nil
            isFrozen = false
        case .requestExit: exit = .signaled(15)
        case .kill: exit = .signaled(9)
        case .start, .prewarm, .send, .prioritize, .measureContainer: break
        }
    }

    /// Applies the effects of a callback's return.
    mutating func finish(_ call: Call) {
        pending = nil
        lastCallback = call.id
        switch call.callback {
        case .launch(let reason):
            phase = reason == .user ? .rising : .background
            isSceneConnected = usesScenes && reason == .user
        case .willEnterForeground:
            phase = .rising
            isSceneConnected = usesScenes
        case .didBecomeActive: phase = .active
        case .willResignActive:
            phase = .falling
            isActivationTransient = false
        case .didEnterBackground: phase = .background
        case .disconnectScene, .discardScenes: isSceneConnected = false
        case .concern(let concern):
            if case .event(let event)? = concern.handler(of: call.id) { openEvents.append(event) }
            if case .voip(.push(let push)) = concern { voipPushes.append(push.number) }
            if case .voip(.perform(let action, _)) = concern { callActions.append(action) }
        case .expireTasks, .deviceChanged, .memoryWarning, .willTerminate: break
        }
    }

    /// Takes the next action of a well-behaved app, and returns the event for the system. Returns nil if there is
    /// nothing to do.
    mutating func goOn() -> Event? {
        if let exit { return .process(launch, .exited(exit)) }
        if let attempt = freezeAttempt {
            freezeAttempt = nil
            isFrozen = true
            return .process(launch, .froze(attempt: attempt, footprint: Int64(launch.app.rawValue) << 20))
        }
        if isHung || isFrozen { return nil }
        if isStarting {
            isStarting = false
            return .process(launch, .started)
        }
        if !isAttached, !isAdopted {
            isAttached = true
            return .app(launch, .attached(attachment))
        }
        return acknowledge()
    }

    /// Returns from the app's callback. The app ends its tasks if they expire, and exits if it is asked to terminate.
    mutating func acknowledge() -> Event? {
        guard let call = pending else { return nil }
        finish(call)
        if case .expireTasks = call.callback { open = [] }
        if case .willTerminate = call.callback { exit = .exited(code: 0) }
        return .app(launch, .requested(.acknowledge(call.id, open: open)))
    }

    /// The system was restarted: pending messages between system and process are lost.
    mutating func systemRestarted() {
        isAttached = isAdopted
        pending = nil
        freezeAttempt = nil
    }
}
