import LifeCycleModel
import LifeCyclePolicy

/// An app that is suspended, or asked to freeze, is sent nothing but a thaw.
struct SuspendedAppsHearNothing: Sendable {
    /// In no order that matters: looked up only.
    private var frozen: Set<LaunchID> = []

    mutating func check(_ event: Event, _ effects: [Effect]) -> String? {
        switch event {
        case .processFound(let launch, isFrozen: true): frozen.insert(launch)
        case .processExited(let launch, _), .freezeFailed(let launch, _, _), .processFound(let launch, isFrozen: false):
            frozen.remove(launch)
        default: break
        }
        for effect in effects {
            switch effect {
            case .freeze(let launch, _): frozen.insert(launch)
            case .thaw(let launch): frozen.remove(launch)
            case .send(let launch, let message) where frozen.contains(launch):
                return "\(launch) is frozen, or about to be, and is sent \(message)"
            case .requestExit(let launch) where frozen.contains(launch):
                return "\(launch) is frozen, or about to be, and is sent SIGTERM"
            default: break
            }
        }
        return nil
    }
}
