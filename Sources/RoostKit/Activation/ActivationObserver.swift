import Foundation

/// Hears when the app becomes active and when it is about to be inactive, from the time it is made until it is let
/// go. Keeps neither the application nor whoever asked for it alive.
@MainActor final class ActivationObserver {
    /// Whether the app is active, as far as this observer has told.
    private(set) var isActive: Bool

    private let center: NotificationCenter
    private var tokens: [any NSObjectProtocol] = []

    /// - Parameters:
    ///   - isActive: Whether the app is active now.
    ///   - center: Where the application posts its notifications.
    ///   - onChange: Hears of each change, once: within a callback of the application's it may know of the new state
    ///     already, whose notification then is no news.
    init(isActive: Bool, center: NotificationCenter, onChange: @escaping @MainActor (_ isActive: Bool) -> Void) {
        self.isActive = isActive
        self.center = center
        // Apps that a test hosts share a notification center: each hears of itself.
        let app = CurrentApp.here
        for (name, isActive) in [
            (UIApplication.didBecomeActiveNotification, true), (UIApplication.willResignActiveNotification, false),
        ] {
            // Posted on the main thread, and heard there before the callback is over.
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

    /// Hears nothing more.
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
