import AppCore
import LifeCycleModel

/// A launch of an app, as seen by the device's body: hosted in the test's process, or a separate process.
@MainActor protocol Endpoint: AnyObject {
    var launch: LaunchID { get }
    /// The process's id; nil if the test hosts the launch, or if the process is frozen or not started.
    var process: Int32? { get }
    /// Whether the launch is frozen.
    var isFrozen: Bool { get }
    /// The time at which the app's code next wants to continue, by the device's clock; nil if it waits for no time.
    var nextDeadline: Nanoseconds? { get }
    /// The launch's memory, in bytes.
    var footprint: Int64 { get }

    /// Starts the launch. The endpoint then reports `started` or `startFailed`, and `attached` once the app listens.
    func start()
    /// Sends a message; dropped if the launch cannot receive it.
    func deliver(_ message: SystemMessage)
    /// Ends a callback that takes device time.
    func conclude(_ callback: CallbackID)
    func freeze()
    func thaw()
    /// Continues the work that is due after the device's clock has moved. Returns whether any work may have been due.
    func clockMoved() -> Bool
    /// Sends SIGTERM.
    func requestExit()
    /// Sends SIGKILL. The launch reports nothing after it.
    func kill()
    /// Returns the launch's new reports, in order.
    func takeReports() -> [Report]
    /// The tasks that the app has begun and not ended, including tasks in the foreground, which do not count yet.
    var openTasks: [BackgroundTask] { get }
    /// The end of the app's output; empty if the app writes to the test's own output.
    var lastWords: String { get }
    /// The place where a task was begun; nil if unknown.
    func site(of task: TaskID) -> TaskSite?
}

/// The duration of a callback on the device's clock, and its limit on the real clock.
@MainActor struct Conditions {
    /// The duration on the device's clock; zero unless the test sets one.
    let span: (Callback) -> Nanoseconds
    /// The limit in seconds of real time, for code in the test's own process.
    let patience: Double
    /// Plans a call of `Endpoint.conclude(_:)` after a span.
    let plan: (CallbackID, Nanoseconds) -> Void
}

/// A message from a launch, or an observation of it.
enum Report: Sendable {
    case started
    case startFailed(errno: Int32, why: String)
    case attached(Attachment)
    case requested(AppRequest)
    case called(DelegateCall)
    case posted(LifeCycleNotification)
    case expired(TaskID)
    case logged(String)
    /// The launch broke a rule for tests; a sentence that follows the app's name.
    case misbehaved(String)
    case exited(ExitStatus)
}
