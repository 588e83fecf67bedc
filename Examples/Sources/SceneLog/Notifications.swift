import UIKit

/// The notifications of the application, its scene and its window, with Apple's names.
@MainActor enum Notifications {
    /// Prints each notification when it is posted: a scene's after its delegate's method, the application's after the
    /// scene's.
    static func printAll() {
        for (name, title) in all {
            NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in
                MainActor.assumeIsolated { say(title) }
            }
        }
    }

    private static let all: [(Notification.Name, String)] = [
        (UIApplication.didFinishLaunchingNotification, "UIApplication.didFinishLaunchingNotification"),
        (UIApplication.didBecomeActiveNotification, "UIApplication.didBecomeActiveNotification"),
        (UIApplication.willResignActiveNotification, "UIApplication.willResignActiveNotification"),
        (UIApplication.didEnterBackgroundNotification, "UIApplication.didEnterBackgroundNotification"),
        (UIApplication.willEnterForegroundNotification, "UIApplication.willEnterForegroundNotification"),
        (UIApplication.willTerminateNotification, "UIApplication.willTerminateNotification"),
        (UIApplication.didReceiveMemoryWarningNotification, "UIApplication.didReceiveMemoryWarningNotification"),
        (UIApplication.significantTimeChangeNotification, "UIApplication.significantTimeChangeNotification"),
        (
            UIApplication.protectedDataWillBecomeUnavailableNotification,
            "UIApplication.protectedDataWillBecomeUnavailableNotification"
        ),
        (
            UIApplication.protectedDataDidBecomeAvailableNotification,
            "UIApplication.protectedDataDidBecomeAvailableNotification"
        ),
        (
            UIApplication.backgroundRefreshStatusDidChangeNotification,
            "UIApplication.backgroundRefreshStatusDidChangeNotification"
        ),
        (UIScene.willConnectNotification, "UIScene.willConnectNotification"),
        (UIScene.didDisconnectNotification, "UIScene.didDisconnectNotification"),
        (UIScene.didActivateNotification, "UIScene.didActivateNotification"),
        (UIScene.willDeactivateNotification, "UIScene.willDeactivateNotification"),
        (UIScene.willEnterForegroundNotification, "UIScene.willEnterForegroundNotification"),
        (UIScene.didEnterBackgroundNotification, "UIScene.didEnterBackgroundNotification"),
        (UIWindow.didBecomeVisibleNotification, "UIWindow.didBecomeVisibleNotification"),
        (UIWindow.didBecomeKeyNotification, "UIWindow.didBecomeKeyNotification"),
    ]
}
