import LifeCycleModel

/// The one way to life: whether something that happened may bring an app to run.
enum LaunchRules {
    /// Nil where the wake is admitted, else why it is not.
    static func admit(_ reason: LaunchReason, app: AppRecord, isEnding: Bool, isShuttingDown: Bool) -> WakeRefusal? {
        if isShuttingDown { return .shuttingDown }
        guard let mode = reason.requiredMode else { return .notAWake }
        guard app.manifest.backgroundModes.contains(mode) else { return .modeNotDeclared }
        if app.manifest.exitsOnSuspend { return .exitsOnSuspend }
        if app.isForceQuit { return .forceQuit }
        if isEnding { return .ending }
        return nil
    }
}
