// An app without scenes that handles every method of its delegate and every notification, and prints a line for each:
// Apple's name for it, the state the app sees, and the background time that is left.
import UIKit

@main
final class AppDelegate: UIResponder, UIApplicationDelegate {

    // MARK: Launch

    func application(
        _ application: UIApplication,
        willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        // The battery's notifications are for those alone who ask for them.
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

    // MARK: What becomes of the device

    func applicationDidReceiveMemoryWarning(_ application: UIApplication) { say(#function) }

    func applicationProtectedDataWillBecomeUnavailable(_ application: UIApplication) {
        say(#function, "isProtectedDataAvailable=\(application.isProtectedDataAvailable)")
    }

    func applicationProtectedDataDidBecomeAvailable(_ application: UIApplication) {
        say(#function, "isProtectedDataAvailable=\(application.isProtectedDataAvailable)")
    }

    func applicationSignificantTimeChange(_ application: UIApplication) { say(#function) }

    // MARK: A finite-length task

    private var saving = UIBackgroundTaskIdentifier.invalid

    /// Two seconds of work under a task. With less time than that, the expiration handler ends it.
    private func save(_ application: UIApplication) {
        // A save that is still under way goes on, and so does its task.
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
                // Where time was up before, another save may be under way by now.
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

    // MARK: Events: without a window they come to the application, and from there to its delegate

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
