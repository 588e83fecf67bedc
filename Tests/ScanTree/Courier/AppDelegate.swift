import UIKit

@main
class AppDelegate: UIResponder, UIApplicationDelegate {
    let uploads = UploadQueue(store: FileParcelStore(folder: FileManager.default.temporaryDirectory))

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        log("launched in \(application.applicationState.rawValue)")
        SyncManager.shared.register(uploads)
        return true
    }

    func applicationDidReceiveMemoryWarning(_ application: UIApplication) {
        uploads.dropCaches()
    }
}
