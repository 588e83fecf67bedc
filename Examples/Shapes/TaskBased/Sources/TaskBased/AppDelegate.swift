import UIKit

@main
final class AppDelegate: UIResponder, UIApplicationDelegate {

    private let prefetcher = Prefetcher(
        store: ArticleStore(
            folder: FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0]))
    private var statistics: Task<Void, Never>?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        statistics = Task {
            let center = NotificationCenter.default
            for await _ in center.notifications(named: UIApplication.didEnterBackgroundNotification) {
                // No background task covers this work.
                try? await Task.sleep(for: .seconds(40))
                print("statistics")
            }
        }
        return true
    }

    func applicationDidEnterBackground(_ application: UIApplication) {
        prefetcher.prefetch(1...20)
    }
}
