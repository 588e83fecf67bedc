import LifeCycleModel
import LifeCyclePolicy

/// At rest the app that the user opened last is active, if it lives, or inactive if it is interrupted. No other app is
/// in the foreground.
enum ForegroundIsHonored {
    static func check(_ snapshots: [AppSnapshot], foregroundApp: AppID?, isInterrupted: Bool = false) -> String? {
        for app in snapshots {
            if app.record.app == foregroundApp {
                if isInterrupted, app.state != .inactive, app.state != .notRunning {
                    return "\(app.record.app) is interrupted and is \(app.state.name)"
                }
                if !isInterrupted, app.state != .active, app.state != .notRunning {
                    return "\(app.record.app) was opened last and is \(app.state.name)"
                }
            } else if app.state.isForeground {
                return "\(app.record.app) is \(app.state.name), and the user is elsewhere"
            }
        }
        return nil
    }
}
