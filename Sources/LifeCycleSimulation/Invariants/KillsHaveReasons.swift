import LifeCycleModel
import LifeCyclePolicy

/// Every kill is announced with its reason, and recorded with a code. Every end names its cause. No app is killed for a
/// fault of the system.
struct KillsHaveReasons: Sendable {
    /// For look-up only, so the order does not matter.
    private var announced: [LaunchID: TerminationReason] = [:]

    mutating func check(_ effects: [Effect]) -> String? {
        for effect in effects {
            switch effect {
            case .decided(.launch(let launch, .terminating(.fault(let fault), _))):
                return "\(launch) is killed for a fault of the system: \(fault)"
            case .decided(.launch(let launch, .terminating(let reason, _))): announced[launch] = reason
            case .launch(let launch, .kill(let reason)):
                guard announced[launch] == reason else { return "\(launch) is killed for \(reason), unannounced" }
                if case .signal(0) = reason.code { return "\(launch) is killed for \(reason), without a code" }
            case .decided(.launch(let launch, .ended(let reason, _))):
                if let announced = announced.removeValue(forKey: launch), announced != reason {
                    if case .exited = reason { continue }
                    return "\(launch) was to end for \(announced) and ended for \(reason)"
                }
            default: break
            }
        }
        return nil
    }
}
