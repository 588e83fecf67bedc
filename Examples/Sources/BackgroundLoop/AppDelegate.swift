// The loop of EndlessLoop in modern Swift 6 style: it continues in the background as long as the system allows.
//
// The loop runs on its own queue, under a task that is begun first. The loop checks the remaining time and ends the
// task before time is up; applicationDidEnterBackground returns at once. The compiler proves that only the main thread
// uses the task's identifier.
import UIKit

@main
final class AppDelegate: UIResponder, UIApplicationDelegate {

    /// The expiration handler is called about five seconds before time is up. The loop should have ended by then.
    private nonisolated static let reserve: TimeInterval = 6

    private var task = UIBackgroundTaskIdentifier.invalid

    func applicationDidEnterBackground(_ application: UIApplication) {
        // An earlier loop and its task continue: in the foreground, time is unlimited.
        guard task == .invalid else { return }
        task = application.beginBackgroundTask(withName: "loop") { [weak self] in
            // If the loop is still late: without a task, it reads that no time is left.
            self?.endTask(in: application)
        }
        guard task != .invalid else { return }
        DispatchQueue.global().async {
            while application.backgroundTimeRemaining > Self.reserve {
                Thread.sleep(forTimeInterval: 0.3)
                NSLog("background")
            }
            NSLog("time is nearly up")
            DispatchQueue.main.async { self.endTask(in: application) }
        }
    }

    private func endTask(in application: UIApplication) {
        guard task != .invalid else { return }
        application.endBackgroundTask(task)
        task = .invalid
    }
}
