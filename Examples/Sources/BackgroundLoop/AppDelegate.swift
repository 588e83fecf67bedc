// The loop of EndlessLoop, the Swift 6 way: it goes on in the background as far as the system allows. It runs on a
// queue of its own, under a task that is begun first, looks at the time that is left, and ends the task itself before
// time is up; applicationDidEnterBackground returns at once. The compiler proves that the identifier is touched on the
// main thread alone.
import UIKit

@main
final class AppDelegate: UIResponder, UIApplicationDelegate {

    /// The expiration handler is called about five seconds before time is up: the loop is to have ended by then.
    private nonisolated static let reserve: TimeInterval = 6

    private var task = UIBackgroundTaskIdentifier.invalid

    func applicationDidEnterBackground(_ application: UIApplication) {
        // A loop that was begun earlier goes on, and so does its task: in the foreground time is without bounds.
        guard task == .invalid else { return }
        task = application.beginBackgroundTask(withName: "loop") { [weak self] in
            // Should the loop be late all the same: without a task it reads that no time is left.
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
