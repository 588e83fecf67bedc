// An app that breaks the rules: it never ends its task, and the handler only logs. The system kills the app.
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
