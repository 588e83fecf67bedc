import LifeCycleModel
import LifeCyclePolicy

/// A wake brings an app to run exactly where its manifest, the user and the system allow it; and nothing but a wake
/// or the user does.
struct WakesFollowTheRules: Sendable {
    /// In no order that matters: all are looked up only.
    private var manifests: [AppID: AppManifest] = [:]
    private var forceQuit: Set<AppID> = []
    private var ending: Set<LaunchID> = []
    private var alive: [AppID: LaunchID] = [:]
    private var isShuttingDown = false

    mutating func check(_ event: Event, _ effects: [Effect]) -> String? {
        note(event)
        if case .wakeOccurred(let app, let reason) = event {
            guard let manifest = manifests[app] else {
                return effects == [.decided(.unknownApp(app))] ? nil : "\(app) is not installed, and is woken"
            }
            if let finding = check(app, reason, manifest, effects) { return finding }
        }
        for effect in effects {
            switch effect {
            case .start(let launch, let reason):
                alive[launch.app] = launch
                if reason == .user { continue }
                guard case .wakeOccurred(launch.app, reason) = event else {
                    return "\(launch) is launched for \(reason), which did not occur"
                }
            case .decided(.terminating(let launch, _, _)): ending.insert(launch)
            default: break
            }
        }
        return nil
    }

    private mutating func note(_ event: Event) {
        switch event {
        case .appInstalled(let app, let manifest): manifests[app] = manifest
        case .appUninstalled(let app): manifests[app] = nil
        case .appForceQuit(let app): forceQuit.insert(app)
        case .appOpened(let app): forceQuit.remove(app)
        case .shutdownBegan: isShuttingDown = true
        case .processExited(let launch, _), .processStartFailed(let launch, _):
            ending.remove(launch)
            if alive[launch.app] == launch { alive[launch.app] = nil }
        default: break
        }
    }

    private func check(
        _ app: AppID, _ reason: LaunchReason, _ manifest: AppManifest, _ effects: [Effect]
    ) -> String? {
        let obstacles = obstacles(app, reason, manifest)
        for case .decided(.wakeRefused(app, reason, let refusal)) in effects {
            if !obstacles.contains(refusal) { return "\(app) is not woken for \(reason) because of \(refusal)" }
            return effects.count == 1 ? nil : "\(app) is refused a wake, and more is done: \(effects)"
        }
        if let obstacle = obstacles.first { return "\(app) is woken for \(reason) in spite of \(obstacle)" }
        let isAnswered = effects.contains { effect in
            switch effect {
            case .start(let launch, reason): launch.app == app && alive[app] == nil
            case .decided(.woken(let launch, reason)): launch.app == app && alive[app] == launch
            default: false
            }
        }
        return isAnswered ? nil : "\(app) is neither launched nor woken for \(reason)"
    }

    private func obstacles(_ app: AppID, _ reason: LaunchReason, _ manifest: AppManifest) -> [WakeRefusal] {
        var found: [WakeRefusal] = []
        if let mode = reason.requiredMode {
            if !manifest.backgroundModes.contains(mode) { found.append(.modeNotDeclared) }
        } else {
            found.append(.notAWake)
        }
        if manifest.exitsOnSuspend { found.append(.exitsOnSuspend) }
        if forceQuit.contains(app) { found.append(.forceQuit) }
        if ending.contains(where: { $0.app == app }) { found.append(.ending) }
        if isShuttingDown { found.append(.shuttingDown) }
        return found
    }
}
