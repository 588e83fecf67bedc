import Foundation

/// An observer that reports each time the app becomes active or is about to become inactive, until it is released or
/// stopped. It retains neither the application nor its owner.
@MainActor final class ActivationObserver {
    /// The app's activity as last reported by this observer.
    private(set) var isActive: Bool

    private let center: NotificationCenter
    private var tokens: [any NSObjectProtocol] = []

    /// - Parameters:
    ///   - isActive: Whether the app is active now.
    ///   - center: The center to which the application posts its notifications.
    ///   - onChange: Called once for each change. Within a callback, the application may already have its new state;
    ///     the notification that follows is then not reported.
    init(isActive: Bool, center: NotificationCenter, onChange: @escaping @MainActor (_ isActive: Bool) -> Void) {
        self.isActive = isActive
        self.center = center
        // Apps that a test hosts share one notification center: each observer reacts only to its own app.
        let app = CurrentApp.here
        for (name, isActive) in [
            (UIApplication.didBecomeActiveNotification, true), (UIApplication.willResignActiveNotification, false),
        ] {
            // Without a queue, the block runs on the posting thread: the main thread, before the callback is over.
            let token = center.addObserver(forName: name, object: nil, queue: nil) { [weak self] _ in
                MainActor.assumeIsolated {
                    guard let self, self.isActive != isActive, CurrentApp.here === app else { return }
                    self.isActive = isActive
                    onChange(isActive)
                }
            }
            tokens.append(token)
        }
    }

    /// Removes the observers from the notification center.
    func stop() {
        for token in tokens { center.removeObserver(token) }
        tokens = []
    }

    isolated deinit { stop() }
}

extension UIApplication {
    /// Whether the app is active; false before `UIApplicationMain`.
    static var isActive: Bool { instance?.applicationState == .active }
}
