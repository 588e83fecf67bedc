import AppCore
import LifeCycleModel
import RoostKit

/// A launch whose code runs in the test's process.
///
/// Such code can be neither frozen nor killed. The reports of code that continues to run are held back until the app is
/// thawed, and ignored after the app's end.
@MainActor final class HostedEndpoint: Endpoint, AppHost {
    let launch: LaunchID
    var process: Int32? { nil }
    let footprint: Int64 = 64 << 20

    private let mailbox: Mailbox
    private let runner: AppRunner
    private let conditions: Conditions
    private var reports: [Report] = []
    private var callbacks: [CallbackID: Callback] = [:]
    private(set) var isFrozen = false
    private var isOver = false

    init(
        launch: LaunchID, context: LaunchContext, code: HostedCode, container: String, clock: SharedClock,
        conditions: Conditions
    ) {
        self.launch = launch
        self.conditions = conditions
        mailbox = Mailbox(clock: clock, container: container)
        runner = AppRunner(session: AppSession(context: context, link: mailbox), code: code)
        runner.host = self
    }

    func start() {
        reports.append(.started)
        watched(.launch(.user)) { runner.begin() }
        reports.append(.attached(runner.session.attachment))
    }

    func deliver(_ message: SystemMessage) {
        guard !isOver else { return }
        if case .callback(let id, let callback) = message {
            callbacks[id] = callback
            watched(callback) { runner.receive(message) }
        } else {
            runner.receive(message)
        }
    }

    func conclude(_ callback: CallbackID) {
        guard !isOver else { return }
        runner.finish(callback)
    }

    func freeze() { isFrozen = true }

    func thaw() { isFrozen = false }

    var lastWords: String { "" }

    /// The app's current delegate; nil before the launch.
    var delegate: (any UIApplicationDelegate)? { runner.delegate }

    var nextDeadline: Nanoseconds? { isFrozen || isOver ? nil : mailbox.nextDeadline }

    func clockMoved() -> Bool { isFrozen || isOver ? false : mailbox.wake() }

    func requestExit() { exit() }

    func kill() {
        isOver = true
        runner.end()
        mailbox.end()
    }

    func takeReports() -> [Report] {
        collect()
        defer { reports = [] }
        return reports
    }

    var openTasks: [BackgroundTask] { runner.session.openTasks }

    func site(of task: TaskID) -> TaskSite? { mailbox.site(of: task) }

    /// Collects the app's requests behind the callbacks that caused them. While the app is suspended, nothing is
    /// collected, because its code would not be running.
    private func collect() {
        guard !isFrozen else { return }
        reports += mailbox.takeLines().map { .logged($0) }
        reports += mailbox.takeRequests().map { .requested($0) }
    }

    /// Runs an app's code that must return soon on the real clock.
    private func watched(_ callback: Callback, _ code: () -> Void) {
        guard !HangWatch.run(callback.name, patience: conditions.patience, code) else { return }
        reports.append(
            .misbehaved(
                "has not returned from \(callback.name) within \(conditions.patience) s of real time; for a callback that "
                    + "takes long on the device's clock, use device.whileHandling(_:takes:)"))
    }

    // MARK: AppHost

    func willCall(_ call: DelegateCall) {
        collect()
        reports.append(.called(call))
    }

    func willPost(_ notification: LifeCycleNotification) {
        collect()
        reports.append(.posted(notification))
    }

    func willExpire(_ task: TaskID) {
        collect()
        reports.append(.expired(task))
    }

    func hasReturned(_ callback: CallbackID) -> Bool {
        guard let kind = callbacks[callback] else { return true }
        let span = conditions.span(kind)
        guard span > .zero else { return true }
        conditions.plan(callback, span)
        return false
    }

    func exit() {
        collect()
        kill()
        reports.append(.exited(.exited(code: 0)))
    }
}
