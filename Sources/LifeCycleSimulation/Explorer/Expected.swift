import LifeCycleModel
import LifeCyclePolicy

/// What a long exploration has to have reached: a rule that no history comes by is not explored.
///
/// Made from the cases there are: a callback, a reason or a decision that is new does not compile before it is here.
enum Expected {
    /// The names, as `Reach` gives them.
    static let names: [String] =
        callbacks.map { "callback \($0.name)" } + decisions.map(Reach.name) + transfers.map(Reach.name) + effects
        + Fault.allCases.map { "fault \($0.rawValue)" }

    private static let launch = LaunchID(app: AppID(1), number: 1)
    private static let task = BackgroundTask(id: TaskID(1), name: "")
    private static let session = SessionIdentifier("session")

    /// Those effects that are no decision and no callback.
    private static let effects =
        [
            "event delivered", "launched with a push", "kept awake", "may sleep", "container measured",
            "container measured after the pause",
        ] + ProcessPriority.allCases.map { "priority \($0.rawValue)" }

    // MARK: Callbacks

    private static let callbacks: [Callback] = Array(sequence(first: .launch(.user)) { callback(after: $0) })

    private static func callback(after callback: Callback) -> Callback? {
        switch callback {
        case .launch: .didBecomeActive
        case .didBecomeActive: .willResignActive
        case .willResignActive: .didEnterBackground
        case .didEnterBackground: .willEnterForeground
        case .willEnterForeground: .expireTasks
        case .expireTasks: .deviceChanged(DeviceFacts())
        case .deviceChanged: .memoryWarning
        case .memoryWarning: .disconnectScene
        case .disconnectScene: .discardScenes([])
        case .discardScenes: session.map(Callback.handleSessionEvents)
        case .handleSessionEvents: .handleEvent(.backgroundFetch)
        case .handleEvent(.backgroundFetch): .handleEvent(.remoteNotification(notification))
        case .handleEvent(.remoteNotification): .remoteNotificationsRegistered(token)
        case .remoteNotificationsRegistered(.some): .remoteNotificationsRegistered(nil)
        case .remoteNotificationsRegistered(nil): .notification(.registered([]))
        case .notification(.registered): .notification(.received(LocalNotification()))
        case .notification(.received): .willTerminate
        case .willTerminate: nil
        }
    }

    // MARK: Ends

    static let ends: [TerminationReason] = sequence(
        first: .exited(.exited(code: 0))
    ) { end(after: $0) }.flatMap { reason -> [TerminationReason] in
        switch reason {
        case .exited: [.exited(.exited(code: 0)), .exited(.signaled(11))]
        case .watchdog: callbacks.map { .watchdog($0) }
        case .eventNotHandled: WakeEvent.Kind.allCases.map { .eventNotHandled($0) }
        case .tasksNotEnded: [.tasksNotEnded(.watchdog), .tasksNotEnded(.taskNotCompleted)]
        default: [reason]
        }
    }

    private static func end(after reason: TerminationReason) -> TerminationReason? {
        switch reason {
        case .exited: .launchFailed(errno: 2)
        case .launchFailed: .cutOff
        case .cutOff: .watchdog(.willTerminate)
        case .watchdog: .didNotExit
        case .didNotExit: .lostContact
        case .lostContact: .tasksNotEnded(.watchdog)
        case .tasksNotEnded: .sessionEventsNotHandled
        case .sessionEventsNotHandled: .eventNotHandled(.backgroundFetch)
        case .eventNotHandled: .tooManyTasks
        case .tooManyTasks: .forceQuit
        case .forceQuit: .tooManyRequests
        case .tooManyRequests: .tooMuchDisk
        case .tooMuchDisk: .memory
        case .memory: .exitsOnSuspend
        case .exitsOnSuspend: .shutdown
        case .shutdown: .deviceShutdown
        case .deviceShutdown: .systemGone
        case .systemGone: .uninstalled
        case .uninstalled: .updated
        case .updated: .notFreezable
        case .notFreezable: nil
        }
    }

    // MARK: Refusals

    /// The refusals that a wake may get, and those that opening may.
    private static func whoIsRefused(_ refusal: WakeRefusal) -> (wakes: Bool, opening: Bool) {
        switch refusal {
        case .modeNotDeclared, .fetchDisabled, .forceQuit, .exitsOnSuspend, .ending, .backgroundRefresh,
            .notUnlockedSinceStart:
            (true, false)
        case .locked: (false, true)
        case .shuttingDown, .noScenes: (true, true)
        // The control socket takes no such wake.
        case .notAWake: (false, false)
        }
    }

