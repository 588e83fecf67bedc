public import Foundation

/// The callbacks of the app's life cycle (K005). Every method is optional and runs on the main thread. A delegate is a
/// subclass of `NSObject`, usually of `UIResponder`, and is created with `init()`.
///
/// In an app with scenes, the scene delegate's methods replace the four methods about foreground and background
/// (section 1.2, 3).
@preconcurrency @MainActor public protocol UIApplicationDelegate: NSObjectProtocol {
    /// The app's window, if the app declares one.
    var window: UIWindow? { get set }

    /// The launch has begun. `applicationState` is inactive, or background if the app is launched into the background
    /// (T01, T02).
    func application(
        _ application: UIApplication,
        willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool

    /// The launch is nearly complete. The launch watchdog runs until this method returns.
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool

    /// The app is now active: start or restart paused work.
    func applicationDidBecomeActive(_ application: UIApplication)

    /// The app is about to become inactive: pause.
    func applicationWillResignActive(_ application: UIApplication)

    /// The app is in the background: save. Must return within seconds.
    func applicationDidEnterBackground(_ application: UIApplication)

    /// The app is about to enter the foreground; `applicationDidBecomeActive(_:)` follows.
    func applicationWillEnterForeground(_ application: UIApplication)

    /// The running app is about to be terminated. Never called for a suspended app.
    func applicationWillTerminate(_ application: UIApplication)

    /// Memory is low: release everything that can be recreated, or the app may be terminated (T14).
    func applicationDidReceiveMemoryWarning(_ application: UIApplication)

    /// The device is being locked: files under complete protection are about to become unreadable (T09, R-125).
    func applicationProtectedDataWillBecomeUnavailable(_ application: UIApplication)

    /// The device was unlocked: files under complete protection are readable again (T10, R-125).
    func applicationProtectedDataDidBecomeAvailable(_ application: UIApplication)

    /// The device's clock was set.
    func applicationSignificantTimeChange(_ application: UIApplication)

    /// Returns the configuration for a session's scene; called if the session is new to this process (T01).
    func application(
        _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration

    /// The user has closed these sessions, perhaps while the app was not running (T18).
    func application(_ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>)

    /// All tasks of a background session have finished while the app was not running to receive it. Recreate the
    /// session, wait for `urlSessionDidFinishEvents(forBackgroundURLSession:)`, then call the handler once. An app that
    /// does not call the handler is terminated (R-56–R-58, K100).
    func application(
        _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
        completionHandler: @escaping () -> Void)

    /// The app may look for new content now. Call the handler once when done, within 30 seconds, from any thread
    /// . The results and the cost of an app's fetches determine when it may fetch again.
    func application(
        _ application: UIApplication,
        performFetchWithCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void)

    /// A local notification fired while the app was in the foreground and was not displayed. Or the user opened the app
    /// by tapping a local notification; the app is inactive then.
    func application(_ application: UIApplication, didReceive notification: UILocalNotification)

    /// The user has allowed these of the notification types that the app registered for.
    func application(_ application: UIApplication, didRegister notificationSettings: UIUserNotificationSettings)

    /// The app has registered for remote notifications. Providers address the app by the token, which is 32 bytes
    ///
    func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data)

    /// Registration for remote notifications failed.
    func application(
        _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error)

    /// A remote notification arrived while the app was in the foreground, or the user opened the app by tapping it. For
    /// a Newsstand app, it may also announce a download. Called only if the delegate lacks the method with a completion
    /// handler. If the notification launches the app, it is in the launch options instead.
    func application(_ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any])

    /// A remote notification arrived, or the user opened the app by tapping it. Fetch the announced content and
    /// call the handler once, within 30 seconds, from any thread.
    ///
    /// Called in the foreground. Also called in the background, if the notification has `content-available` and the app
    /// declares `remote-notification`.
    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void)
}

// Swift on Linux has no optional protocol methods: these defaults replace them.
extension UIApplicationDelegate {
    /// No window.
    public var window: UIWindow? {
        get { nil }
        set {}
    }

    /// Returns true: the launch continues.
    public func application(
        _ application: UIApplication,
        willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool { true }

    /// Returns true: the launch continues.
    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool { true }

    /// Does nothing.
    public func application(_ application: UIApplication, didReceive notification: UILocalNotification) {}

    /// Does nothing.
    public func application(
        _ application: UIApplication, didRegister notificationSettings: UIUserNotificationSettings
    ) {}

    /// Does nothing.
    public func applicationDidBecomeActive(_ application: UIApplication) {}

    /// Does nothing.
    public func applicationWillResignActive(_ application: UIApplication) {}

    /// Does nothing.
    public func applicationDidEnterBackground(_ application: UIApplication) {}

    /// Does nothing.
    public func applicationWillEnterForeground(_ application: UIApplication) {}

    /// Does nothing.
    public func applicationWillTerminate(_ application: UIApplication) {}

    /// Does nothing.
    public func applicationDidReceiveMemoryWarning(_ application: UIApplication) {}

    /// Does nothing.
    public func applicationProtectedDataWillBecomeUnavailable(_ application: UIApplication) {}

    /// Does nothing.
    public func applicationProtectedDataDidBecomeAvailable(_ application: UIApplication) {}

    /// Does nothing.
    public func applicationSignificantTimeChange(_ application: UIApplication) {}

    /// Returns the configuration from `Info.plist`.
    public func application(
        _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration { connectingSceneSession.configuration }

    /// Does nothing.
    public func application(
        _ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>
    ) {}

    /// Logs a warning and calls the handler: a delegate without this method does not need the time.
    public func application(
        _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
        completionHandler: @escaping () -> Void
    ) {
        application.session.log(
            "The events of background URLSession \(identifier) are ready, but the app delegate does not implement "
                + "application(_:handleEventsForBackgroundURLSession:completionHandler:).")
        completionHandler()
    }

    /// Logs a warning and calls the handler with `.noData`: a delegate without this method does not fetch.
    public func application(
        _ application: UIApplication,
        performFetchWithCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        application.session.log(
            "There is an opportunity for background fetch, but the app delegate does not implement "
                + "application(_:performFetchWithCompletionHandler:).")
        completionHandler(.noData)
    }

    /// The entry point of an app whose delegate carries `@main`; never returns (R-04, K002).
    public static func main() { AppRunner.run(delegate: Self.self) }

    /// Does nothing.
    public func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {}

    /// Does nothing.
    public func application(
        _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) {}

    /// Does nothing.
    public func application(_ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]) {}

    /// Calls the method without a handler if the app is in the foreground, or is a Newsstand app without
    /// `remote-notification`. It does not do so for the push that launched the app. Then reports `.noData`.
    public func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        if application.isPushForOlderMethod {
            self.application(application, didReceiveRemoteNotification: userInfo)
        }
        completionHandler(.noData)
    }
}
