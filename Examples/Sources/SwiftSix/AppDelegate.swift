// The samples FiniteLengthObjC and TwoTasks in modern Swift 6 style. The compiler proves that only the main thread uses
// the tasks' identifiers.
import UIKit

@main
final class AppDelegate: UIResponder, UIApplicationDelegate {

    private var open: [String: UIBackgroundTaskIdentifier] = [:]

    func applicationDidEnterBackground(_ application: UIApplication) {
        run("MyTask", for: 1, in: application)
        run("task1", for: 0.5, in: application)
        run("task2", for: 1, in: application)
    }

    private func run(_ name: String, for seconds: TimeInterval, in application: UIApplication) {
        open[name] = application.beginBackgroundTask(withName: name) { [weak self] in
            self?.end(name, in: application)
        }
        DispatchQueue.global().async {
            NSLog("%@ begins, %.1f s left", name, application.backgroundTimeRemaining)
            Thread.sleep(forTimeInterval: seconds)
            NSLog("%@ is done", name)
            DispatchQueue.main.async { self.end(name, in: application) }
        }
    }

    private func end(_ name: String, in application: UIApplication) {
        guard let task = open.removeValue(forKey: name) else { return }
        application.endBackgroundTask(task)
    }
}
