// Two named tasks on a global queue, each ended separately. The original note ended them by name; endBackgroundTask
// takes the identifier.
import UIKit

@main
class AppDelegate: UIResponder, UIApplicationDelegate {

    var window: UIWindow?

    func applicationDidEnterBackground(_ application: UIApplication) {
        var task1 = UIBackgroundTaskIdentifier.invalid
        task1 = application.beginBackgroundTask(withName: "task1") {
            application.endBackgroundTask(task1)
            task1 = .invalid
        }

        var task2 = UIBackgroundTaskIdentifier.invalid
        task2 = application.beginBackgroundTask(withName: "task2") {
            application.endBackgroundTask(task2)
            task2 = .invalid
        }

        DispatchQueue.global().async {
            NSLog("task1 begins")
            Thread.sleep(forTimeInterval: 0.5)
            NSLog("task1 is done")
            application.endBackgroundTask(task1)
            task1 = .invalid
        }

        DispatchQueue.global().async {
            NSLog("task2 begins")
            Thread.sleep(forTimeInterval: 1)
            NSLog("task2 is done")
            application.endBackgroundTask(task2)
            task2 = .invalid
        }
    }
}
