import Foundation
import LifeCycleModel
import RoostWire
import Testing

/// A real process with scenes and a scripted system, compared with Apple's table of transitions line by line.
@Suite(.serialized, .timeLimit(.minutes(30))) struct SceneProcessTests {
    /// `Info.plist` as Xcode writes it, with its variable unresolved.
    private static func info(delegate: String) -> [String: Any] {
        [
            "CFBundleIdentifier": "org.roost.test", "CFBundleExecutable": "RoostKitTestApp",
            "UIApplicationSceneManifest": [
                "UIApplicationSupportsMultipleScenes": false,
                "UISceneConfigurations": [
                    "UIWindowSceneSessionRoleApplication": [
                        [
                            "UISceneConfigurationName": "Default Configuration",
                            "UISceneDelegateClassName": "$(PRODUCT_MODULE_NAME).\(delegate)",
                        ]
                    ]
                ],
            ],
        ]
    }

    /// Runs a script of callbacks; returns the app's output in each, in their order.
    private func run(
        _ script: [Callback], reason: LaunchReason = .user, info: [String: Any]? = info(delegate: "TestSceneDelegate")
    ) throws -> [[String]] {
        let system = try FakeSystem()
        let app = try FakeLaunch(system, reason: reason, scene: SceneSessionID(1), info: info)
        let (callbacks, requests, _) = try system.acceptApp()
        var said: [[String]] = []
        var count = 0
        for (index, callback) in script.enumerated() {
            callbacks.say(Int32(index + 1), callback)
            #expect(try requests.request() == .acknowledge(CallbackID(Int32(index + 1)), open: []))
            // The tasks that follow the phases print at any time.
            let lines = app.lines.filter { !$0.hasPrefix("phase ") }
            said.append(Array(lines[count...]))
            count = lines.count
        }
        return said
    }

    private let launched = [
        "init", "didFinishLaunching without options inactive",
        "configurationForConnecting TestSceneDelegate inactive", "willConnect unattached, 1 connected inactive",
        "viewDidLoad inactive", "note UISceneWillConnectNotification of a scene inactive",
        "sceneWillEnterForeground unattached inactive",
        "note UISceneWillEnterForegroundNotification of a scene inactive",
    ]
    private let activated = [
        "sceneDidBecomeActive foregroundActive active", "note UISceneDidActivateNotification of a scene active",
        "note UIApplicationDidBecomeActiveNotification active",
    ]
    private let appeared = ["viewWillAppear active", "viewDidAppear active"]
    private let resigned = [
        "sceneWillResignActive foregroundActive active", "note UISceneWillDeactivateNotification of a scene active",
        "note UIApplicationWillResignActiveNotification active",
    ]
    private let left = [
        "sceneDidEnterBackground background background",
        "note UISceneDidEnterBackgroundNotification of a scene background",
        "note UIApplicationDidEnterBackgroundNotification background",
    ]
    private let entered = [
        "sceneWillEnterForeground background background",
        "note UISceneWillEnterForegroundNotification of a scene background",
        "note UIApplicationWillEnterForegroundNotification background",
    ]

    /// T01, T03, T05: the view appears once, after the app is active, and does not disappear in the background.
    @Test func aSceneIsCalledInAppleOrder() throws {
        let said = try run([
            .launch(.user), .didBecomeActive, .willResignActive, .didEnterBackground, .willEnterForeground,
            .didBecomeActive,
        ])
        #expect(said == [launched, activated + appeared, resigned, left, entered, activated])
    }

    /// T25: the scene is reclaimed, and its session stays. When the app comes back, the scene is connected again with
    /// the same configuration.
    @Test func aSceneThatWasTakenIsConnectedAgain() throws {
        let said = try run([
            .launch(.user), .didBecomeActive, .willResignActive, .didEnterBackground, .disconnectScene,
            .willEnterForeground, .didBecomeActive,
        ])
        #expect(
            said[4] == [
                "sceneDidDisconnect unattached background",
                "note UISceneDidDisconnectNotification of a scene background", "scene delegate gone",
            ])
        #expect(
            said[5] == [
                "willConnect unattached, 1 connected background", "viewDidLoad background",
                "note UISceneWillConnectNotification of a scene background",
                "sceneWillEnterForeground unattached background",
                "note UISceneWillEnterForegroundNotification of a scene background",
                "note UIApplicationWillEnterForegroundNotification background",
            ])
        #expect(said[6] == activated + appeared)
    }

    /// T18: the user closes the scene while the app runs. A session that was closed in an earlier launch is reported
    /// with it.
    @Test func closedSessionsAreDiscarded() throws {
        let said = try run([
            .launch(.user), .didBecomeActive, .willResignActive,
            .discardScenes([SceneSessionID(1), SceneSessionID(2)]), .willTerminate,
        ])
        #expect(
            said[3] == [
                "sceneDidDisconnect unattached inactive",
                "note UISceneDidDisconnectNotification of a scene inactive", "scene delegate gone",
                "didDiscard .1 .2, 0 left inactive",
            ])
    }

    /// T02: a launch into the background makes no scene. The first time in the foreground does.
    @Test func aLaunchIntoTheBackgroundMakesNoScene() throws {
        let said = try run(
            [.launch(.locationMonitoring), .didEnterBackground, .willEnterForeground, .didBecomeActive],
            reason: .locationMonitoring)
        #expect(said[0] == ["init", "didFinishLaunching without options background"])
        #expect(said[1] == ["note UIApplicationDidEnterBackgroundNotification background"])
        #expect(said[2].first == "configurationForConnecting TestSceneDelegate background")
        #expect(said[3] == activated + appeared)
    }

    @Test func aMissingDelegateClassIsLogged() throws {
        let said = try run([.launch(.user)], info: Self.info(delegate: "NoSuchDelegate"))
        #expect(said[0].contains("configurationForConnecting none inactive"))
        #expect(
            said[0].contains {
                $0.contains("$(PRODUCT_MODULE_NAME).NoSuchDelegate") && $0.contains("there is no such class")
            })
    }

    /// The delegate may provide the class itself, without an entry in `Info.plist`.
    @Test func aConfigurationMayBeMadeInCode() throws {
        let said = try run([.launch(.user)], info: nil)
        #expect(said[0].contains("willConnect unattached, 1 connected inactive"))
    }

    /// T14: the delegate, the visible controllers, and the notification.
    @Test func aMemoryWarningReachesTheControllers() throws {
        let said = try run([.launch(.user), .didBecomeActive, .memoryWarning])
        #expect(
            said[2] == [
                "memory warning active", "controller memory warning active",
                "note UIApplicationDidReceiveMemoryWarningNotification active",
            ])
    }
}
