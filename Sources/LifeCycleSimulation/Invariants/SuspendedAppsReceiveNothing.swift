import LifeCycleModel
import LifeCyclePolicy

/// An app that is suspended, or is to freeze, is sent nothing but a thaw.
struct SuspendedAppsReceiveNothing: Sendable {
    /// For look-up only, so the order does not matter.
    private var frozen: Set<LaunchID> = []

    mutating func check(_ event: Event, _ effects: [Effect]) -> String? {
        switch event {
        case .process(let launch, .found(isFrozen: true)): frozen.insert(launch)
        case .process(let launch, .exited(_)), .process(let launch, .freezeFailed(_, _)),
            .process(let launch, .found(isFrozen: false)):
            frozen.remove(launch)
        default: break
        }
        for effect in effects {
            switch effect {
            case .launch(let launch, .freeze(_)): frozen.insert(launch)
            case .launch(let launch, .thaw): frozen.remove(launch)
            case .launch(let launch, .send(let message)) where frozen.contains(launch):
                return "\(launch) is frozen, or about to be, and is sent \(message)"
            case .launch(let launch, .requestExit) where frozen.contains(launch):
                return "\(launch) is frozen, or about to be, and is sent SIGTERM"
            default: break
            }
        }
        return nil
    }
}
