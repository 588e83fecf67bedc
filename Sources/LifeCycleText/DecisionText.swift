public import LifeCycleModel
public import LifeCyclePolicy

extension Decision {
    /// The app that the decision is about; nil for the device.
    public var app: AppID? {
        switch self {
        case .launch(let launch, _): launch.app
        case .app(let app, _): app
        case .device: nil
        case .concern(let reason): reason.decision.app
        }
    }

    /// The launch that the decision is about; nil for an app without a launch, or for the device.
    public var launch: LaunchID? {
        switch self {
        case .launch(let launch, _): launch
        case .concern(let reason): reason.words.launch
        case .app, .device: nil
        }
    }
}

/// Decisions as sentences, for `roost why`, for watching clients, for the log and for the trace of a scenario.
public enum DecisionText {
    /// All words that `kindAndText` returns.
    public static let kinds =
        [
            "advice", "dropped", "ended", "expiring", "found", "handled", "interrupted", "interruption-ended", "late",
            "launched", "locked", "memory", "prewarmed", "refused", "resumed", "scene", "setting", "slow", "state",
            "suspending", "task", "task-ended", "task-refused", "task-unknown", "terminating", "thaw-failed", "thawed",
            "time", "unknown", "unlocked", "woken",
        ] + ConcernReason.textKinds

    /// A decision as a word for programs, the same in every version, and as a sentence for users.
    public static func kindAndText(_ decision: Decision, at now: Moment) -> (kind: String, text: String) {
        switch decision {
        case .launch(_, .stateChanged(let from, let to)): ("state", "\(from.name) → \(to.name)")
        case .launch(_, .prewarmed): ("prewarmed", "started early: it waits to be launched")
        case .launch(_, .launched(.user)): ("launched", "launched: the user opened it")
        case .launch(_, .launched(let reason)): ("launched", "launched into the background for \(reason.rawValue)")
        case .launch(_, .launchIsSlow): ("slow", "its launch is slow: it has not finished launching yet")
        case .launch(_, .woken(let reason)): ("woken", "woken for \(reason.rawValue)")
        case .app(_, .wakeRefused(.user, let refusal)): ("refused", "not opened: \(text(refusal))")
        case .app(_, .wakeRefused(let reason, let refusal)):
            ("refused", "not woken for \(reason.rawValue): \(text(refusal))")
        case .launch(_, .suspending(let last)):
            ("suspending", "to be suspended: the last thing that held it was \(text(last))")
        case .launch(_, .resumed(let because)): ("resumed", "resumed for \(text(because))")
        case .launch(_, .thawedFromOutside):
            ("thawed", "thawed by another process while suspended: it is frozen again")
        case .launch(_, .thawFailed(let errno)):
            ("thaw-failed", "could not be thawed (errno \(errno)): the system tries again")
        case .launch(_, .taskGranted(let task)):
            ("task", "background task \(task.id.rawValue) \"\(task.name)\" is open")
        case .launch(_, .taskRefused(let task)):
            ("task-refused", "background task \(task.id.rawValue) \"\(task.name)\" refused: the background time is up")
        case .launch(_, .taskEnded(let id, let open)):
            ("task-ended", "background task \(id.rawValue) ended; \(open) open")
        case .launch(_, .unknownTaskEnded(let id)):
            ("task-unknown", "ended background task \(id.rawValue), which is not open")
        case .launch(_, .backgroundTimeGranted(let until)): ("time", "has \(until - now.awake) of background time")
        case .launch(_, .tasksExpiring(let tasks)):
            ("expiring", "background time is nearly up: expiration handlers of \(names(tasks))")
        case .launch(_, .terminating(let reason, let open)):
            ("terminating", "to be ended: \(text(reason))" + (open.isEmpty ? "" : "; open: \(names(open))"))
        case .launch(_, .ended(let reason, let status)):
            ("ended", "ended: \(text(reason))" + (status.map { " (\(text($0)))" } ?? ""))
        case .launch(_, .scenesAdvised):
            ("advice", "has no UIApplicationSceneManifest: the next iOS generation will not launch it")
        case .app(_, .inputDropped(let state)):
            ("dropped", "not delivered: only an active app receives input, and it is \(state.name)")
        case .launch(_, .interrupted(let kind)): ("interrupted", "interrupted by \(text(kind))")
        case .launch(_, .interruptionEnded(let kind, let isAccepted)):
            ("interruption-ended", "\(text(kind)) is \(isAccepted ? "accepted" : "over")")
        case .launch(_, .memoryWarning): ("memory", "memory is low: it receives a memory warning")
        case .launch(_, .sceneReclaimed): ("scene", "memory is low: its scene is released")
        case .device(.locked), .device(.unlocked), .device(.settingChanged), .device(.zoneChanged),
            .app(_, .backgroundRefreshChanged),
            .device(.actRefused):
            deviceKindAndText(decision)
        case .launch(_, .eventHandled(let kind, let result, let time)):
            ("handled", "\(kind.name): \(result.rawValue), after \(time)")
        case .concern(let reason): (type(of: reason.words).kind, reason.words.text(at: now))
        case .launch(_, .ignoredLate): ("late", "a late or repeated acknowledgment, request or report was ignored")
        case .app(let app, .unknown): ("unknown", "\(app) is not installed")
        case .launch(_, .foundAgain(let isFrozen)):
            ("found", "found again after the system's restart, \(isFrozen ? "frozen" : "running")")
        }
    }

