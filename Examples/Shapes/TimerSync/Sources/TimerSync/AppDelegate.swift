import UIKit

@main
class AppDelegate: UIResponder, UIApplicationDelegate {

    let poller = ScorePoller(interval: 60)

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        poller.start()
        return true
    }

    func applicationDidEnterBackground(_ application: UIApplication) {
        // Nobody looks at the scores now. The timer is left as it is: it stands still with the app.
        poller.flush()
    }
}
