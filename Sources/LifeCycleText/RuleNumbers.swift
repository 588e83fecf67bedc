public import LifeCycleModel
public import LifeCyclePolicy

extension DecisionText {
    /// The rule book's row for a decision; nil if the decision alone does not determine the row.
    public static func rule(of decision: Decision) -> String? {
        switch decision {
        case .launch(_, .stateChanged(let from, let to)): rule(from, to)
        case .launch(_, .launched(.user)): "T01"
        case .launch(_, .launched): "T02"
        case .launch(_, .prewarmed): "T28"
        case .launch(_, .scenesAdvised): "R-10"
        case .device(.actRefused), .device(.zoneChanged): nil
        case .app(_, .inputDropped): "K009"
        case .launch(_, .interrupted): "T06"
        case .launch(_, .interruptionEnded(_, let isAccepted)): isAccepted ? "T08" : "T07"
        case .device(.locked): "T09"
        case .device(.unlocked): "T10"
        case .device(.settingChanged), .app(_, .backgroundRefreshChanged): nil
        case .launch(_, .memoryWarning): "T14"
        case .launch(_, .sceneReclaimed): "T25"
        case .launch(_, .launchIsSlow): "R-06"
        case .launch(_, .woken): "T11"
        case .app(_, .wakeRefused(_, let refusal)): rule(refusal)
        case .launch(_, .suspending): "T04"
        case .launch(_, .resumed), .launch(_, .thawedFromOutside), .launch(_, .thawFailed): nil
        case .launch(_, .taskGranted), .launch(_, .taskRefused): "R-37"
        case .launch(_, .taskEnded): "T12"
        case .launch(_, .unknownTaskEnded): "R-44"
        case .launch(_, .backgroundTimeGranted): "R-38"
        case .launch(_, .tasksExpiring): "T13"
        case .launch(_, .terminating(let reason, _)), .launch(_, .ended(let reason, _)): rule(reason)
        case .launch(_, .eventHandled(let event, _, _)): event.rule
        case .concern(let reason): reason.words.rule
        case .launch(_, .ignoredLate), .app(_, .unknown), .launch(_, .foundAgain): nil
        }
    }

    private static func rule(_ from: AppState, _ to: AppState) -> String? {
        switch (from, to) {
        case (.notRunning, .inactive): "T01"
        case (.notRunning, .background): "T02"
        case (.background, .suspended): "T04"
        case (.background, .inactive): "T05"
        default: nil
        }
    }

    static func rule(_ refusal: WakeRefusal) -> String? {
        switch refusal {
        case .modeNotDeclared: "R-65"
        case .fetchDisabled: "R-89"
        case .forceQuit: "R-126"
        case .exitsOnSuspend: "R-123"
        case .backgroundRefresh: "R-98"
        case .notUnlockedSinceStart: "R-124"
        case .noScenes: "R-10"
        case .ending, .shuttingDown, .notAWake, .locked: nil
        }
    }

    private static func rule(_ reason: TerminationReason) -> String? {
        switch reason {
        case .exited(.unknown): nil
        case .exited: "T26"
        case .watchdog(.launch): "T21"
        case .watchdog(.didEnterBackground): "T22"
        case .watchdog(.willTerminate): "R-18"
        case .watchdog(.expireTasks): "R-42"
        case .watchdog: "R-17"
        case .tasksNotEnded: "T13"
        case .sessionEventsNotHandled: "R-58"
        case .eventNotHandled(let event): event.rule
        case .noCallReported: "R-172"
        case .wokenTooOften: "R-169"
        case .tooManyTasks: "R-45"
        case .exitsOnSuspend: "T20"
        case .didNotExit: "X-60"
        case .deviceShutdown: "T19"
        // For memory, the user and the shutdown, the app's state determines the row: T15 or T16, T17 or T18.
        default: nil
        }
    }
}

extension WakeEvent {
    /// The rule book's row for the event.
    public var rule: String {
        switch self {
        case .backgroundFetch: "R-89"
        case .remoteNotification: "R-90"
        }
    }
}

extension TerminationReason {
    /// The word for the reason in scenarios.
    public var word: String {
        switch self {
        case .exited(.signaled): "crashed"
        case .exited: "exited"
        case .launchFailed: "launchFailed"
        case .cutOff: "cutOff"
        case .watchdog: "watchdog"
        case .didNotExit: "didNotExit"
        case .lostContact: "lostContact"
        case .tasksNotEnded: "tasksNotEnded"
        case .sessionEventsNotHandled: "sessionEventsNotHandled"
        case .eventNotHandled: "eventNotHandled"
        case .noCallReported: "noCallReported"
        case .wokenTooOften: "wokenTooOften"
        case .tooManyTasks: "tooManyTasks"
        case .forceQuit: "forceQuit"
        case .tooManyRequests: "tooManyRequests"
        case .tooMuchDisk: "tooMuchDisk"
        case .memory: "memory"
        case .exitsOnSuspend: "exitsOnSuspend"
        case .shutdown: "shutdown"
        case .deviceShutdown: "deviceShutdown"
        case .systemGone: "systemGone"
        case .uninstalled: "uninstalled"
        case .updated: "updated"
        case .notFreezable: "notFreezable"
        case .fault: "fault"
        }
    }

    /// All words that a scenario can expect. A fault of the system is not one of them.
    public static let words: [String] = [
        TerminationReason.exited(.signaled(9)), .exited(.unknown), .launchFailed(errno: 2), .cutOff,
        .watchdog(.willTerminate), .didNotExit, .lostContact, .tasksNotEnded(.watchdog), .sessionEventsNotHandled,
        .eventNotHandled(.backgroundFetch), .noCallReported, .wokenTooOften, .tooManyTasks, .forceQuit,
        .tooManyRequests, .tooMuchDisk, .memory, .exitsOnSuspend, .shutdown, .deviceShutdown, .systemGone,
        .uninstalled, .updated, .notFreezable,
    ].map(\.word)
}
