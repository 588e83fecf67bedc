public import Foundation
import LifeCycleModel

/// Background tasks (finite-length tasks). Any thread. As on Apple's platforms, in Swift 5 mode a handler may
/// capture and change outer variables without a warning.
extension UIApplication {
    /// Begins a background task: asks for time to finish work after the app leaves the foreground (R-34, K067).
    ///
    /// Begin the task early, before the work, and end it with `endBackgroundTask(_:)`. In the foreground a
    /// task is dormant: its time starts when the app leaves the foreground.
    ///
    /// - Parameters:
    ///   - handler: Called once, on the main thread, shortly before time is up; it must end the task.
    ///   - function: Do not pass it: the caller, from which Roost makes the task's name.
    ///   - file: Do not pass it; see `function`.
    ///   - line: Do not pass it; see `function`.
    /// - Returns: The task's identifier. `.invalid` if the app cannot run in the background, or has too many
    ///   open tasks.
    @preconcurrency nonisolated public func beginBackgroundTask(
        expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil, function: String = #function,
        file: String = #fileID, line: Int = #line
    ) -> UIBackgroundTaskIdentifier {
        session.beginTask(
            name: TaskName.made(function: function, file: file, line: line), handler: handler, file: file, line: line)
    }

    /// Begins a background task with a name for logs and `roost ps`; see `beginBackgroundTask(expirationHandler:)`. If
    /// the name is nil, Roost makes one from the caller (R-36, K066, K080).
    @preconcurrency nonisolated public func beginBackgroundTask(
        withName taskName: String?, expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil,
        function: String = #function, file: String = #fileID, line: Int = #line
    ) -> UIBackgroundTaskIdentifier {
        let name = taskName.map(TaskName.shortened) ?? TaskName.made(function: function, file: file, line: line)
        return session.beginTask(name: name, handler: handler, file: file, line: line)
    }

    /// Ends a background task. When no task is open, the app may be suspended at once (R-46, K068). An identifier that
    /// is not open is logged.
    nonisolated public func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {
        session.endTask(TaskID(Int64(identifier.rawValue)))
    }

    /// The remaining background time in seconds: an estimate that may change at any time. In the foreground it
    /// is unlimited, `Double.greatestFiniteMagnitude`; with no open task it is zero.
    nonisolated public var backgroundTimeRemaining: TimeInterval {
        session.backgroundTimeRemaining.map { Double($0.rawValue) / 1e9 } ?? .greatestFiniteMagnitude
    }
}
