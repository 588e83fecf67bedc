public import Foundation
import LifeCycleModel
import Synchronization

extension ProcessInfo {
    /// Runs work that should finish even if the app leaves the foreground.
    ///
    /// `block(false)` runs on a private queue under a background task, which ends when the block returns. If time runs
    /// out first, `block(true)` runs at the same time on another thread; it must make the first call return soon. If
    /// the app gets no background time, or time runs out before the block has begun, only `block(true)` is called.
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

    private struct State {
        /// The open task; nil once the activity has returned or expired.
        var task: TaskID?
        /// Whether `block(false)` has begun, or may not begin any more.
        var isBegun = false
    }

    private let state = Mutex(State())
    private let block: @Sendable (Bool) -> Void
    private let queue: DispatchQueue

    init(on queue: DispatchQueue = ExpiringActivity.queue, _ block: @escaping @Sendable (Bool) -> Void) {
        self.queue = queue
        self.block = block
    }

    func begin(reason: String, in session: any TaskGranting) {
        // A refused task may expire before its identifier is known: hold the lock until the identifier is stored.
        let isGranted = state.withLock { state in
            let id = session.beginTask(name: TaskName.shortened(reason)) { self.expire(in: session) }
            guard id != .invalid else { return false }
            state.task = TaskID(Int64(id.rawValue))
            return true
        }
        queue.async { [self] in
            // Time may have expired before a thread was free for the block.
            guard takeBeginning() else { return }
            block(!isGranted)
            end(in: session)
        }
    }

    /// Time is up. The main thread must not wait for the block, because the block may wait for the main thread.
    private func expire(in session: any TaskGranting) {
        queue.async { [self] in
            guard state.withLock({ $0.task != nil }) else { return }
            _ = takeBeginning()
            block(true)
            end(in: session)
        }
    }

    /// Whether the block may begin now; false from the second call on.
    private func takeBeginning() -> Bool {
        state.withLock { state in
            defer { state.isBegun = true }
            return !state.isBegun
        }
    }

    private func end(in session: any TaskGranting) {
        if let id = state.withLock({ $0.task.take() }) { session.endTask(id) }
    }
}
