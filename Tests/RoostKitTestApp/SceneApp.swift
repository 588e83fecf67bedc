import RoostKit

@MainActor func say(_ what: String) { print("\(what) \(UIApplication.shared.applicationState)") }

/// An app with scenes that prints its callbacks. Like most delegates, it is open to subclasses and has its own `init`.
class SceneAppDelegate: UIResponder, UIApplicationDelegate {
    private let doing = ProcessInfo.processInfo.environment["TEST_BACKGROUND"] ?? "nothing"

    override init() {
        super.init()
        print("init")
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        UIDevice.current.isBatteryMonitoringEnabled = doing == "battery"
        observe()
        say("didFinishLaunching \(launchOptions == nil ? "without" : "with") options")
        // A task of any kind causes one wake-up a second from then on, which is due to Swift on Linux.
        guard doing != "idle" else { return true }
        Task {
            for await phase in application.scenePhases { print("phase \(phase)") }
        }
        return true
    }

    func application(
        _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        let role = connectingSceneSession.role
        let configuration = UISceneConfiguration(name: "Default Configuration", sessionRole: role)
        say("configurationForConnecting \(configuration.delegateClass.map { "\($0)" } ?? "none")")
        if configuration.delegateClass == nil { configuration.delegateClass = TestSceneDelegate.self }
        return configuration
    }

    func application(_ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>) {
        let identifiers = sceneSessions.map { $0.persistentIdentifier.suffix(2) }.sorted()
        say("didDiscard \(identifiers.joined(separator: " ")), \(application.openSessions.count) left")
    }

    func applicationDidReceiveMemoryWarning(_ application: UIApplication) { say("memory warning") }

    func applicationProtectedDataWillBecomeUnavailable(_ application: UIApplication) {
        say("protected data will go, \(application.isProtectedDataAvailable)")
    }

    func applicationProtectedDataDidBecomeAvailable(_ application: UIApplication) { say("protected data is back") }
    func applicationSignificantTimeChange(_ application: UIApplication) { say("time change") }

    // In an app with scenes, none of these methods is called.
    func applicationDidBecomeActive(_ application: UIApplication) { say("application active") }
    func applicationWillResignActive(_ application: UIApplication) { say("application inactive") }
    func applicationDidEnterBackground(_ application: UIApplication) { say("application background") }
    func applicationWillEnterForeground(_ application: UIApplication) { say("application foreground") }

    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) { say("delegate touchesEnded") }

    private func observe() {
        let names: [Notification.Name] = [
            UIApplication.didBecomeActiveNotification, UIApplication.willResignActiveNotification,
            UIApplication.didEnterBackgroundNotification, UIApplication.willEnterForegroundNotification,
            UIApplication.didReceiveMemoryWarningNotification, UIApplication.significantTimeChangeNotification,
            UIApplication.protectedDataWillBecomeUnavailableNotification,
            UIApplication.protectedDataDidBecomeAvailableNotification,
            UIApplication.backgroundRefreshStatusDidChangeNotification,
            .NSProcessInfoPowerStateDidChange, UIDevice.batteryStateDidChangeNotification,
            UIDevice.batteryLevelDidChangeNotification,
            UIScene.willConnectNotification, UIScene.didDisconnectNotification, UIScene.didActivateNotification,
            UIScene.willDeactivateNotification, UIScene.willEnterForegroundNotification,
            UIScene.didEnterBackgroundNotification,
        ]
        for name in names {
            NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { note in
                // The object is not Sendable, so only its type is passed on.
                let isScene = note.object is UIScene
                MainActor.assumeIsolated { say("note \(name.rawValue)\(isScene ? " of a scene" : "")") }
            }
        }
    }
}

/// Prints the events of the scene, and gives it a window.
class TestSceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let windowScene = scene as? UIWindowScene else { return }
        say("willConnect \(scene.activationState), \(UIApplication.shared.connectedScenes.count) connected")
        let window = UIWindow(windowScene: windowScene)
        window.rootViewController = TestController()
        window.makeKeyAndVisible()
        self.window = window
    }

    func sceneDidDisconnect(_ scene: UIScene) { tell("sceneDidDisconnect", scene) }
    func sceneDidBecomeActive(_ scene: UIScene) {
        tell("sceneDidBecomeActive", scene)
        guard ProcessInfo.processInfo.environment["TEST_BACKGROUND"] == "requests" else { return }
        let application = UIApplication.shared
        application.isIdleTimerDisabled = true
        application.requestSceneSessionActivation(scene.session, userActivity: nil, options: nil) { error in
            say("refused its own: \(error)")
        }
        application.requestSceneSessionActivation(nil, userActivity: nil, options: nil) { error in
            say("refused another: \((error as? UISceneError).map { "\($0.code)" } ?? "")")
        }
        application.requestSceneSessionDestruction(scene.session, options: nil) { error in
            say("refused to close: \((error as? UISceneError).map { "\($0.code)" } ?? "")")
        }
    }
    func sceneWillResignActive(_ scene: UIScene) { tell("sceneWillResignActive", scene) }
    func sceneWillEnterForeground(_ scene: UIScene) { tell("sceneWillEnterForeground", scene) }
    func sceneDidEnterBackground(_ scene: UIScene) { tell("sceneDidEnterBackground", scene) }

    private func tell(_ what: String, _ scene: UIScene) { say("\(what) \(scene.activationState)") }

    deinit { print("scene delegate gone") }
}

class TestController: UIViewController {
    override func viewDidLoad() {
        super.viewDidLoad()
        say("viewDidLoad")
        let child = TestView(frame: CGRect(x: 100, y: 200, width: 50, height: 50))
        view.addSubview(child)
        child.becomeFirstResponder()
    }

    override func viewWillAppear(_ animated: Bool) { say("viewWillAppear") }
    override func viewDidAppear(_ animated: Bool) {
        view.subviews.first?.becomeFirstResponder()
        say("viewDidAppear")
    }
    override func viewWillDisappear(_ animated: Bool) { say("viewWillDisappear") }
    override func didReceiveMemoryWarning() { say("controller memory warning") }

    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        say("controller touchesEnded")
        super.touchesEnded(touches, with: event)
    }
}

/// Accepts touches, passes their end on, and accepts text.
class TestView: UIView, UIKeyInput {
    private var text = ""

    override var canBecomeFirstResponder: Bool { true }

    var hasText: Bool { !text.isEmpty }

    func insertText(_ text: String) {
        self.text += text
        say("text \(self.text)")
    }

    func deleteBackward() {
        if hasText { text.removeLast() }
        say("text \(text)")
    }

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        let place = touches.first.map { "\($0.location(in: self).x),\($0.location(in: self).y)" } ?? "nowhere"
        say("view touchesBegan \(place)")
    }

    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        say("view touchesEnded")
        super.touchesEnded(touches, with: event)
    }
}

/// Receives every event first.
final class SceneApplication: UIApplication {
    override func sendEvent(_ event: UIEvent) {
        say("sendEvent \(event.type)")
        super.sendEvent(event)
    }
}
