import Foundation
import LifeCycleModel
import RoostWire
import Testing

/// Actions of the user and the device on a real process.
@Suite(.serialized, .timeLimit(.minutes(30))) struct InputTests {
    /// An app with scenes in the foreground. `news` returns the new lines of its log.
    private final class Front {
        let system: FakeSystem
        let app: FakeLaunch
        let callbacks: FakeConnection
        let requests: FakeConnection
        private var next: Int32 = 1
        private var count = 0

        init(background: String = "nothing") throws {
            system = try FakeSystem()
            app = try FakeLaunch(system, background: background, scene: SceneSessionID(1))
            (callbacks, requests, _) = try system.acceptApp()
            callbacks.send(SystemMessage.device(DeviceFacts()).encoded())
            for callback in [Callback.launch(.user), .didBecomeActive] { try run(callback) }
            _ = news()
        }

        func run(_ callback: Callback) throws {
            callbacks.say(next, callback)
            #expect(try requests.request() == .acknowledge(CallbackID(next), open: []))
            next += 1
        }

        /// Sends the user's input. The app has received all of it once it answers a later callback.
        func input(_ inputs: UserInput...) {
            for input in inputs { callbacks.send(SystemMessage.input(input).encoded()) }
        }

        func news() -> [String] {
            let lines = app.lines.filter { !$0.hasPrefix("phase ") }
            defer { count = lines.count }
            return Array(lines[count...])
        }
    }

    /// From the application's subclass to the touched view, and up the chain to the delegate.
    @Test func aTouchGoesToItsViewAndUpTheChain() throws {
        let front = try Front()
        front.input(.touch(x: 110_500, y: 220_000))
        try front.run(.memoryWarning)
        #expect(
            front.news().prefix { !$0.hasPrefix("memory") } == [
                "sendEvent touches active", "view touchesBegan 10.5,20.0 active", "sendEvent touches active",
                "view touchesEnded active", "controller touchesEnded active", "delegate touchesEnded active",
            ])
    }

    @Test func aTouchBesideTheViewGoesToItsSuperview() throws {
        let front = try Front()
        front.input(.touch(x: 10_000, y: 10_000))
        try front.run(.memoryWarning)
        #expect(
            front.news().prefix { !$0.hasPrefix("memory") } == [
                "sendEvent touches active", "sendEvent touches active", "controller touchesEnded active",
                "delegate touchesEnded active",
            ])
    }

    @Test func textGoesToTheFirstResponderInOrder() throws {
        let front = try Front()
        front.input(.text("a한"), .text("\u{7f}b"))
        try front.run(.memoryWarning)
        #expect(
            front.news().filter { $0.hasPrefix("text") } == [
                "text a active", "text a한 active", "text a active", "text ab active",
            ])
    }

    /// one notification of each kind for all changes, in a fixed order.
    @Test func deviceChangesPostOneNotificationOfEachKind() throws {
        let front = try Front(background: "battery")
        var facts = DeviceFacts()
        facts.isProtectedDataAvailable = false
        facts.clockChanges = 3
        facts.power = .battery
        facts.batteryLevel = 40
        facts.isLowPowerModeEnabled = true
        facts.backgroundRefresh = .denied
        try front.run(.deviceChanged(facts))
        #expect(
            front.news() == [
                "protected data will go, false active",
                "note UIApplicationProtectedDataWillBecomeUnavailable active", "time change active",
                "note UIApplicationSignificantTimeChangeNotification active",
                "note UIDeviceBatteryStateDidChangeNotification active",
                "note UIDeviceBatteryLevelDidChangeNotification active",
                "note NSProcessInfoPowerStateDidChangeNotification active",
                "note UIApplicationBackgroundRefreshStatusDidChangeNotification active",
            ])
        facts.isProtectedDataAvailable = true
        try front.run(.deviceChanged(facts))
        #expect(
            front.news() == [
                "protected data is back active", "note UIApplicationProtectedDataDidBecomeAvailable active",
            ])
    }

    /// Each subscriber receives the present phase, then each change; also if the process was started early (T28).
    @Test(arguments: [false, true]) func phasesAreFollowed(isPrewarmed: Bool) throws {
        let system = try FakeSystem()
        let app = try FakeLaunch(system, scene: SceneSessionID(1), isPrewarmed: isPrewarmed)
        let (callbacks, requests, _) = try system.acceptApp()
        let script: [(Callback, String)] = [
            (.launch(.user), "inactive"), (.didBecomeActive, "active"), (.willResignActive, "inactive"),
            (.didEnterBackground, "background"), (.willEnterForeground, "inactive"), (.didBecomeActive, "active"),
        ]
        for (index, step) in script.enumerated() {
            callbacks.say(Int32(index + 1), step.0)
            _ = try requests.request()
            let expected = script[...index].map { "phase \($0.1)" }
            try app.until("\(expected)") { app.lines.filter { $0.hasPrefix("phase") } == expected }
        }
    }

    /// A scene, a window and its views cause no wake-ups.
    @Test func anIdleAppWithScenesNeverWakes() throws {
        let front = try Front(background: "idle")
        try front.app.untilIdle()
        let before = try front.app.switches()
        // Window: nothing may happen in it.
        Thread.sleep(forTimeInterval: 2)
        #expect(try front.app.switches().filter { before[$0.key] != nil && before[$0.key] != $0.value }.isEmpty)
    }

    /// T09, and an iPhone's answer to a request for a second scene.
    @Test func requestsOfAnAppAreAnswered() throws {
        let system = try FakeSystem()
        let app = try FakeLaunch(system, background: "requests", scene: SceneSessionID(1))
        let (callbacks, requests, _) = try system.acceptApp()
        callbacks.say(1, .launch(.user))
        #expect(try requests.request() == .acknowledge(CallbackID(1), open: []))
        callbacks.say(2, .didBecomeActive)
        #expect(try requests.request() == .setIdleTimerDisabled(true))
        #expect(try requests.request() == .acknowledge(CallbackID(2), open: []))
        // Refusals come later, on the main thread.
        let refusals = [
            "refused another: multipleScenesNotSupported active", "refused to close: multipleScenesNotSupported active",
        ]
        try app.until("\(refusals)") { app.lines.filter { $0.hasPrefix("refused") } == refusals }
    }

    /// the block runs under a task. At expiry it is called again, and the task ends.
    @Test func anExpiringActivityIsATask() throws {
        let system = try FakeSystem()
        let app = try FakeLaunch(system, reason: .locationMonitoring, background: "activity")
        let (callbacks, requests, _) = try system.acceptApp()
        callbacks.say(1, .launch(.locationMonitoring))
        _ = try requests.request()
        callbacks.say(2, .didEnterBackground)
        let task = BackgroundTask(id: TaskID(1), name: "activity")
        #expect(try requests.request() == .beginTask(task))
        #expect(try requests.request() == .acknowledge(CallbackID(2), open: [task]))
        let activity = { app.lines.filter { $0.hasPrefix("activity") } }
        try app.until("the activity begins") { activity() == ["activity false"] }
        callbacks.say(3, .expireTasks)
        let answers = try [requests.request(), requests.request()]
        #expect(answers.contains(.endTask(TaskID(1))))
        #expect(activity() == ["activity false", "activity true"])
    }

    /// Xcode's files, unchanged, with the variable in Xcode's `Info.plist`.
    @Test func xcodesTemplateRuns() throws {
        let system = try FakeSystem()
        let info: [String: Any] = [
            "CFBundleIdentifier": "org.roost.template", "CFBundleExecutable": "UIKitTemplate",
            "UIApplicationSceneManifest": [
                "UISceneConfigurations": [
                    "UIWindowSceneSessionRoleApplication": [
                        [
                            "UISceneConfigurationName": "Default Configuration",
                            "UISceneDelegateClassName": "$(PRODUCT_MODULE_NAME).SceneDelegate",
                            "UISceneStoryboardFile": "Main",
                        ]
                    ]
                ]
            ],
        ]
        let app = try FakeLaunch(system, app: "UIKitTemplate", scene: SceneSessionID(1), info: info)
        let (callbacks, requests, _) = try system.acceptApp()
        for (index, callback) in [Callback.launch(.user), .didBecomeActive, .willResignActive].enumerated() {
            callbacks.say(Int32(index + 1), callback)
            #expect(try requests.request() == .acknowledge(CallbackID(Int32(index + 1)), open: []))
        }
        #expect(app.lines.isEmpty, "no problem is logged")
    }
}
