import UIKit

/// An app as an iOS developer has it, which knows nothing of tests: it syncs when it leaves the foreground.
@main final class AppDelegate: NSObject, UIApplicationDelegate {
    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        SyncManager.shared.register()
        return true
    }
}
