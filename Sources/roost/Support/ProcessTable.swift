import LifeCycleModel
import LifeCycleText
import RoostWire

/// The table of apps for `ps` and `watch`.
enum ProcessTable {
    private static let head = ["APP", "STATE", "PID", "KERNEL", "PRIORITY", "TIME LEFT", "TASKS", "MEMORY", "HELD BY"]

    /// The columns that a narrow terminal omits, least important first.
    private static let dispensable = ["PRIORITY", "KERNEL", "MEMORY", "TASKS", "TIME LEFT", "PID"]

    /// The lines of the table: a header, and a line for each app. If the table is wider than `columns`, columns are
    /// omitted until it fits; nil for no limit.
    static func lines(_ apps: [AppSummary], columns: Int?) -> [String] {
        var rows = rows(apps)
        for name in dispensable {
            guard let columns, Output.width(of: rows) > columns else { break }
            guard let index = rows[0].firstIndex(of: name) else { continue }
            for row in rows.indices { rows[row].remove(at: index) }
        }
        let lines = Output.table(rows).split(separator: "\n").map(String.init)
        return columns.map { limit in lines.map { $0.shortened(to: limit) } } ?? lines
    }

    /// The header, and a row for each app.
    private static func rows(_ apps: [AppSummary]) -> [[String]] {
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
