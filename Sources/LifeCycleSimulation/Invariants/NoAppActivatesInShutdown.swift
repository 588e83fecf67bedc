import LifeCycleModel
import LifeCyclePolicy

/// While the system or the device shuts down, no app becomes active, in any order of ends (T15, T16, T19).
struct NoAppActivatesInShutdown: Sendable {
    private var isShuttingDown = false

    mutating func check(_ event: Event, _ effects: [Effect]) -> String? {
        if event == .device(.shutdownBegan) || event == .device(.deviceShutdownBegan) { isShuttingDown = true }
        guard isShuttingDown else { return nil }
        for case .decided(.launch(let launch, .stateChanged(_, .active))) in effects {
            return "\(launch) becomes active in the middle of a shutdown"
        }
        return nil
    }
}
