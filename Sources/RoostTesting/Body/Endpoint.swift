import AppCore
import LifeCycleModel

/// One launch of an app, as the device's body sees it: hosted in the test's process, or a process of its own.
@MainActor protocol Endpoint: AnyObject {
    var launch: LaunchID { get }
    /// Its process, where it has one of its own.
    var process: Int32? { get }
    /// Whether it stands still.
    var isFrozen: Bool { get }
    /// When its code next wants to go on, by the device's clock.
    var nextDeadline: Nanoseconds? { get }
    /// How much memory it holds, in bytes.
    var footprint: Int64 { get }

    /// Starts it; the answer is `Body.started` or `Body.startFailed`, and `Body.attached` once it listens.
    func start()
    /// Says something to it; false where it is not there to hear it.
    func deliver(_ message: SystemMessage)
    /// A callback that was to take time is over.
    func conclude(_ callback: CallbackID)
    func freeze()
    func thaw()
    /// The device's clock has moved: what is due goes on. Says whether something did.
    func clockMoved() -> Bool
    /// SIGTERM.
    func requestExit()
    /// SIGKILL. Nothing comes from it any more.
    func kill()
    /// What it has said since, in order.
    func takeReports() -> [Report]
    /// The tasks it has begun and not ended, those that do not count yet among them.
    var openTasks: [BackgroundTask] { get }
    /// The end of what it has printed; empty where that is the test's own output.
    var lastWords: String { get }
    /// Where a task of its was begun, as far as that is known.
    func site(of task: TaskID) -> TaskSite?
}

/// What a callback takes by the device's clock, and may take by the real one.
@MainActor struct Conditions {
    /// By the device's clock; zero unless the test says otherwise.
    let span: (Callback) -> Nanoseconds
    /// In seconds of the real clock, where the test's own process runs it.
    let patience: Double
    /// Has `Endpoint.conclude(_:)` called after a span.
    let plan: (CallbackID, Nanoseconds) -> Void
}

/// What a launch says, or what is seen of it.
enum Report: Sendable {
    case started
    case startFailed(errno: Int32, why: String)
    case attached(Attachment)
    case requested(AppRequest)
    case called(DelegateCall)
    case posted(LifeCycleNotification)
    case expired(TaskID)
    case logged(String)
    /// It has done what is wrong in a test: a sentence.
    case misbehaved(String)
    case exited(ExitStatus)
}
