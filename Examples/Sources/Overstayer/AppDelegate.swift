// An app that breaks the rule: its task is never ended, its handler only logs. The system ends the app.
import UIKit

@main
final class AppDelegate: UIResponder, UIApplicationDelegate {

    func applicationDidEnterBackground(_ application: UIApplication) {
        let task = application.beginBackgroundTask(withName: "overstay") {
            print("time is nearly up, and nothing is done about it")
        }
        print("task \(task.rawValue) has begun, \(application.backgroundTimeRemaining) s left")
    }
}
