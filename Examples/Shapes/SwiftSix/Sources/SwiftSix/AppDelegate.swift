import UIKit

@main
final class AppDelegate: UIResponder, UIApplicationDelegate {

    private let outbox = Outbox(
        folder: FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0])

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        // On the first launch, writes a greeting to everyone in the address book.
        if outbox.count == 0 {
            for number in 1...40 { outbox.write("message \(number)") }
        }
        return true
    }

    func applicationDidEnterBackground(_ application: UIApplication) {
        outbox.sendInBackground()
    }

    func applicationProtectedDataWillBecomeUnavailable(_ application: UIApplication) {
        outbox.isLocked = true
    }

    func applicationProtectedDataDidBecomeAvailable(_ application: UIApplication) {
        outbox.isLocked = false
    }
}
