public import Foundation
import LifeCycleModel
import Synchronization

extension ProcessInfo {
    /// Does something that should be finished also if the app leaves the foreground meanwhile.
    ///
    /// `block(false)` runs on a queue of its own, under a background task, which ends when it returns. If time runs
    /// out before that, `block(true)` is called beside it, on another thread, and has to see to it that the first
    /// call returns soon. Where there is no background time at all, `block(true)` alone is called.
    ///
    /// - Parameters:
    ///   - reason: A name for logs and `roost ps`.
    ///   - block: What to do; true if it has to stop or must not begin.
    public func performExpiringActivity(withReason reason: String, using block: @escaping @Sendable (Bool) -> Void) {
        ExpiringActivity(block).begin(reason: reason, in: AppSession.current)
    }

    /// Whether the device saves power.
    public var isLowPowerModeEnabled: Bool { AppSession.running?.facts.isLowPowerModeEnabled ?? false }
}

extension Notification.Name {
    /// `ProcessInfo.isLowPowerModeEnabled` has changed.
    public static let NSProcessInfoPowerStateDidChange = Notification.Name(
        "NSProcessInfoPowerStateDidChangeNotification")
}

/// Where finite-length tasks are begun and ended.
protocol TaskGranting: Sendable {
    func beginTask(
        name: String, handler: (@MainActor @Sendable () -> Void)?
    ) -> UIBackgroundTaskIdentifier
    func endTask(_ id: TaskID)
}

extension AppSession: TaskGranting {}

/// One activity, from its beginning until it has returned or expired.
final class ExpiringActivity: Sendable {
    private static let queue = DispatchQueue(label: "expiring activities", attributes: .concurrent)

    /// The task while it is open; what ends it first takes it.
    private let task = Mutex<TaskID?>(nil)
    private let block: @Sendable (Bool) -> Void

    init(_ block: @escaping @Sendable (Bool) -> Void) { self.block = block }

    func begin(reason: String, in session: any TaskGranting) {
        // A task that is refused expires before anything else can be known of it: the lock is held until it is.
        let isGranted = task.withLock { task in
            let id = session.beginTask(name: TaskName.shortened(reason)) { self.expire(in: session) }
            guard id != .invalid else { return false }
            task = TaskID(Int64(id.rawValue))
            return true
        }
        Self.queue.async { [self] in
            block(!isGranted)
            end(in: session)
        }
    }

    /// Time is up: the main thread does not wait for the block, which may wait for the main thread.
    private func expire(in session: any TaskGranting) {
        Self.queue.async { [self] in
            guard task.withLock({ $0 != nil }) else { return }
            block(true)
            end(in: session)
        }
    }

    private func end(in session: any TaskGranting) {
        if let id = task.withLock({ $0.take() }) { session.endTask(id) }
    }
}
