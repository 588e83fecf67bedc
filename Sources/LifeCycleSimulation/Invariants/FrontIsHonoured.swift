import LifeCycleModel
import LifeCyclePolicy

/// At rest the app the user opened last is active, if it lives, and no other is in the foreground.
enum FrontIsHonoured {
    static func check(_ snapshots: [AppSnapshot], front: AppID?) -> String? {
        for app in snapshots {
            if app.record.app == front {
                if app.state != .active, app.state != .notRunning {
                    return "\(app.record.app) was opened last and is \(app.state.name)"
                }
            } else if app.state.isForeground {
                return "\(app.record.app) is \(app.state.name), and the user is elsewhere"
            }
        }
        return nil
    }
}
