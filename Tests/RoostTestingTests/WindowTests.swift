import RoostKit
import Testing

@testable import RoostTesting

/// An app without scenes, whose delegate makes the window.
@MainActor private final class Windowed: NSObject, UIApplicationDelegate {
    var window: UIWindow? = UIWindow(frame: UIScreen.main.bounds)
    let controller = Shown()
    /// The application's windows at the end of the launch.
    var atLaunch: (windows: [UIWindow], key: UIWindow?, scenes: Int, appeared: Bool)?

    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        window?.rootViewController = controller
        window?.makeKeyAndVisible()
        atLaunch = (
            application.windows, application.keyWindow, application.connectedScenes.count,
            controller.calls.contains("viewDidAppear")
        )
        return true
    }
}

@MainActor private final class Shown: UIViewController {
    var calls: [String] = []
    var touches = 0

    override func viewDidLoad() { calls.append("viewDidLoad") }
    override func viewDidAppear(_ animated: Bool) { calls.append("viewDidAppear") }
    override func viewDidDisappear(_ animated: Bool) { calls.append("viewDidDisappear") }
    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) { self.touches += touches.count }
}

/// The windows of an app without scenes, on the virtual device.
@Suite(.serialized) @MainActor struct WindowTests {
    private func install(on device: VirtualDevice) throws -> VirtualApp {
        try device.install(infoPlist: ["UIBackgroundModes": ["location"]], delegate: Windowed.self)
    }

    private func delegate(of app: VirtualApp) throws -> Windowed { try #require(app.delegate as? Windowed) }

    @Test func aWindowIsTheApplicationsAndInNoScene() async throws {
        try await withVirtualDevice { device in
            let app = try install(on: device)
            await device.launch(app)
            let delegate = try delegate(of: app)
            let atLaunch = try #require(delegate.atLaunch)
            let window = try #require(delegate.window)
            #expect(atLaunch.windows == [window] && atLaunch.key === window)
            #expect(atLaunch.scenes == 0 && window.windowScene == nil)
            #expect(window.isKeyWindow && !window.isHidden)
            #expect(window.next is UIApplication)
        }
    }

    /// the window is loaded during the launch, and displayed when the app is active. The user's touches reach it.
    @Test func theWindowIsDisplayedOnceTheAppIsActive() async throws {
        try await withVirtualDevice { device in
            let app = try install(on: device)
            await device.launch(app)
            let delegate = try delegate(of: app)
            #expect(delegate.atLaunch?.appeared == false)
            #expect(delegate.controller.calls == ["viewDidLoad", "viewDidAppear"])
            await device.send(.touch(x: 1000, y: 1000), to: app)
            #expect(delegate.controller.touches == 1)
            // For the app, the background removes nothing from the screen, and displays nothing again.
            await device.home()
            await device.launch(app)
            #expect(delegate.controller.calls == ["viewDidLoad", "viewDidAppear"])
        }
    }

    @Test func aLaunchIntoTheBackgroundShowsNothing() async throws {
        try await withVirtualDevice { device in
            let app = try install(on: device)
            await device.wake(app, for: .locationUpdate)
            let delegate = try delegate(of: app)
            #expect(delegate.controller.calls == ["viewDidLoad"])
            await device.launch(app)
            #expect(delegate.controller.calls == ["viewDidLoad", "viewDidAppear"])
        }
    }
}
