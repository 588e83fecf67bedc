// A loop in applicationDidEnterBackground that never returns. The loop runs for about five seconds; then the system
// kills the app.
import UIKit

@main
class AppDelegate: UIResponder, UIApplicationDelegate {

    var window: UIWindow?

    func applicationDidEnterBackground(_ application: UIApplication) {
        while true {
            Thread.sleep(forTimeInterval: 0.3)
            NSLog("background")
        }
    }
}
