import LifeCycleModel
import LifeCyclePolicy

/// The names that a long exploration must reach. A rule that no history reaches is not explored.
///
/// The names are derived from the cases of the enums. The switches here do not compile without a new callback, reason
/// or decision.
enum Expected {
    /// The names, as `Reach` writes them.
    static let names: [String] =
        callbacks.map { "callback \($0.name)" } + decisions.map(Reach.name) + effects
        + Fault.allCases.map { "fault \($0.rawValue)" }

    /// The names that were not reached.
    static func missing(from reach: [(name: String, count: Int)]) -> [String] {
        names.filter { name in !reach.contains { $0.name == name } }
    }

    private static let launch = LaunchID.sample
    private static let task = BackgroundTask(id: TaskID(1), name: "")

    /// The effects that are neither a decision nor a callback.
    private static let effects =
        [
            "event delivered", "launched with a push", "kept awake", "may sleep", "container measured",
            "container measured after the pause",
        ] + ProcessPriority.allCases.map { "priority \($0.rawValue)" }

    // MARK: Callbacks

    private static let callbacks =
        everyKind(from: Callback.launch(.user)) { ([$0], next: callback(after: $0)) }
        + SimulatedConcerns.all.flatMap { $0.calls }.map { .concern($0) }

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
        case .discardScenes: .willTerminate
        case .willTerminate, .concern: nil
        }
    }

    // MARK: Ends

    static let ends: [TerminationReason] = sequence(
        first: .exited(.exited(code: 0))
    ) { end(after: $0) }.flatMap { reason -> [TerminationReason] in
        switch reason {
        case .exited: [.exited(.exited(code: 0)), .exited(.signaled(11))]
        case .watchdog: callbacks.map { .watchdog($0) }
        case .eventNotHandled: WakeEvent.allCases.map { .eventNotHandled($0) }
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
        case .eventNotHandled: .noCallReported
        case .noCallReported: .wokenTooOften
        case .wokenTooOften: .tooManyTasks
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
        // A fault must never be reached.
        case .notFreezable, .fault: nil
        }
    }

    // MARK: Refusals

    /// The refusals that are possible for wakes, and those that are possible for opening.
    private static func refusedActions(_ refusal: WakeRefusal) -> (wakes: Bool, opening: Bool) {
        switch refusal {
        case .modeNotDeclared, .fetchDisabled, .forceQuit, .exitsOnSuspend, .ending, .backgroundRefresh,
            .notUnlockedSinceStart:
            (true, false)
        case .locked: (false, true)
        case .shuttingDown, .noScenes: (true, true)
        // The control socket rejects such a wake.
        case .notAWake: (false, false)
        }
    }

    private static func refusals(of act: UserAct) -> [ActRefusal] {
        switch act {
        case .home: [.nothingInForeground, .locked, .shuttingDown]
        case .switchApp: [.locked, .notInSwitcher, .noOtherApp, .shuttingDown]
        case .interrupt: [.nothingInForeground, .interruptedAlready, .locked, .shuttingDown]
        case .dismiss, .accept: [.nothingInterrupts, .shuttingDown]
        case .lock: [.locked, .shuttingDown]
        case .unlock: [.notLocked, .shuttingDown]
        case .answerCall: [.noCall, .anotherCall, .shuttingDown]
        case .resumeCall: [.noCall, .anotherCall, .shuttingDown]
        case .declineCall, .endCall, .holdCall, .muteCall, .unmuteCall: [.noCall, .shuttingDown]
        }
    }

    private static let wakeRefusals: [Decision] = WakeRefusal.allCases.flatMap { refusal -> [Decision] in
        let (wakes, opening) = refusedActions(refusal)
        return (wakes ? [.app(launch.app, .wakeRefused(.locationMonitoring, refusal))] : [])
            + (opening ? [.app(launch.app, .wakeRefused(.user, refusal))] : [])
    }

    // MARK: Decisions

    /// Each kind of decision, with each variant that the report distinguishes.
    private static let decisions =
        everyKind(from: Decision.launch(launch, .stateChanged(from: .active, to: .inactive)), variants)
        + SimulatedConcerns.all.flatMap { $0.reasons }.map { .concern($0) }

    private static func variants(of decision: Decision) -> ([Decision], next: Decision?) {
        switch decision {
        case .launch(_, .stateChanged): (transitions, next: .launch(launch, .prewarmed))
        case .launch(_, .prewarmed): ([decision], next: .launch(launch, .launched(.user)))
        case .launch(_, .launched):
            (LaunchReason.allCases.map { .launch(launch, .launched($0)) }, next: .launch(launch, .scenesAdvised))
        case .launch(_, .scenesAdvised): ([decision], next: .device(.actRefused(.home, .locked)))
        case .device(.actRefused):
            (
                UserAct.allCases.flatMap { act in refusals(of: act).map { .device(.actRefused(act, $0)) } },
                next: .app(launch.app, .inputDropped(.inactive))
            )
        case .app(_, .inputDropped):
            (
                AppState.allCases.filter { $0 != .active }.map { .app(launch.app, .inputDropped($0)) },
                next: .launch(launch, .interrupted(.call))
            )
        case .launch(_, .interrupted):
            (
                Interruption.allCases.map { .launch(launch, .interrupted($0)) },
                next: .launch(launch, .interruptionEnded(.call, isAccepted: true))
            )
        case .launch(_, .interruptionEnded):
            (
                [true, false].map { .launch(launch, .interruptionEnded(.call, isAccepted: $0)) },
                next: .device(.locked(isAutomatic: true))
            )
        case .device(.locked): ([true, false].map { .device(.locked(isAutomatic: $0)) }, next: .device(.unlocked))
        case .device(.unlocked): ([decision], next: .device(.zoneChanged("")))
        case .device(.zoneChanged): ([decision], next: .device(.settingChanged(.lowPowerMode(true))))
        case .device(.settingChanged): ([decision], next: .app(launch.app, .backgroundRefreshChanged(true)))
        case .app(_, .backgroundRefreshChanged): ([decision], next: .launch(launch, .memoryWarning))
        case .launch(_, .memoryWarning): ([decision], next: .launch(launch, .sceneReclaimed))
        case .launch(_, .sceneReclaimed): ([decision], next: .launch(launch, .launchIsSlow))
        case .launch(_, .launchIsSlow): ([decision], next: .launch(launch, .woken(.locationMonitoring)))
        case .launch(_, .woken):
            (
                LaunchReason.allCases.filter { $0 != .user }
                    .map { .launch(launch, .woken($0)) },
                next: .app(launch.app, .wakeRefused(.locationMonitoring, .ending))
            )
        case .app(_, .wakeRefused): (wakeRefusals, next: .launch(launch, .suspending(last: .callback)))
        case .launch(_, .suspending): ([decision], next: .launch(launch, .resumed(because: .callback)))
        case .launch(_, .resumed): ([decision], next: .launch(launch, .thawedFromOutside))
        case .launch(_, .thawedFromOutside): ([decision], next: .launch(launch, .thawFailed(errno: 5)))
        case .launch(_, .thawFailed): ([decision], next: .launch(launch, .taskGranted(task)))
        case .launch(_, .taskGranted): ([decision], next: .launch(launch, .taskRefused(task)))
        case .launch(_, .taskRefused): ([decision], next: .launch(launch, .taskEnded(task.id, open: 0)))
        case .launch(_, .taskEnded): ([decision], next: .launch(launch, .unknownTaskEnded(task.id)))
        case .launch(_, .unknownTaskEnded): ([decision], next: .launch(launch, .backgroundTimeGranted(until: .zero)))
        case .launch(_, .backgroundTimeGranted): ([decision], next: .launch(launch, .tasksExpiring([])))
        case .launch(_, .tasksExpiring): ([decision], next: .launch(launch, .terminating(.memory, open: [])))
        case .launch(_, .terminating): ([decision], next: .launch(launch, .ended(.memory, nil)))
        // `systemGone` is the reason of a kill while no system runs, which no history contains.
        case .launch(_, .ended):
            (
                ends.filter { $0 != .systemGone }.map { .launch(launch, .ended($0, nil)) },
                next: .launch(launch, .ignoredLate)
            )
        case .launch(_, .ignoredLate): ([decision], next: .app(launch.app, .unknown))
        case .app(_, .unknown): ([decision], next: .launch(launch, .foundAgain(isFrozen: true)))
        case .launch(_, .foundAgain):
            (
                [true, false].map { .launch(launch, .foundAgain(isFrozen: $0)) },
                next: .launch(launch, .eventHandled(.backgroundFetch, .newData, after: .zero))
            )
        case .launch(_, .eventHandled):
            (
                WakeEvent.allCases.flatMap { kind in
                    BackgroundFetchResult.allCases.map { .launch(launch, .eventHandled(kind, $0, after: .zero)) }
                }, next: nil
            )
        case .concern: ([], next: nil)
        }
    }

    /// All state transitions of a single step.
    private static let transitions: [Decision] = AppState.allCases.flatMap { from in
        AppState.allCases.filter { $0 != from && from.next(toward: $0) == $0 }
            .map { .launch(launch, .stateChanged(from: from, to: $0)) }
    }
}
