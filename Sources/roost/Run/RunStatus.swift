import LifeCycleModel
import RoostWire

/// The status line.
enum RunStatus {
    static let whileOff = "the device is off   ? keys, q quit"

    /// The app's name, its state, and the reasons for it.
    static func text(_ name: String, _ app: AppSummary?, _ status: SystemStatus?) -> String {
        guard let app else { return Output.visible(name) + " · waits for the system   ? keys, q quit" }
        var parts = [Output.visible(name), app.state.name + (app.isForceQuit ? ", swiped away" : "")]
        if status?.isLocked == true { parts.append("locked") }
        if let kind = status?.interruption { parts.append("interrupted by \(kind.rawValue)") }
        if let left = app.timeRemaining { parts.append("\((left.rawValue + 999_999_999) / 1_000_000_000) s left") }
        switch app.openTasks.count {
        case 0: break
        case 1: parts.append("task " + tasks(app))
        case let count: parts.append("\(count) tasks: " + tasks(app))
        }
        if app.state == .background, !app.assertions.isEmpty {
            parts.append("held by " + app.assertions.joined(separator: ", "))
        }
        return parts.joined(separator: " · ") + "   ? keys, q quit"
    }

    private static func tasks(_ app: AppSummary) -> String {
        app.openTasks.map { Output.visible($0.name) }.joined(separator: ", ")
    }
}
