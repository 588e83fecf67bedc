// An app without scenes that implements every delegate method and observes every notification. For each it prints a
// line with Apple's name, the app's state and the remaining background time.
import UIKit

@main
final class AppDelegate: UIResponder, UIApplicationDelegate {

    // MARK: Launch

    func application(
        _ application: UIApplication,
        willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        // The battery's notifications are posted only with monitoring on.
        UIDevice.current.isBatteryMonitoringEnabled = true
        Notifications.printAll()
        say(#function, "options=\(names(of: launchOptions))")
        return true
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        say(#function, "options=\(names(of: launchOptions))")
        return true
    }

    private func names(of options: [UIApplication.LaunchOptionsKey: Any]?) -> String {
        options.map { $0.keys.map(\.rawValue).sorted().joined(separator: ",") } ?? "nil"
    }

    // MARK: Foreground and background

    func applicationDidBecomeActive(_ application: UIApplication) { say(#function) }

    func applicationWillResignActive(_ application: UIApplication) { say(#function) }

    func applicationDidEnterBackground(_ application: UIApplication) {
        say(#function)
        save(application)
    }

    func applicationWillEnterForeground(_ application: UIApplication) { say(#function) }

    func applicationWillTerminate(_ application: UIApplication) { say(#function) }

    // MARK: Changes of the device

    func applicationDidReceiveMemoryWarning(_ application: UIApplication) { say(#function) }

    func applicationProtectedDataWillBecomeUnavailable(_ application: UIApplication) {
        say(#function, "isProtectedDataAvailable=\(application.isProtectedDataAvailable)")
    }

    func applicationProtectedDataDidBecomeAvailable(_ application: UIApplication) {
        say(#function, "isProtectedDataAvailable=\(application.isProtectedDataAvailable)")
    }

    func applicationSignificantTimeChange(_ application: UIApplication) { say(#function) }

    // MARK: A background task

    private var saving = UIBackgroundTaskIdentifier.invalid

    /// Two seconds of work under a task. With less time, the expiration handler ends the task.
    private func save(_ application: UIApplication) {
        // A running save and its task continue.
        guard saving == .invalid else { return }
        saving = application.beginBackgroundTask(withName: "save") { [self] in
            say("expirationHandler", "task=save")
            endSaving(application)
        }
        say("beginBackgroundTask(withName:expirationHandler:)", "task=save")
        let task = saving
        DispatchQueue.global().async { [self] in
            Thread.sleep(forTimeInterval: 2)
            DispatchQueue.main.async {
                // If the time was up before, another save may be running by now.
                if self.saving == task { self.endSaving(application) }
            }
        }
    }

    private func endSaving(_ application: UIApplication) {
        guard saving != .invalid else { return }
        application.endBackgroundTask(saving)
        saving = .invalid
        say("endBackgroundTask(_:)", "task=save")
    }

    // MARK: Events: without a window they go to the application, then to its delegate

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        say(#function, touches.map { "at=\($0.location(in: nil).x),\($0.location(in: nil).y)" }.joined())
    }

    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        say(#function, touches.map { "at=\($0.location(in: nil).x),\($0.location(in: nil).y)" }.joined())
    }

    override func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        say(#function, presses.compactMap(\.key).map { "key=\($0.characters.debugDescription)" }.joined())
    }

    override func pressesEnded(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        say(#function, presses.compactMap(\.key).map { "key=\($0.characters.debugDescription)" }.joined())
    }
}
