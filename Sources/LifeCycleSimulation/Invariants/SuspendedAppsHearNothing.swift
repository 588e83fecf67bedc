import LifeCycleModel
import LifeCyclePolicy

/// A suspended app is sent nothing but a thaw.
struct SuspendedAppsHearNothing: Sendable {
    /// In no order that matters: looked up only.
    private var frozen: Set<LaunchID> = []

    mutating func check(_ event: Event, _ effects: [Effect]) -> String? {
        // A thaw that was decided before the report of the freeze came makes the report a late one.
        let isLate = effects.contains { if case .decided(.ignoredLate) = $0 { true } else { false } }
        switch event {
        case .processFroze(let launch, _, _) where !isLate: frozen.insert(launch)
        case .processFound(let launch, isFrozen: true): frozen.insert(launch)
        case .processExited(let launch, _): frozen.remove(launch)
        default: break
        }
        for effect in effects {
            switch effect {
            case .thaw(let launch): frozen.remove(launch)
            case .send(let launch, let message) where frozen.contains(launch):
                return "\(launch) is frozen and is sent \(message)"
            case .requestExit(let launch) where frozen.contains(launch):
                return "\(launch) is frozen and is sent SIGTERM"
            default: break
            }
        }
        return nil
    }
}
