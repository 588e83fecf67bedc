// A telephone. It stays connected to a SIP server by TCP, and rings also while it is suspended.
import UIKit

@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    /// The folder of `server.txt`.
    static var documents = URL(fileURLWithPath: NSHomeDirectory()).appendingPathComponent("Documents")

    private(set) var phone: Phone?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        print("launched in the \(application.applicationState == .background ? "background" : "foreground")")
        let phone = Phone(documents: Self.documents)
        self.phone = phone
        phone.line.refresh()
        application.setKeepAliveTimeout(UIMinimumKeepAliveTimeout) { phone.line.refresh() }
        return true
    }

    func applicationDidBecomeActive(_ application: UIApplication) { phone?.line.connect() }
}
