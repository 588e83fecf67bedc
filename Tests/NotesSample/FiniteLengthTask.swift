import UIKit

/// The sample of Apple's guide to background execution, in Swift and otherwise unchanged.
class FiniteLengthTask: NSObject, UIApplicationDelegate {

    var bgTask: UIBackgroundTaskIdentifier = .invalid

    func applicationDidEnterBackground(_ application: UIApplication) {
        bgTask = application.beginBackgroundTask(withName: "MyTask") {
            // Clean up any unfinished task business.
            application.endBackgroundTask(self.bgTask)
            self.bgTask = .invalid
        }

        // Start the long-running task and return immediately.
        DispatchQueue.global().async {
            // Do the work associated with the task, preferably in chunks.
            Work.shared.doAll()

            application.endBackgroundTask(self.bgTask)
            self.bgTask = .invalid
        }
    }
}
