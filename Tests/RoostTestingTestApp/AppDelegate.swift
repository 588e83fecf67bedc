import UIKit

/// A typical app, which knows nothing of tests. The app syncs when it leaves the foreground, and writes down its
/// callbacks.
@main final class AppDelegate: NSObject, UIApplicationDelegate {
    private let manager = SyncManager()

    private func tell(_ callback: String) {
        FileHandle.standardOutput.write(Data("callback \(callback)\n".utf8))
    }

    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        tell("didFinishLaunching")
        manager.register()
        return true
    }

    func applicationDidBecomeActive(_ application: UIApplication) { tell("didBecomeActive") }
    func applicationWillResignActive(_ application: UIApplication) { tell("willResignActive") }
    func applicationDidEnterBackground(_ application: UIApplication) { tell("didEnterBackground") }
    func applicationWillEnterForeground(_ application: UIApplication) { tell("willEnterForeground") }
    func applicationWillTerminate(_ application: UIApplication) { tell("willTerminate") }
    func applicationDidReceiveMemoryWarning(_ application: UIApplication) { tell("didReceiveMemoryWarning") }
    func applicationProtectedDataWillBecomeUnavailable(_ application: UIApplication) {
        tell("protectedDataWillBecomeUnavailable")
    }
    func applicationProtectedDataDidBecomeAvailable(_ application: UIApplication) {
        tell("protectedDataDidBecomeAvailable")
    }
}
