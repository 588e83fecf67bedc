import LifeCycleModel
import LifeCyclePolicy

/// What a long exploration has to have reached: a rule that no history comes by is not explored.
enum Expected {
    /// The names, as `Reach` gives them.
    static let names: [String] =
        transitions + callbacks + ends + refusals + others + faults

    private static let transitions = [
        "not running → inactive", "not running → background", "inactive → active", "active → inactive",
        "inactive → background", "background → inactive", "background → suspended", "suspended → background",
        "inactive → not running", "active → not running", "background → not running", "suspended → not running",
    ].map { "transition " + $0 }

    private static let callbacks = [
        Callback.launch(.user), .didBecomeActive, .willResignActive, .didEnterBackground, .willEnterForeground,
        .expireTasks, .deviceChanged(DeviceFacts()), .memoryWarning, .disconnectScene, .discardScenes([]),
        .willTerminate,
    ].map { "callback " + $0.name }

    private static let ends: [String] =
        [
            TerminationReason.exited(.exited(code: 0)), .launchFailed(errno: 2), .cutOff, .lostContact,
            .tasksNotEnded(.watchdog), .tasksNotEnded(.taskNotCompleted), .tooManyTasks, .tooManyRequests,
            .tooMuchDisk, .forceQuit, .memory, .exitsOnSuspend, .shutdown, .deviceShutdown, .uninstalled, .updated,
            .notFreezable, .watchdog(.launch(.user)), .watchdog(.willResignActive), .watchdog(.didEnterBackground),
            .watchdog(.willEnterForeground), .watchdog(.didBecomeActive), .watchdog(.expireTasks),
            .watchdog(.willTerminate), .watchdog(.deviceChanged(DeviceFacts())), .watchdog(.memoryWarning),
            .watchdog(.discardScenes([])), .watchdog(.disconnectScene),
        ].map { "end \(Reach.name(of: $0)) \($0.code)" }

    private static let refusals: [String] =
        [
            WakeRefusal.modeNotDeclared, .forceQuit, .exitsOnSuspend, .ending, .backgroundRefresh,
            .notUnlockedSinceStart,
        ].map { "wake refused: \($0.rawValue)" }
        + [WakeRefusal.locked, .noScenes].map { "opening refused: \($0.rawValue)" }
        + [
            (UserAct.home, ActRefusal.nothingInFront), (.home, .locked), (.switchApp, .locked),
            (.switchApp, .notInSwitcher), (.switchApp, .noOtherApp), (.interrupt, .nothingInFront),
            (.interrupt, .interruptedAlready), (.interrupt, .locked), (.dismiss, .nothingInterrupts),
            (.accept, .nothingInterrupts), (.lock, .locked), (.unlock, .notLocked),
        ].map { "act refused: \($0.0.rawValue), \($0.1.rawValue)" }

    private static let others =
        [
            "event delivered", "event dropped: inactive", "event dropped: background", "event dropped: suspended",
            "event dropped: not running", "interruption accepted", "interruption over", "locked", "locked by itself",
            "unlocked", "found again frozen", "found again running", "scenes advised", "setting changed",
            "background refresh changed", "memory warning", "scene reclaimed", "launch is slow", "suspending",
            "resumed", "task granted", "task refused", "task ended", "unknown task ended",
            "background time granted", "tasks expiring", "terminating", "ignored late", "unknown app", "kept awake",
            "may sleep", "container measured", "container measured after the pause", "priority foreground",
            "priority background", "prewarmed", "launched for user",
            "launched for location",
            "launched for voip", "woken for location", "woken for voip",
        ] + Interruption.allCases.map { "interrupted by \($0.rawValue)" }

    private static let faults = [
        "restart of the system", "death between event and effects", "reboot", "sleep", "start fails", "freeze fails",
    ].map { "fault " + $0 }
}
