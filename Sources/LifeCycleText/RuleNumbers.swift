public import LifeCycleModel
public import LifeCyclePolicy

extension DecisionText {
    /// The row of the rule book that a decision goes by; nil where it takes more than the decision to know it.
    public static func rule(of decision: Decision) -> String? {
        switch decision {
        case .stateChanged(_, let from, let to): rule(from, to)
        case .launched(_, .user): "T01"
        case .launched: "T02"
        case .prewarmed: "T28"
        case .scenesAdvised: "R-10"
        case .actRefused: nil
        case .inputDropped: "K009"
        case .interrupted: "T06"
        case .interruptionEnded(_, _, let isAccepted): isAccepted ? "T08" : "T07"
        case .locked: "T09"
        case .unlocked: "T10"
        case .settingChanged, .backgroundRefreshChanged: nil
        case .memoryWarning: "T14"
        case .sceneReclaimed: "T25"
        case .launchIsSlow: "R-06"
        case .woken: "T11"
        case .wakeRefused(_, _, let refusal): rule(refusal)
        case .suspending: "T04"
        case .resumed, .thawedFromOutside, .thawFailed: nil
        case .taskGranted, .taskRefused: "R-37"
        case .taskEnded: "T12"
        case .unknownTaskEnded: "R-44"
        case .backgroundTimeGranted: "R-38"
        case .tasksExpiring: "T13"
        case .terminating(_, let reason, _), .ended(_, let reason, _): rule(reason)
        case .eventHandled(_, .remoteNotification, _, _): "R-90"
        case .eventHandled(_, .backgroundFetch, _, _), .fetch(.offered), .fetch(.asked): "R-89"
        case .fetch(.declined(_, let refusal)), .fetch(.missed(_, let refusal)),
            .fetch(.barred(_, .refused(let refusal)?)):
            rule(refusal)
        case .fetch(.barred(_, nil)): nil
        case .fetch(.barred(_, .held?)), .fetch(.spent): "R-98"
        case .push(.asked), .push(.registered), .push(.notRegistered), .push(.delivered), .push(.forPeople(_, nil)):
            "R-90"
        case .push(.held(_, .throttled, _)), .push(.dropped(_, .forceQuit)), .push(.dropped(_, .killed)),
            .push(.dropped(_, .unregistered)):
            "R-91"
        case .push(.dropped(_, .newsstandThrottled)), .push(.forPeople(_, .newsstandThrottled?)): "R-110"
        case .push(.held(_, .notUnlockedSinceStart, _)): "R-124"
        case .push(.held): "R-98"
        case .push(.dropped(_, .refused(let refusal))), .push(.forPeople(_, .refused(let refusal)?)): rule(refusal)
        case .push(.forPeople): "R-91"
        case .notification(let decision): NotificationText.rule(of: decision)
        case .transfer(let decision): TransferText.rule(of: decision)
        case .ignoredLate, .unknownApp, .foundAgain: nil
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

    private static func rule(_ refusal: WakeRefusal) -> String? {
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
        case .eventNotHandled(.backgroundFetch): "R-89"
        case .eventNotHandled(.remoteNotification): "R-90"
        case .tooManyTasks: "R-45"
        case .exitsOnSuspend: "T20"
        case .didNotExit: "X-60"
        case .deviceShutdown: "T19"
        // Whether it is told depends on its state: T15 or T16, T17 or T18.
        case .memory, .forceQuit, .shutdown: nil
        case .launchFailed, .cutOff, .lostContact, .systemGone, .tooManyRequests, .tooMuchDisk, .uninstalled, .updated,
            .notFreezable:
            nil
        }
    }
}

extension TerminationReason {
    /// A word for the reason, as scenarios write it.
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
        }
    }

    /// Every word there is.
    public static let words: [String] = [
        TerminationReason.exited(.signaled(9)), .exited(.unknown), .launchFailed(errno: 2), .cutOff,
        .watchdog(.willTerminate), .didNotExit, .lostContact, .tasksNotEnded(.watchdog), .sessionEventsNotHandled,
        .eventNotHandled(.backgroundFetch), .tooManyTasks, .forceQuit, .tooManyRequests, .tooMuchDisk, .memory,
        .exitsOnSuspend, .shutdown, .deviceShutdown, .systemGone, .uninstalled, .updated, .notFreezable,
    ].map(\.word)
}
