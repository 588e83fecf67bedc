import LifeCycleModel

/// The rules by which an event may launch or wake an app. No
/// other code decides that.
enum LaunchRules {
    /// The facts that the rules read of the device.
    struct Circumstances: Hashable, Sendable {
        let settings: DeviceSettings
        let isLocked: Bool
        let wasUnlockedSinceStart: Bool
        let scenes: SceneRequirement
        let isShuttingDown: Bool
        let taskSchedulerEndsFetch: Bool
        let forceQuitBarsWakes: Bool
        let forceQuitBarsLocation: Bool
        let pushKitOvercomesForceQuit: Bool
    }

    /// Why a wake is refused; nil if it is admitted.
    static func admit(
        _ reason: LaunchReason, app: AppRecord, isEnding: Bool, circumstances: Circumstances
    ) -> WakeRefusal? {
        if circumstances.isShuttingDown { return .shuttingDown }
        if let refusal = refusal(by: app.manifest, of: reason, circumstances: circumstances) { return refusal }
        return admitToBackground(reason, app: app, isEnding: isEnding, circumstances: circumstances)
    }

    /// Why the app's `Info.plist` forbids wakes for this reason; nil if the file allows wakes.
    static func refusal(
        by manifest: AppManifest, of reason: LaunchReason, circumstances: Circumstances
    ) -> WakeRefusal? {
        guard reason.isEvent else { return .notAWake }
        if let mode = reason.requiredMode, !manifest.backgroundModes.contains(mode) { return .modeNotDeclared }
        let isReplaced = circumstances.taskSchedulerEndsFetch && manifest.taskIdentifiers != nil
        return reason == .backgroundFetch && isReplaced ? .fetchDisabled : nil
    }

    /// Why a concern's wake is refused; nil if it is admitted. The events of a background session need no mode,
    /// except those of Newsstand's session. VoIP pushes cannot be reported from outside.
    static func admitConcern(
        _ reason: LaunchReason, app: AppRecord, isEnding: Bool, circumstances: Circumstances
    ) -> WakeRefusal? {
        if reason.isEvent { return admit(reason, app: app, isEnding: isEnding, circumstances: circumstances) }
        if circumstances.isShuttingDown { return .shuttingDown }
        if let mode = reason.requiredMode, !app.manifest.backgroundModes.contains(mode) { return .modeNotDeclared }
        return admitToBackground(reason, app: app, isEnding: isEnding, circumstances: circumstances)
    }

    private static func admitToBackground(
        _ reason: LaunchReason, app: AppRecord, isEnding: Bool, circumstances: Circumstances
    ) -> WakeRefusal? {
        if app.manifest.exitsOnSuspend { return .exitsOnSuspend }
        if app.isForceQuit, isBarredByForceQuit(reason, circumstances) { return .forceQuit }
        if circumstances.settings.hasPasscode, !circumstances.wasUnlockedSinceStart {
            return .notUnlockedSinceStart
        }
        if reason.needsBackgroundRefresh, !allowsRefresh(app, circumstances.settings) { return .backgroundRefresh }
        if isEnding { return .ending }
        return lacksScenes(app, circumstances.scenes) ? .noScenes : nil
    }

    /// Whether a force-quit app is not launched for this reason. Since iOS 8, location monitoring and VoIP pushes may
    /// launch a force-quit app.
    private static func isBarredByForceQuit(_ reason: LaunchReason, _ circumstances: Circumstances) -> Bool {
        // The force-quit canceled the app's downloads, and only the user may open it for its sessions.
        if reason == .urlSession { return true }
        guard circumstances.forceQuitBarsWakes else { return false }
        return switch reason {
        case .locationMonitoring: circumstances.forceQuitBarsLocation
        case .voipPush: !circumstances.pushKitOvercomesForceQuit
        default: true
        }
    }

    /// Why the user may not open the app; nil if the user may.
    @inline(__always) static func open(_ app: AppRecord, circumstances: Circumstances) -> WakeRefusal? {
        if circumstances.isShuttingDown { return .shuttingDown }
        if circumstances.isLocked { return .locked }
        return lacksScenes(app, circumstances.scenes) ? .noScenes : nil
    }

    /// Whether the app may be prewarmed (T28).
    static func mayPrewarm(_ app: AppRecord, circumstances: Circumstances) -> Bool {
        !circumstances.isShuttingDown && !lacksScenes(app, circumstances.scenes)
    }

    /// Whether Background App Refresh is on for the app.
    static func allowsRefresh(_ app: AppRecord, _ settings: DeviceSettings) -> Bool {
        settings.backgroundRefresh && app.allowsBackgroundRefresh
    }

    /// An adopted app does not use UIKit, and so has no scenes.
    private static func lacksScenes(_ app: AppRecord, _ requirement: SceneRequirement) -> Bool {
        requirement == .required && !app.manifest.usesScenes && !app.manifest.isAdopted
    }
}

extension LaunchReason {
    /// Whether Background App Refresh governs the reason: the app itself wants the wake, rather than another party.
    fileprivate var needsBackgroundRefresh: Bool {
        switch self {
        case .locationMonitoring, .remoteNotification, .backgroundFetch, .newsstand, .urlSession: true
        case .user, .locationUpdate, .voip, .voipPush, .externalAccessory, .bluetoothCentral,
            .bluetoothPeripheral:
            false
        }
    }
}
