public import Foundation
import LifeCycleModel
import Synchronization

extension ProcessInfo {
    /// Runs work that should finish even if the app leaves the foreground.
    ///
    /// `block(false)` runs on a private queue under a background task, which ends when the block returns. If time runs
    /// out first, `block(true)` runs at the same time on another thread; it must make the first call return soon. If
    /// the app gets no background time, only `block(true)` is called.
    ///
    /// - Parameters:
    ///   - reason: A name for logs and `roost ps`.
    ///   - block: The work. The argument is true if the work must stop or must not begin.
    public func performExpiringActivity(withReason reason: String, using block: @escaping @Sendable (Bool) -> Void) {
        ExpiringActivity(block).begin(reason: reason, in: AppSession.current)
    }

    /// Whether the device is in Low Power Mode; false before the app's session has begun.
    public var isLowPowerModeEnabled: Bool { AppSession.running?.facts.isLowPowerModeEnabled ?? false }
}

extension Notification.Name {
    /// Posted when `ProcessInfo.isLowPowerModeEnabled` has changed.
    public static let NSProcessInfoPowerStateDidChange = Notification.Name(
        "NSProcessInfoPowerStateDidChangeNotification")
}

/// An object that begins and ends background tasks.
protocol TaskGranting: Sendable {
    func beginTask(
        name: String, handler: (@MainActor @Sendable () -> Void)?
    ) -> UIBackgroundTaskIdentifier
    func endTask(_ id: TaskID)
}

extension AppSession: TaskGranting {}

/// One activity, from its beginning until its block returns or its time expires.
final class ExpiringActivity: Sendable {
    private static let queue = DispatchQueue(label: "expiring activities", attributes: .concurrent)

    /// The open task; nil once the activity has returned or expired.
    private let task = Mutex<TaskID?>(nil)
    private let block: @Sendable (Bool) -> Void

    init(_ block: @escaping @Sendable (Bool) -> Void) { self.block = block }

    func begin(reason: String, in session: any TaskGranting) {
        // A refused task may expire before its identifier is known: hold the lock until the identifier is stored.
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

    /// Time is up. The main thread must not wait for the block, because the block may wait for the main thread.
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
