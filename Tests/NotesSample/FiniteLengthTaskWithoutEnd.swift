import UIKit

/// The same sample, without the two calls of `endBackgroundTask`.
class FiniteLengthTaskWithoutEnd: NSObject, UIApplicationDelegate {

    var bgTask: UIBackgroundTaskIdentifier = .invalid

    func applicationDidEnterBackground(_ application: UIApplication) {
        bgTask = application.beginBackgroundTask(withName: "MyTask") {
            // Clean up any unfinished task business.
            self.bgTask = .invalid
        }

        // Start the long-running task and return immediately.
        DispatchQueue.global().async {
            // Do the work associated with the task, preferably in chunks.
            Work.shared.doAll()

            self.bgTask = .invalid
        }
    }
}
