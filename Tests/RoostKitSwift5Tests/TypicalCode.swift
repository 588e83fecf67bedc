import RoostKit
import Testing

/// Life-cycle code as it was written for years, in Swift 5 mode with warnings as errors: that it compiles is the test.
class TypicalDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
    var bgTask: UIBackgroundTaskIdentifier = .invalid

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        NotificationCenter.default.addObserver(
            forName: UIApplication.didEnterBackgroundNotification, object: nil, queue: .main
        ) { [weak self] _ in
            self?.bgTask = .invalid
        }
        if launchOptions?[.location] != nil { print("launched for a location") }
        return launchOptions?[.remoteNotification] as? [AnyHashable: Any] == nil
    }

    func applicationDidEnterBackground(_ application: UIApplication) {
        guard UIDevice.current.isMultitaskingSupported else { return }
        bgTask = application.beginBackgroundTask {
            application.endBackgroundTask(self.bgTask)
            self.bgTask = .invalid
        }
        bgTask = application.beginBackgroundTask(withName: "MyTask") { [weak self] in
            guard let self = self else { return }
            UIApplication.shared.endBackgroundTask(self.bgTask)
            self.bgTask = UIBackgroundTaskIdentifier.invalid
        }
        bgTask = UIApplication.shared.beginBackgroundTask(withName: nil, expirationHandler: nil)
        bgTask = UIApplication.shared.beginBackgroundTask(expirationHandler: nil)
        bgTask = UIApplication.shared.beginBackgroundTask(withName: "Named", expirationHandler: { print("late") })
        DispatchQueue.global(qos: .default).async {
            // App: stands for work.
            if application.backgroundTimeRemaining > 10 { Thread.sleep(forTimeInterval: 0) }
            DispatchQueue.main.async { self.bgTask = .invalid }
            application.endBackgroundTask(self.bgTask)
        }
        DispatchQueue.global().async {
            UIApplication.shared.endBackgroundTask(self.bgTask)
            self.bgTask = .invalid
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + 1) {
            application.endBackgroundTask(self.bgTask)
        }
    }

    func applicationWillEnterForeground(_ application: UIApplication) {
        switch application.applicationState {
        case .active, .inactive: print("foreground")
        case .background: print("background")
        @unknown default: break
        }
    }

    func applicationWillTerminate(_ application: UIApplication) {
        let delegate = UIApplication.shared.delegate as? TypicalDelegate
        delegate?.window = nil
    }
}

@Suite struct TypicalCodeTests {
    @Test @MainActor func aDelegateIsMadeFromItsType() {
        let type: UIApplicationDelegate.Type = TypicalDelegate.self
        let delegate = type.init()
        #expect(delegate is TypicalDelegate)
        #expect((delegate as? TypicalDelegate)?.bgTask == .invalid)
    }
}
