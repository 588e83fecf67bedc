import LifeCycleModel
import LifeCyclePolicy

/// What is being killed is told nothing and asked nothing any more; it has no tasks, and nothing holds it.
struct KilledAppsHoldNothing: Sendable {
    /// In no order that matters: looked up only.
    private var doomed: Set<LaunchID> = []

    mutating func check(_ event: Event, _ effects: [Effect], _ snapshots: [AppSnapshot]) -> String? {
        for effect in effects {
            switch effect {
            case .kill(let launch, _):
                guard doomed.insert(launch).inserted else { return "\(launch) is killed twice" }
            case .send(let launch, let message) where doomed.contains(launch):
                return "\(launch) is being killed and is sent \(message)"
            case .freeze(let launch, _) where doomed.contains(launch):
                return "\(launch) is being killed and is frozen"
            case .thaw(let launch) where doomed.contains(launch):
                return "\(launch) is being killed and is thawed"
            case .requestExit(let launch) where doomed.contains(launch):
                return "\(launch) is being killed and is sent SIGTERM"
            default: break
            }
        }
        if case .processExited(let launch, _) = event { doomed.remove(launch) }
        for app in snapshots {
            guard let launch = app.launch, doomed.contains(launch) else { continue }
            if !app.isEnding { return "\(launch) is being killed and is not said to be" }
            if !app.openTasks.isEmpty { return "\(launch) is being killed and has tasks" }
            if !app.assertions.isEmpty { return "\(launch) is being killed and held by \(app.assertions)" }
        }
        return nil
    }
}