    private static func deviceKindAndText(_ decision: Decision) -> (kind: String, text: String) {
        switch decision {
        case .device(.locked(let isAutomatic)):
            ("locked", isAutomatic ? "locked by Auto-Lock" : "locked")
        case .device(.unlocked): ("unlocked", "unlocked")
        case .device(.zoneChanged(let name)): ("setting", "the device's time zone is now \(name)")
        case .device(.settingChanged(let setting)):
            DeviceSettings().changed(by: setting).lines.first { $0.name == setting.name }
                .map { ("setting", "\($0.name) is now \($0.value)") } ?? ("setting", "\(setting.name) was set")
        case .app(_, .backgroundRefreshChanged(let isOn)):
            ("setting", "Background App Refresh is now \(isOn ? "on" : "off") for this app")
        case .device(.actRefused(let act, let refusal)): ("refused", "\(text(act)): \(text(refusal, of: act))")
        default: ("unknown", "\(decision)")
        }
    }

    /// An interruption of the foreground app.
    public static func text(_ interruption: Interruption) -> String {
        switch interruption {
        case .call: "an incoming call"
        case .message: "a message"
        case .alert: "an alert"
        case .notificationCenter: "the notification center"
        case .appSwitcher: "the app switcher"
        }
    }

    private static func text(_ act: UserAct) -> String {
        switch act {
        case .home: "cannot go home"
        case .switchApp: "cannot switch"
        case .interrupt: "nothing to interrupt"
        case .dismiss: "nothing to dismiss"
        case .accept: "nothing to accept"
        case .lock: "cannot lock"
        case .unlock: "cannot unlock"
        case .answerCall: "cannot answer a call"
        case .declineCall: "cannot decline a call"
        case .endCall: "cannot end a call"
        case .holdCall: "cannot put a call on hold"
        case .resumeCall: "cannot resume a call"
        case .muteCall: "cannot mute a call"
        case .unmuteCall: "cannot unmute a call"
        }
    }

    private static func text(_ refusal: ActRefusal, of act: UserAct) -> String {
        switch refusal {
        case .nothingInForeground: "the home screen is in the foreground; open an app first"
        case .nothingInterrupts: "nothing interrupts the foreground app"
        case .interruptedAlready: "the foreground app is already interrupted; dismiss or accept that interruption first"
        case .locked: "the screen is locked; unlock it first"
        case .notLocked: "the screen is not locked"
        case .notInSwitcher: "the app is not in the switcher: it was not opened, or was swiped away; launch it"
        case .noOtherApp: "no other app is in the switcher"
        case .noCall: noCall(for: act)
        case .anotherCall: "another call is on; end it or put it on hold first"
        case .shuttingDown: "the system is shutting down"
        }
    }

    private static func noCall(for act: UserAct) -> String {
        switch act {
        case .answerCall, .declineCall, .home, .switchApp, .interrupt, .dismiss, .accept, .lock, .unlock:
            "no call rings"
        case .endCall: "no call is on"
        case .holdCall: "no call is connected, or the app puts it on hold already"
        case .resumeCall: "no call is on hold, or the app resumes it already"
        case .muteCall: "no call is on, or it is muted already"
        case .unmuteCall: "no call that is on is muted"
        }
    }

