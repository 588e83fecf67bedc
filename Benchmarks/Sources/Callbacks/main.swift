import RoostKit

/// Prints the times of its callbacks, on CLOCK_MONOTONIC: of its launch, of a push, of a fetch, and of a tapped
/// notification. When it leaves the foreground, it schedules a notification that is due at once.
final class AppDelegate: UIResponder, UIApplicationDelegate {
    private var isLeaving = false

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        tell("launched")
        application.registerUserNotificationSettings(UIUserNotificationSettings(types: .alert, categories: nil))
        application.registerForRemoteNotifications()
        return true
    }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        tell("pushed")
        completionHandler(.newData)
    }

    func application(
        _ application: UIApplication,
        performFetchWithCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        tell("fetching")
        completionHandler(.newData)
    }

    func application(_ application: UIApplication, didReceive notification: UILocalNotification) { tell("tapped") }

    func applicationWillResignActive(_ application: UIApplication) { isLeaving = true }

    func applicationDidEnterBackground(_ application: UIApplication) {
        guard isLeaving else { return }
        isLeaving = false
        let notification = UILocalNotification()
        notification.alertBody = "left"
        application.scheduleLocalNotification(notification)
    }

    private func tell(_ callback: String) {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        print("\(callback)=\(Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)) pid=\(getpid())")
        fflush(nil)
    }
}

AppDelegate.main()
