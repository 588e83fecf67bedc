import LifeCycleModel
import LifeCyclePolicy

/// A launch that is being killed is sent nothing. Such a launch has no tasks and no assertions.
struct KilledAppsHoldNothing: Sendable {
    /// For look-up only, so the order does not matter.
    private var doomed: Set<LaunchID> = []

    mutating func check(_ event: Event, _ effects: [Effect], _ snapshots: [AppSnapshot]) -> String? {
        for effect in effects {
            switch effect {
            case .launch(let launch, .kill(_)):
                guard doomed.insert(launch).inserted else { return "\(launch) is killed twice" }
            case .launch(let launch, .send(let message)) where doomed.contains(launch):
                return "\(launch) is being killed and is sent \(message)"
            case .launch(let launch, .freeze(_)) where doomed.contains(launch):
                return "\(launch) is being killed and is frozen"
            case .launch(let launch, .thaw) where doomed.contains(launch):
                return "\(launch) is being killed and is thawed"
            case .launch(let launch, .requestExit) where doomed.contains(launch):
                return "\(launch) is being killed and is sent SIGTERM"
            default: break
            }
        }
        if case .process(let launch, .exited(_)) = event { doomed.remove(launch) }
        for app in snapshots {
            guard let launch = app.launch, doomed.contains(launch) else { continue }
            if !app.isEnding { return "\(launch) is being killed and is not said to be" }
            if !app.openTasks.isEmpty { return "\(launch) is being killed and has tasks" }
            if !app.assertions.isEmpty { return "\(launch) is being killed and held by \(app.assertions)" }
        }
        return nil
    }
}
