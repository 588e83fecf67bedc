public import Foundation
import LifeCycleModel

/// Finite-length tasks. All of it may be used from any thread. As on Apple's platforms, in Swift 5 mode a handler may
/// change what belongs to its surroundings without a warning.
extension UIApplication {
    /// Asks for time to finish something after the app has left the foreground (R-34, K067).
    ///
    /// Begin early, before the work; end each task with `endBackgroundTask(_:)`. In the foreground a
    /// task is dormant, its time starts when the app leaves it.
    ///
    /// - Parameters:
    ///   - handler: Called once, on the main thread, shortly before time is up; has to end the task.
    ///   - function: Not for use: the caller, from whom the task's name is made.
    ///   - file: Not for use, as `function`.
    ///   - line: Not for use, as `function`.
    /// - Returns: The task's identifier; `.invalid` if the app cannot run in the background, or has begun too
    ///   many.
    @preconcurrency nonisolated public func beginBackgroundTask(
        expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil, function: String = #function,
        file: String = #fileID, line: Int = #line
    ) -> UIBackgroundTaskIdentifier {
        session.beginTask(
            name: TaskName.made(function: function, file: file, line: line), handler: handler, file: file, line: line)
    }

    /// As `beginBackgroundTask(expirationHandler:)`, with a name for logs and `roost ps`; nil for one made from the
    /// caller (R-36, K066, K080).
    @preconcurrency nonisolated public func beginBackgroundTask(
        withName taskName: String?, expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil,
        function: String = #function, file: String = #fileID, line: Int = #line
    ) -> UIBackgroundTaskIdentifier {
        let name = taskName.map(TaskName.shortened) ?? TaskName.made(function: function, file: file, line: line)
        return session.beginTask(name: name, handler: handler, file: file, line: line)
    }

    /// Ends a task: once none is open, the app may be suspended at once (R-46, K068). An identifier that is not open
    /// is worth a line in the log.
    nonisolated public func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {
        session.endTask(TaskID(Int64(identifier.rawValue)))
    }

    /// The background time left, in seconds: an estimate, which may change at any time. In the foreground it
    /// is without bounds, `Double.greatestFiniteMagnitude`; with no task open it is zero.
    nonisolated public var backgroundTimeRemaining: TimeInterval {
        session.backgroundTimeRemaining.map { Double($0.rawValue) / 1e9 } ?? .greatestFiniteMagnitude
    }
}
