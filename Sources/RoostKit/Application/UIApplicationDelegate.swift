public import Foundation

/// What an app does at the transitions of its life cycle (K005). Every method may be left out, and runs on the main
/// thread. A delegate is a subclass of `NSObject`, most often of `UIResponder`, and is made by its `init()`.
///
/// In an app with scenes the four methods about foreground and background are not called: the scene's delegate's are
/// instead (section 1.2, 3).
@preconcurrency @MainActor public protocol UIApplicationDelegate: NSObjectProtocol {
    /// The window, in apps whose template declares one.
    var window: UIWindow? { get set }

    /// The launch has begun; `applicationState` is inactive or, in a launch to the background, background (T01, T02).
    func application(
        _ application: UIApplication,
        willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool

    /// The launch is nearly over: the launch watchdog runs until this returns.
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool

    /// The app is active now: start or restart what was paused.
    func applicationDidBecomeActive(_ application: UIApplication)

    /// The app is about to be inactive: pause.
    func applicationWillResignActive(_ application: UIApplication)

    /// The app is in the background: save; has to return within seconds.
    func applicationDidEnterBackground(_ application: UIApplication)

    /// The app is about to leave the background; `applicationDidBecomeActive(_:)` follows.
    func applicationWillEnterForeground(_ application: UIApplication)

    /// The app is about to be ended while it runs; never called in suspension.
    func applicationWillTerminate(_ application: UIApplication)

    /// Memory is short: drop what can be made anew, or be ended (T14).
    func applicationDidReceiveMemoryWarning(_ application: UIApplication)

    /// The device is being locked: files under complete protection cannot be read from now on (T09, R-125).
    func applicationProtectedDataWillBecomeUnavailable(_ application: UIApplication)

    /// The device was unlocked: files under complete protection can be read again (T10, R-125).
    func applicationProtectedDataDidBecomeAvailable(_ application: UIApplication)

    /// The clock was set.
    func applicationSignificantTimeChange(_ application: UIApplication)

    /// How to make the scene of a session that is new to this process (T01).
    func application(
        _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration

    /// The user has closed these sessions, perhaps while the app was not running (T18).
    func application(_ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>)

    /// All tasks of a background session are done, and the app was not there to hear it: make the session again, wait for
    /// `urlSessionDidFinishEvents(forBackgroundURLSession:)`, and then call the handler, once. An app that does not call it
    /// is ended (R-56–R-58, K100).
    func application(
        _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
        completionHandler: @escaping () -> Void)

    /// An opportunity to look for new content: call the handler when that is done, once, and within 30 seconds. What
    /// the fetches of an app bring and cost is taken into account when it has the next. The handler may be called on any
    /// thread.
    func application(
        _ application: UIApplication,
        performFetchWithCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void)

    /// One of the app's notifications has fired while the app was in front, which nobody was told of; or the user opened
    /// the app by it, which is inactive then.
    func application(_ application: UIApplication, didReceive notification: UILocalNotification)

    /// What the user lets the app show, of what it has registered for.
    func application(_ application: UIApplication, didRegister notificationSettings: UIUserNotificationSettings)

    /// The app has registered for remote notifications; the token, 32 bytes, is what providers name it by.
    func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data)

    /// The app has not been registered, for this.
    func application(
        _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error)

    /// A remote notification came while the app is in front, or the user has opened the app by it, or it is for a download of
    /// an app of Newsstand: one that is launched for it has it among its launch options instead. Called only where the delegate
    /// lacks the method with a completion handler.
    func application(_ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any])

    /// A remote notification came, in front or, where it has `content-available` and the app declares `remote-notification`,
    /// behind, or the user has opened the app by it: call the handler when what it tells of is got, once, and within 30 seconds
    /// . The handler may be called on any thread.
    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void)
}

// Swift on Linux has no optional methods of protocols: defaults stand in for those left out.
extension UIApplicationDelegate {
    /// No window.
    public var window: UIWindow? {
        get { nil }
        set {}
    }

    /// Goes on with the launch.
    public func application(
        _ application: UIApplication,
        willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool { true }

    /// Goes on with the launch.
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

    /// As `Info.plist` says.
    public func application(
        _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration { connectingSceneSession.configuration }

    /// Does nothing.
    public func application(
        _ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>
    ) {}

    /// Calls the handler: whoever does not know what to do with the events has no use for the time.
    public func application(
        _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
        completionHandler: @escaping () -> Void
    ) {
        application.session.log(
            "The events of background URLSession \(identifier) are ready, but the app delegate does not implement "
                + "application(_:handleEventsForBackgroundURLSession:completionHandler:).")
        completionHandler()
    }

    /// Calls the handler: there is nobody to look for anything.
    public func application(
        _ application: UIApplication,
        performFetchWithCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        application.session.log(
            "There is an opportunity for background fetch, but the app delegate does not implement "
                + "application(_:performFetchWithCompletionHandler:).")
        completionHandler(.noData)
    }

    /// What `@main` on a delegate runs (R-04, K002).
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

    /// Calls the method without a handler where the app is in front, or is of Newsstand, and was not launched for it, and says
    /// that there was nothing to get.
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