    private static func refusals(of act: UserAct) -> [ActRefusal] {
        switch act {
        case .home: [.nothingInFront, .locked, .shuttingDown]
        case .switchApp: [.locked, .notInSwitcher, .noOtherApp, .shuttingDown]
        case .interrupt: [.nothingInFront, .interruptedAlready, .locked, .shuttingDown]
        case .dismiss, .accept: [.nothingInterrupts, .shuttingDown]
        case .lock: [.locked, .shuttingDown]
        case .unlock: [.notLocked, .shuttingDown]
        }
    }

    private static let wakeRefusals: [Decision] = WakeRefusal.allCases.flatMap { refusal -> [Decision] in
        let (wakes, opening) = whoIsRefused(refusal)
        return (wakes ? [.wakeRefused(launch.app, .locationMonitoring, refusal)] : [])
            + (opening ? [.wakeRefused(launch.app, .user, refusal)] : [])
    }

    // MARK: Decisions

    /// Each kind of decision, in each of its variants that the report tells apart.
    private static let decisions: [Decision] = {
        var all: [Decision] = []
        var kind: Decision? = .stateChanged(launch, from: .active, to: .inactive)
        while let decision = kind {
            let (variants, next) = variants(of: decision)
            all += variants
            kind = next
        }
        return all
    }()

    private static func variants(of decision: Decision) -> ([Decision], next: Decision?) {
        switch decision {
        case .stateChanged: (transitions, next: .prewarmed(launch))
        case .prewarmed: ([decision], next: .launched(launch, .user))
        case .launched:
            (LaunchReason.allCases.map { .launched(launch, $0) }, next: .scenesAdvised(launch))
        case .scenesAdvised: ([decision], next: .actRefused(.home, .locked))
        case .actRefused:
            (
                UserAct.allCases.flatMap { act in refusals(of: act).map { .actRefused(act, $0) } },
                next: .inputDropped(launch.app, .inactive)
            )
        case .inputDropped:
            (
                AppState.allCases.filter { $0 != .active }.map { .inputDropped(launch.app, $0) },
                next: .interrupted(launch, .call)
            )
        case .interrupted:
            (
                Interruption.allCases.map { .interrupted(launch, $0) },
                next: .interruptionEnded(launch, .call, isAccepted: true)
            )
        case .interruptionEnded:
            ([true, false].map { .interruptionEnded(launch, .call, isAccepted: $0) }, next: .locked(isAutomatic: true))
        case .locked: ([true, false].map { .locked(isAutomatic: $0) }, next: .unlocked)
        case .unlocked: ([decision], next: .settingChanged(.lowPowerMode(true)))
        case .settingChanged: ([decision], next: .backgroundRefreshChanged(launch.app, true))
        case .backgroundRefreshChanged: ([decision], next: .memoryWarning(launch))
        case .memoryWarning: ([decision], next: .sceneReclaimed(launch))
        case .sceneReclaimed: ([decision], next: .launchIsSlow(launch))
        case .launchIsSlow: ([decision], next: .woken(launch, .locationMonitoring))
        case .woken:
            (
                LaunchReason.allCases.filter { $0.isEvent || $0 == .urlSession }
                    .map { .woken(launch, $0) },
                next: .wakeRefused(launch.app, .locationMonitoring, .ending)
            )
        case .wakeRefused: (wakeRefusals, next: .suspending(launch, last: .callback))
        // They are many, and listed apart.
        case .transfer: ([], next: nil)
        case .suspending, .resumed, .thawedFromOutside, .thawFailed, .taskGranted, .taskRefused, .taskEnded,
            .unknownTaskEnded, .backgroundTimeGranted, .tasksExpiring, .terminating, .ended, .ignoredLate, .unknownApp,
            .foundAgain, .eventHandled, .fetch, .notification, .push:
            laterVariants(of: decision)
        }
    }

