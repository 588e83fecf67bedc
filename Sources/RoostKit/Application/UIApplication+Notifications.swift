public import Foundation

/// Each is posted on the main thread, after the delegate's method of the same name has returned (section 1.2, 1).
extension UIApplication {
    /// After `application(_:didFinishLaunchingWithOptions:)`; its `userInfo` holds the launch options (T01).
    nonisolated public static let didFinishLaunchingNotification = Notification.Name(
        "UIApplicationDidFinishLaunchingNotification")
    /// After `applicationDidBecomeActive(_:)`.
    nonisolated public static let didBecomeActiveNotification = Notification.Name(
        "UIApplicationDidBecomeActiveNotification")
    /// After `applicationWillResignActive(_:)`.
    nonisolated public static let willResignActiveNotification = Notification.Name(
        "UIApplicationWillResignActiveNotification")
    /// After `applicationDidEnterBackground(_:)`.
    nonisolated public static let didEnterBackgroundNotification = Notification.Name(
        "UIApplicationDidEnterBackgroundNotification")
    /// After `applicationWillEnterForeground(_:)`.
    nonisolated public static let willEnterForegroundNotification = Notification.Name(
        "UIApplicationWillEnterForegroundNotification")
    /// After `applicationWillTerminate(_:)`.
    nonisolated public static let willTerminateNotification = Notification.Name(
        "UIApplicationWillTerminateNotification")
    /// After `applicationDidReceiveMemoryWarning(_:)` (T14).
    nonisolated public static let didReceiveMemoryWarningNotification = Notification.Name(
        "UIApplicationDidReceiveMemoryWarningNotification")
    /// After `applicationSignificantTimeChange(_:)`.
    nonisolated public static let significantTimeChangeNotification = Notification.Name(
        "UIApplicationSignificantTimeChangeNotification")
    /// After `applicationProtectedDataWillBecomeUnavailable(_:)`.
    nonisolated public static let protectedDataWillBecomeUnavailableNotification = Notification.Name(
        "UIApplicationProtectedDataWillBecomeUnavailable")
    /// After `applicationProtectedDataDidBecomeAvailable(_:)`.
    nonisolated public static let protectedDataDidBecomeAvailableNotification = Notification.Name(
        "UIApplicationProtectedDataDidBecomeAvailable")
    /// `backgroundRefreshStatus` has changed.
    nonisolated public static let backgroundRefreshStatusDidChangeNotification = Notification.Name(
        "UIApplicationBackgroundRefreshStatusDidChangeNotification")
}