    /// A reason not to suspend an app.
    public static func text(_ assertion: Assertion) -> String {
        switch assertion {
        case .foreground: "the foreground"
        case .callback: "a callback"
        case .termination: "its termination"
        case .wake: "a wake"
        case .adopted: "an adopted app's background time"
        case .reconnection: "its reconnection"
        case .sessionEvents: "the events of a background session"
        case .wakeEvent: "an event that it must handle"
        case .location: "location updates"
        case .locationWithIndicator: "location updates, shown by the indicator"
        case .audio: "sound that it plays"
        case .call: "a phone call"
        case .voipPush: "a VoIP push that it must handle"
        case .task(let id): "background task \(id.rawValue)"
        }
    }

    static func text(_ refusal: WakeRefusal) -> String {
        switch refusal {
        case .modeNotDeclared: "UIBackgroundModes does not declare the mode it needs"
        case .fetchDisabled: "BGTaskSchedulerPermittedIdentifiers in its Info.plist turns background fetch off"
        case .forceQuit: "the user swiped it away and has not opened it since"
        case .exitsOnSuspend: "UIApplicationExitsOnSuspend keeps it out of the background"
        case .ending: "it is being ended"
        case .shuttingDown: "the system is shutting down"
        case .notAWake: "only the user can open an app"
        case .backgroundRefresh: "Background App Refresh is off"
        case .notUnlockedSinceStart: "the device has a passcode and has not been unlocked since it started"
        case .locked: "the screen is locked; unlock it first"
        case .noScenes: "it has no UIApplicationSceneManifest, which this iOS generation requires"
        }
    }

    /// Why a launch ended, with Apple's code if Apple has a code for the reason.
    public static func text(_ reason: TerminationReason) -> String {
        let cause =
            switch reason {
            case .exited(.exited): "it exited by itself"
            case .exited(.signaled): "a signal ended it"
            case .exited(.unknown): "its process is gone, and the cause is unknown"
            case .launchFailed(let errno): "its process could not be started (errno \(errno))"
            case .cutOff: "the system was killed while it was starting the app"
            case .watchdog(let callback): "it did not return from \(callback.name) in time"
            case .didNotExit: "it did not exit in time after SIGTERM"
            case .lostContact: "it did not reconnect after the system's restart"
            case .tasksNotEnded: "it did not end its background tasks in time"
            case .sessionEventsNotHandled:
                "it did not call the completion handler of its background session's events in time"
            case .eventNotHandled(let kind): "it did not call the completion handler of \(kind.name) in time"
            case .noCallReported: "it reported no call for a VoIP push"
            case .wokenTooOften: "traffic on its sockets woke it too often"
            case .tooManyTasks: "it has too many background tasks open"
            case .forceQuit: "the user swiped it away"
            case .memory: "the system needed memory"
            case .exitsOnSuspend: "it exits when it leaves the foreground"
            case .shutdown: "the system is shutting down"
            case .deviceShutdown: "the device is shutting down"
            case .systemGone: "it was suspended when the system was lost"
            case .tooManyRequests: "it made too many requests"
            case .tooMuchDisk: "its container is larger than allowed"
            case .uninstalled: "it is being uninstalled"
            case .updated: "it was updated"
            case .notFreezable: "the kernel did not freeze it"
            case .fault(let fault):
                "the system had an internal error, \(fault.rawValue): please report it with the journal"
            }
        switch reason.code {
        case .exception, .jetsam: return "\(cause), \(reason.code)"
        case .signal: return cause
        }
    }

    /// The way a process ended.
    public static func text(_ status: ExitStatus) -> String {
        switch status {
        case .exited(let code): "exit code \(code)"
        case .signaled(let number): "signal \(number)"
        case .unknown: "exit status unknown"
        }
    }

    private static func names(_ tasks: [BackgroundTask]) -> String {
        let shown = tasks.prefix(5).map { "\"\($0.name.prefix(80))\"" }.joined(separator: ", ")
        return tasks.count > 5 ? "\(shown) and \(tasks.count - 5) more" : shown
    }
}
