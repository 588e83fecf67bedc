// The alarm from Apple's guide on background execution, translated from Objective-C to Swift. The only change: it fires
// a few seconds after the app has left the screen.
import UIKit

@main
class AppDelegate: UIResponder, UIApplicationDelegate {

    var window: UIWindow?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        application.registerUserNotificationSettings(
            UIUserNotificationSettings(types: [.alert, .sound], categories: nil))
        if let alarm = launchOptions?[.localNotification] as? UILocalNotification {
            NSLog("launched by the alarm: \(alarm.alertBody ?? "")")
        }
        return true
    }

    func applicationDidEnterBackground(_ application: UIApplication) {
        scheduleAlarm(for: Date(timeIntervalSinceNow: 3))
    }

    func application(_ application: UIApplication, didReceive notification: UILocalNotification) {
        NSLog("the alarm: \(notification.alertBody ?? "")")
    }

    func scheduleAlarm(for date: Date) {
        let app = UIApplication.shared
        let oldNotifications = app.scheduledLocalNotifications ?? []

        // Clear out the old notification before scheduling a new one.
        if !oldNotifications.isEmpty {
            app.cancelAllLocalNotifications()
        }

        // Create a new notification.
        let alarm = UILocalNotification()
        alarm.fireDate = date
        alarm.timeZone = NSTimeZone.default
        alarm.repeatInterval = []
        alarm.soundName = "alarmsound.caf"
        alarm.alertBody = "Time to wake up!"

        app.scheduleLocalNotification(alarm)
    }
}
