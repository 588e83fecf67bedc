import LifeCycleModel
import LifeCyclePolicy

/// A foreground app has the foreground's share of the processor, and no suspended app has it (K178).
struct PrioritiesFollowStates: Sendable {
    /// For look-up only, so the order does not matter.
    private var given: [LaunchID: ProcessPriority] = [:]

    mutating func check(_ effects: [Effect], _ snapshots: [AppSnapshot]) -> String? {
        for case .launch(let launch, .prioritize(let priority)) in effects { given[launch] = priority }
        for app in snapshots where !app.isEnding {
            guard let launch = app.launch, let priority = given[launch] else { continue }
            switch app.state {
            case .inactive, .active:
                if priority != .foreground { return "\(launch) is \(app.state.name) with the share of the background" }
            case .suspended:
                if priority != .background { return "\(launch) is suspended with the share of the foreground" }
            case .notRunning, .background: break
            }
        }
        return nil
    }
}