    private static func laterVariants(of decision: Decision) -> ([Decision], next: Decision?) {
        switch decision {
        case .suspending: ([decision], next: .resumed(launch, because: .callback))
        case .resumed: ([decision], next: .thawedFromOutside(launch))
        case .thawedFromOutside: ([decision], next: .thawFailed(launch, errno: 5))
        case .thawFailed: ([decision], next: .taskGranted(launch, task))
        case .taskGranted: ([decision], next: .taskRefused(launch, task))
        case .taskRefused: ([decision], next: .taskEnded(launch, task.id, open: 0))
        case .taskEnded: ([decision], next: .unknownTaskEnded(launch, task.id))
        case .unknownTaskEnded: ([decision], next: .backgroundTimeGranted(launch, until: .zero))
        case .backgroundTimeGranted: ([decision], next: .tasksExpiring(launch, []))
        case .tasksExpiring: ([decision], next: .terminating(launch, .memory, open: []))
        case .terminating: ([decision], next: .ended(launch, .memory, nil))
        // What another process does while there is no system, a history has not.
        case .ended: (ends.filter { $0 != .systemGone }.map { .ended(launch, $0, nil) }, next: .ignoredLate(launch))
        case .ignoredLate: ([decision], next: .unknownApp(launch.app))
        case .unknownApp: ([decision], next: .foundAgain(launch, isFrozen: true))
        case .foundAgain:
            (
                [true, false].map { .foundAgain(launch, isFrozen: $0) },
                next: .eventHandled(launch, .backgroundFetch, .newData, after: .zero)
            )
        case .eventHandled:
            (
                WakeEvent.Kind.allCases.flatMap { kind in
                    BackgroundFetchResult.allCases.map { .eventHandled(launch, kind, $0, after: .zero) }
                }, next: .fetch(.asked(launch, nil))
            )
        case .fetch: (fetches.map { .fetch($0) }, next: .push(.asked(launch, true)))
        case .push: (pushes.map { .push($0) }, next: .notification(.zoneChanged("")))
        case .notification: (notifications.map { .notification($0) }, next: nil)
        case .stateChanged, .prewarmed, .launched, .scenesAdvised, .actRefused, .inputDropped, .interrupted,
            .interruptionEnded, .locked, .unlocked, .settingChanged, .backgroundRefreshChanged, .memoryWarning,
            .sceneReclaimed, .launchIsSlow, .woken, .wakeRefused, .transfer:
            ([], next: nil)
        }
    }

    /// What keeps an app from fetching that had asked for it.
    private static let bars: [WakeRefusal] = [
        .modeNotDeclared, .forceQuit, .exitsOnSuspend, .ending, .backgroundRefresh, .notUnlockedSinceStart, .noScenes,
    ]

    private static let fetches: [FetchDecision] =
        [
            .asked(launch, nil), .asked(launch, .zero), .offered(launch.app, late: .zero),
            .spent(launch.app, until: .zero),
        ]
        + [.declined(launch, .modeNotDeclared), .declined(launch, .fetchDisabled), .barred(launch.app, nil)]
        + bars.map { .barred(launch.app, .refused($0)) }
        + [.missed(launch.app, .ending)] + FetchHold.allCases.map { .barred(launch.app, .held($0)) }

    private static let notification = RemoteNotification(payload: "{}", isContentAvailable: true)
    private static let token = DeviceToken([UInt8](repeating: 0, count: DeviceToken.size))

    private static let pushes: [PushDecision] =
        [true, false].flatMap { [.asked(launch, $0), .registered(launch.app, $0)] }
        + [.notRegistered(launch.app), .delivered(launch.app, notification), .forPeople(launch.app, nil)]
        + [.refused(.modeNotDeclared), .newsstandThrottled].map { .forPeople(launch.app, $0) }
        // One that comes while the system shuts down is too seldom for that.
        + [.throttled, .lowPowerMode, .battery, .notUnlockedSinceStart, .ending].map {
            .held(launch.app, $0, replacing: false)
        }
        + [.held(launch.app, .throttled, replacing: true)]
        + [.refused(.modeNotDeclared), .forceQuit, .killed, .unregistered, .newsstandThrottled].map {
            .dropped(launch.app, $0)
        }

    private static let notifications: [NotificationDecision] = {
        let id = NotificationID(app: launch.app, number: 1)
        let alone: [NotificationDecision] = [
            .scheduled(id, at: nil), .scheduled(id, at: .zero), .discarded(id), .zoneUnknown(id),
            .canceled(launch.app, 1), .fired(id, late: .zero), .fired(id, late: .seconds(1)), .shown(id, .all),
            .badge(launch.app, 1), .badgeRefused(launch.app), .registered(launch.app, .all),
            .allowed(launch.app, true), .allowed(launch.app, false), .zoneChanged(""),
        ]
        return alone + NotShownReason.allCases.map { .notShown(id, $0) }
            + SoundFault.allCases.map { .soundReplaced(id, $0) }
            + NotificationAnswer.allCases.map { .answered(id, $0) }
    }()

    /// From each state to those that are one step away.
    private static let transitions: [Decision] = AppState.allCases.flatMap { from in
        AppState.allCases.filter { $0 != from && from.next(towards: $0) == $0 }
            .map { .stateChanged(launch, from: from, to: $0) }
    }
}
