// The sample for a background task from Apple's guide, translated from Objective-C to Swift and otherwise unchanged.
//
// applicationDidEnterBackground begins the task with a handler that ends it, passes the work to a global queue, and
// returns at once.
import UIKit

@main
class AppDelegate: UIResponder, UIApplicationDelegate {

    var window: UIWindow?
    var bgTask: UIBackgroundTaskIdentifier = .invalid

    func applicationDidEnterBackground(_ application: UIApplication) {
        bgTask = application.beginBackgroundTask(withName: "MyTask") {
            // Clean up any unfinished task business by marking where you
            // stopped or ending the task outright.
            application.endBackgroundTask(self.bgTask)
            self.bgTask = .invalid
        }

        // Start the long-running task and return immediately.
        DispatchQueue.global(qos: .default).async {

            // Do the work associated with the task, preferably in chunks.
            for chunk in 1...5 {
                NSLog("chunk %d, %.1f s left", chunk, application.backgroundTimeRemaining)
                Thread.sleep(forTimeInterval: 0.2)
            }

            application.endBackgroundTask(self.bgTask)
            self.bgTask = .invalid
        }
    }
}
