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
        // The scores are not visible now. The timer is not invalidated: it stops while the app is suspended.
        poller.flush()
    }
}
