// The loop that never returns from applicationDidEnterBackground: it runs for about five seconds, then the system
// ends the app.
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
