// An app with scenes in the style of Xcode's template. The app prints every callback and notification of the
// application and its scene.
import UIKit

@main
class AppDelegate: UIResponder, UIApplicationDelegate {

    func application(
        _ application: UIApplication,
        willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        Notifications.printAll()
        say(#function)
        return true
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        say(#function)
        return true
    }

    // MARK: UISceneSession Lifecycle

    func application(
        _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        say(#function)
        return UISceneConfiguration(name: "Default Configuration", sessionRole: connectingSceneSession.role)
    }

    func application(_ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>) {
        say(#function, "sessions=\(sceneSessions.count)")
    }

    // MARK: Not called in an app with scenes: the scene's delegate is called instead

    func applicationDidBecomeActive(_ application: UIApplication) { say(#function) }
    func applicationWillResignActive(_ application: UIApplication) { say(#function) }
    func applicationDidEnterBackground(_ application: UIApplication) { say(#function) }
    func applicationWillEnterForeground(_ application: UIApplication) { say(#function) }

    // MARK: Called with and without scenes

    func applicationWillTerminate(_ application: UIApplication) { say(#function) }
    func applicationDidReceiveMemoryWarning(_ application: UIApplication) { say(#function) }
    func applicationProtectedDataWillBecomeUnavailable(_ application: UIApplication) { say(#function) }
    func applicationProtectedDataDidBecomeAvailable(_ application: UIApplication) { say(#function) }
    func applicationSignificantTimeChange(_ application: UIApplication) { say(#function) }
}
