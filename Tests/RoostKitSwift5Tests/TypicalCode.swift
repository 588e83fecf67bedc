import RoostKit
import Testing

/// Life-cycle code as it was written for years, in Swift 5 mode with warnings as errors. The test is that it compiles.
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

/// The same for this delegate: it need not be a responder or final, and may have its own `init`.
class PlainDelegate: NSObject, UIApplicationDelegate {
    let made: Date

    override init() {
        made = Date()
        super.init()
    }
}

/// Typical views and controllers: their own initializers, and the `required init?(coder:)` that the compiler demands.
class BadgeView: UIView {
    let count: Int

    init(count: Int) {
        self.count = count
        super.init(frame: .zero)
        backgroundColor = .systemRed
    }

    // The line that Xcode writes when a class gets an initializer: it has to compile unchanged.
    required init?(coder: NSCoder) { fatalError("init(coder:) has not been implemented") }
}

class PlainView: UIView {
    override init(frame: CGRect) {
        super.init(frame: frame)
        isUserInteractionEnabled = false
    }

    required init?(coder: NSCoder) {
        super.init(coder: coder)
    }
}

class BadgeController: UIViewController {
    private let badge = BadgeView(count: 3)

    init() {
        super.init(nibName: nil, bundle: nil)
        title = "Badge"
    }

    // The line that Xcode writes when a class gets an initializer: it has to compile unchanged.
    required init?(coder: NSCoder) { fatalError("init(coder:) has not been implemented") }

    override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = UIColor.systemBackground
        view.addSubview(badge)
    }
}

@Suite struct TypicalCodeTests {
    @Test @MainActor func viewsAndControllersAreMadeAsInUIKit() {
        let controller = BadgeController()
        #expect(controller.view.subviews.first is BadgeView)
        #expect(!PlainView().isUserInteractionEnabled)
        #expect(PlainView(frame: CGRect(x: 1, y: 2, width: 3, height: 4)).bounds.width == 3)
    }
}
