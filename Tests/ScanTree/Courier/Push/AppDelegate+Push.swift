import UIKit

extension AppDelegate {
    func enablePush(_ application: UIApplication) {
        application.registerForRemoteNotifications()
        application.applicationIconBadgeNumber = 0
    }

    func application(
        _ application: UIApplication,
        performFetchWithCompletionHandler done: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        done(uploads.sendAll() > 0 ? .newData : .noData)
    }
}
