import UIKit

/// Every notification that Counter prints, with its short name.
@MainActor enum Notices {
    static let all: [(name: Notification.Name, short: String)] = [
        (UIApplication.didFinishLaunchingNotification, "didFinishLaunching"),
        (UIApplication.didBecomeActiveNotification, "didBecomeActive"),
        (UIApplication.willResignActiveNotification, "willResignActive"),
        (UIApplication.didEnterBackgroundNotification, "didEnterBackground"),
        (UIApplication.willEnterForegroundNotification, "willEnterForeground"),
        (UIApplication.willTerminateNotification, "willTerminate"),
        (UIApplication.didReceiveMemoryWarningNotification, "didReceiveMemoryWarning"),
        (UIApplication.significantTimeChangeNotification, "significantTimeChange"),
        (UIApplication.protectedDataWillBecomeUnavailableNotification, "protectedDataWillBecomeUnavailable"),
        (UIApplication.protectedDataDidBecomeAvailableNotification, "protectedDataDidBecomeAvailable"),
        (UIApplication.backgroundRefreshStatusDidChangeNotification, "backgroundRefreshStatusDidChange"),
        (UIDevice.batteryStateDidChangeNotification, "batteryStateDidChange"),
        (UIDevice.batteryLevelDidChangeNotification, "batteryLevelDidChange"),
        (.NSProcessInfoPowerStateDidChange, "powerStateDidChange"),
        (UIScene.willConnectNotification, "sceneWillConnect"),
        (UIScene.didDisconnectNotification, "sceneDidDisconnect"),
        (UIScene.didActivateNotification, "sceneDidActivate"),
        (UIScene.willDeactivateNotification, "sceneWillDeactivate"),
        (UIScene.willEnterForegroundNotification, "sceneWillEnterForeground"),
        (UIScene.didEnterBackgroundNotification, "sceneDidEnterBackground"),
    ]
}
