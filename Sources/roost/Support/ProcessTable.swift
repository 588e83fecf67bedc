import LifeCycleModel
import LifeCycleText
import RoostWire

/// The table of apps that `ps` prints and `watch` keeps on the screen.
enum ProcessTable {
    static let head = ["APP", "STATE", "PID", "KERNEL", "PRIORITY", "TIME LEFT", "TASKS", "MEMORY", "HELD BY"]

    /// The head, and a row for each app.
    static func rows(_ apps: [AppSummary]) -> [[String]] {
        [head]
            + apps.map { app in
                [
                    app.identifier.rawValue, app.state.name + (app.isForceQuit ? " (force-quit)" : ""),
                    app.pid.map(String.init) ?? "-", app.freezer ?? "-", app.priority ?? "-",
                    app.timeRemaining?.description ?? "-",
                    app.openTasks.isEmpty
                        ? "-" : app.openTasks.map { Output.visible($0.name) }.joined(separator: ", "),
                    app.memory.map(SizeText.text) ?? "-",
                    app.assertions.isEmpty ? "-" : app.assertions.joined(separator: ", "),
                ]
            }
    }
}
