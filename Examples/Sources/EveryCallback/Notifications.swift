import UIKit

/// Every notification that an app without scenes gets, with Apple's name.
@MainActor enum Notifications {
    /// Prints each notification when it is posted: after the matching delegate method.
    static func printAll() {
        for (name, title) in plain { observe(name, title) { "" } }
        observe(
            UIApplication.backgroundRefreshStatusDidChangeNotification,
            "UIApplication.backgroundRefreshStatusDidChangeNotification"
        ) { "backgroundRefreshStatus=\(UIApplication.shared.backgroundRefreshStatus)" }
        observe(.NSProcessInfoPowerStateDidChange, "NSProcessInfoPowerStateDidChange") {
            "isLowPowerModeEnabled=\(ProcessInfo.processInfo.isLowPowerModeEnabled)"
        }
        observe(UIDevice.batteryStateDidChangeNotification, "UIDevice.batteryStateDidChangeNotification") {
            "batteryState=\(UIDevice.current.batteryState)"
        }
        observe(UIDevice.batteryLevelDidChangeNotification, "UIDevice.batteryLevelDidChangeNotification") {
            "batteryLevel=\(UIDevice.current.batteryLevel)"
        }
    }

    private static let plain: [(Notification.Name, String)] = [
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
    ]

    private static func observe(
        _ name: Notification.Name, _ title: String, _ more: @escaping @MainActor @Sendable () -> String
    ) {
        NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in
            MainActor.assumeIsolated { say(title, more()) }
        }
    }
}
