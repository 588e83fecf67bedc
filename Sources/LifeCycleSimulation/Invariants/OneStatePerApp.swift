import LifeCycleModel
import LifeCyclePolicy

/// States change only along the arrows. An app that does not run has no launch, and a running app has a launch. At most
/// one app is active.
enum OneStatePerApp {
    static func check(_ effects: [Effect], _ snapshots: [AppSnapshot]) -> String? {
        for case .decided(.launch(let launch, .stateChanged(let from, let to))) in effects where !isLegal(from, to) {
            return "\(launch) goes from \(from.name) to \(to.name)"
        }
        var active: AppID?
        for app in snapshots {
            if (app.state == .notRunning) != (app.launch == nil || app.isPrewarmed) {
                return "\(app.record.app) is \(app.state.name) with launch \(app.launch.map(String.init) ?? "none")"
            }
            guard app.state == .active, !app.isEnding else { continue }
            if let active { return "\(active) and \(app.record.app) are both active" }
            active = app.record.app
        }
        return nil
    }

    /// The arrows of Apple's figure, and an end from every state.
    private static func isLegal(_ from: AppState, _ to: AppState) -> Bool {
        switch (from, to) {
        case (.notRunning, .inactive), (.notRunning, .background), (.inactive, .active), (.active, .inactive),
            (.inactive, .background), (.background, .inactive), (.background, .suspended), (.suspended, .background):
            true
        case (_, .notRunning): from != .notRunning
        default: false
        }
    }
}
