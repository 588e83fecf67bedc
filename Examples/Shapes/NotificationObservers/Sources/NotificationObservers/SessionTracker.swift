import UIKit

/// Counts visits for statistics. A user who returns within half a minute continues the same visit. The tracker follows
/// the app only through its notifications.
@MainActor final class SessionTracker {
    struct Visit: Equatable {
        var start: TimeInterval
        var end: TimeInterval?
    }

    private let now: () -> TimeInterval
    private let send: ([Visit]) -> Void
    private var observers: [any NSObjectProtocol] = []
    private(set) var visits: [Visit] = []
    private(set) var isInterrupted = false

    /// - Parameters:
    ///   - now: The current time in seconds; the system's uptime by default.
    ///   - send: Receives the finished visits.
    init(
        now: @escaping () -> TimeInterval = { ProcessInfo.processInfo.systemUptime }, send: @escaping ([Visit]) -> Void
    ) {
        self.now = now
        self.send = send
        observe(UIApplication.didBecomeActiveNotification) { $0.begin() }
        observe(UIApplication.willResignActiveNotification) { $0.isInterrupted = true }
        observe(UIApplication.didEnterBackgroundNotification) { $0.end() }
        observe(UIApplication.didReceiveMemoryWarningNotification) { $0.flush() }
        observe(UIApplication.willTerminateNotification) { $0.flush() }
    }

    isolated deinit {
        for observer in observers { NotificationCenter.default.removeObserver(observer) }
    }

    private func observe(_ name: Notification.Name, _ action: @escaping @MainActor (SessionTracker) -> Void) {
        let observer = NotificationCenter.default.addObserver(forName: name, object: nil, queue: .main) {
            [weak self] _ in
            MainActor.assumeIsolated {
                if let self { action(self) }
            }
        }
        observers.append(observer)
    }

    private func begin() {
        isInterrupted = false
        if let last = visits.last {
            guard let end = last.end else { return }
            if now() - end < 30 {
                visits[visits.count - 1].end = nil
                return
            }
        }
        visits.append(Visit(start: now()))
    }

    private func end() {
        guard !visits.isEmpty else { return }
        visits[visits.count - 1].end = now()
    }

    private func flush() {
        let over = visits.filter { $0.end != nil }
        guard !over.isEmpty else { return }
        visits.removeAll { $0.end != nil }
        send(over)
    }
}
