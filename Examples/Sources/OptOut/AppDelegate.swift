// An app that does not run in the background: `UIApplicationExitsOnSuspend` in its Info.plist. Home terminates it.
import UIKit

@main
final class AppDelegate: UIResponder, UIApplicationDelegate {

    func applicationDidBecomeActive(_ application: UIApplication) {
        print("active; multitasking supported: \(UIDevice.current.isMultitaskingSupported)")
    }

    func applicationWillResignActive(_ application: UIApplication) { print("will resign active") }

    func applicationDidEnterBackground(_ application: UIApplication) { print("this is never called") }

    func applicationWillTerminate(_ application: UIApplication) { print("will terminate: the last chance to save") }
}
