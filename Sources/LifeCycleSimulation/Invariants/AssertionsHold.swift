import LifeCycleModel
import LifeCyclePolicy

/// Only the assertion table keeps an app from being suspended. A suspended app has no entry. A background app without
/// an entry is suspended or being frozen. The tasks in the table are the open tasks.
enum AssertionsHold {
    static func check(_ snapshots: [AppSnapshot]) -> String? {
        for app in snapshots where !app.isEnding {
            let tasks = app.assertions.compactMap { if case .task(let id) = $0 { id } else { nil } }
            if tasks != app.openTasks.map(\.id) { return "\(app.record.app) is held by \(app.assertions)" }
            switch app.state {
            case .notRunning:
                break
            case .suspended:
                if !app.assertions.isEmpty { return "\(app.record.app) is suspended in spite of \(app.assertions)" }
            case .background:
                guard app.assertions.isEmpty else { continue }
                if case .freeze? = app.nextDeadline?.reason { continue }
                return "\(app.record.app) runs in the background, and nothing holds it"
            case .inactive, .active:
                if app.assertions.isEmpty { return "\(app.record.app) is \(app.state.name), and nothing holds it" }
            }
        }
        return nil
    }
}
