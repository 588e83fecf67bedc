import RoostKit

/// A typical manager class: no delegate, but a notification, a task, and work that takes some time.
@MainActor final class SyncManager {
    private var task = UIBackgroundTaskIdentifier.invalid
    private let forgets: Bool
    private var tokens: [any NSObjectProtocol] = []
    private(set) var synced = 0

    /// - Parameter forgets: Whether the call of `endBackgroundTask` is left out.
    init(forgets: Bool = false) { self.forgets = forgets }

    static let lineOfBegin = 25

    func register() {
        let token = NotificationCenter.default.addObserver(
            forName: UIApplication.didEnterBackgroundNotification, object: nil, queue: nil
        ) { [unowned self] _ in MainActor.assumeIsolated { sync() } }
        tokens.append(token)
    }

    func unregister() { for token in tokens { NotificationCenter.default.removeObserver(token) } }

    func sync() {
        task = UIApplication.shared.beginBackgroundTask(withName: "MyTask") { [unowned self] in end() }
        Task {
            // App: the device's clock, which the test moves.
            try await DeviceClock().sleep(for: .seconds(3))
            synced += 1
            end()
        }
    }

    private func end() {
        guard !forgets else { return }
        UIApplication.shared.endBackgroundTask(task)
        task = .invalid
    }
}
