import Foundation
import LifeCycleModel
import RoostWire
import Testing

/// A real process built on RoostKit against a scripted system.
@Suite(.serialized, .timeLimit(.minutes(30))) struct ProcessTests {
    @Test func callbacksAndNotificationsComeInAppleOrder() throws {
        let system = try FakeSystem()
        let app = try FakeLaunch(system)
        let (callbacks, requests, attachment) = try system.acceptApp()
        #expect(attachment == .new)
        let script: [Callback] = [
            .launch(.user), .didBecomeActive, .willResignActive, .didEnterBackground, .willEnterForeground,
            .didBecomeActive, .willResignActive, .didEnterBackground, .willTerminate,
        ]
        for (index, callback) in script.enumerated() { callbacks.say(Int32(index + 1), callback) }
        for index in script.indices {
            #expect(try requests.request() == .acknowledge(CallbackID(Int32(index + 1)), open: []))
        }
        #expect(app.exitCode() == 0)
        #expect(
            app.lines == [
                "willFinishLaunching inactive", "token gone", "didFinishLaunching inactive",
                "note UIApplicationDidFinishLaunchingNotification inactive",
                "didBecomeActive active", "note UIApplicationDidBecomeActiveNotification active",
                "willResignActive active", "note UIApplicationWillResignActiveNotification active",
                "didEnterBackground background", "note UIApplicationDidEnterBackgroundNotification background",
                "willEnterForeground background", "note UIApplicationWillEnterForegroundNotification background",
                "didBecomeActive active", "note UIApplicationDidBecomeActiveNotification active",
                "willResignActive active", "note UIApplicationWillResignActiveNotification active",
                "didEnterBackground background", "note UIApplicationDidEnterBackgroundNotification background",
                "willTerminate background", "note UIApplicationWillTerminateNotification background",
            ])
    }

    @Test func backgroundLaunchBringsItsOptions() throws {
        let system = try FakeSystem()
        let app = try FakeLaunch(system, reason: .locationMonitoring)
        let (callbacks, requests, _) = try system.acceptApp()
        callbacks.say(1, .launch(.locationMonitoring))
        _ = try requests.request()
        #expect(
            app.lines == [
                "willFinishLaunching background", "token gone", "didFinishLaunching location background",
                "note UIApplicationDidFinishLaunchingNotification location background",
            ])
    }

    /// The main thread blocks right after it has begun a task. By then the system has to know of the task.
    @Test func aTaskIsReportedBeforeBeginReturns() throws {
        let system = try FakeSystem()
        let app = try FakeLaunch(system, reason: .locationMonitoring, background: "block")
        let (callbacks, requests, _) = try system.acceptApp()
        callbacks.say(1, .launch(.locationMonitoring))
        _ = try requests.request()
        callbacks.say(2, .didEnterBackground)
        let task = BackgroundTask(id: TaskID(1), name: "block")
        #expect(try requests.request() == .beginTask(task))
        #expect(!requests.isReadable(within: 500), "the acknowledgement waits for the main thread")
        #expect(try requests.request() == .acknowledge(CallbackID(2), open: [task]))
        #expect(app.isRunning)
    }

    @Test func anAcknowledgmentOvertakesNoBeginOfAnyThread() throws {
        let system = try FakeSystem()
        let app = try FakeLaunch(system, reason: .locationMonitoring, background: "threads")
        let (callbacks, requests, _) = try system.acceptApp()
        callbacks.say(1, .launch(.locationMonitoring))
        _ = try requests.request()
        callbacks.say(2, .didEnterBackground)
        let tasks = (1...200).map { BackgroundTask(id: TaskID(Int64($0)), name: "thread") }
        for task in tasks { #expect(try requests.request() == .beginTask(task)) }
        #expect(try requests.request() == .acknowledge(CallbackID(2), open: tasks))
        #expect(app.isRunning)
    }

    @Test func aDormantTaskIsReportedOnLeavingTheForeground() throws {
        let system = try FakeSystem()
        let app = try FakeLaunch(system, background: "dormant")
        let (callbacks, requests, _) = try system.acceptApp()
        let task = BackgroundTask(id: TaskID(1), name: "dormant")
        callbacks.say(1, .launch(.user))
        #expect(try requests.request() == .acknowledge(CallbackID(1), open: []))
        callbacks.say(2, .didBecomeActive)
        #expect(try requests.request() == .acknowledge(CallbackID(2), open: [task]))
        callbacks.say(3, .willResignActive)
        #expect(try requests.request() == .acknowledge(CallbackID(3), open: [task]))
        callbacks.say(4, .didEnterBackground)
        #expect(try requests.request() == .acknowledge(CallbackID(4), open: [task]))
        callbacks.say(5, .expireTasks)
        #expect(try requests.request() == .endTask(TaskID(1)))
        #expect(try requests.request() == .acknowledge(CallbackID(5), open: []))
        #expect(app.lines.last == "expired background")
    }

    @Test func aRefusedTaskExpiresAtOnce() throws {
        let system = try FakeSystem()
        let app = try FakeLaunch(system, reason: .locationMonitoring, background: "task")
        let (callbacks, requests, _) = try system.acceptApp()
        callbacks.say(1, .launch(.locationMonitoring))
        callbacks.say(2, .didEnterBackground)
        for _ in 0..<3 { _ = try requests.request() }
        callbacks.send(SystemMessage.taskRefused(TaskID(1)).encoded())
        callbacks.say(3, .willTerminate)
        #expect(try requests.request() == .acknowledge(CallbackID(3), open: []))
        #expect(app.exitCode() == 0)
        #expect(app.lines.filter { $0.hasPrefix("expired") }.count == 1)
    }

    @Test func classesAreFoundByTheirNames() throws {
        let system = try FakeSystem()
        let app = try FakeLaunch(system, reason: .locationMonitoring, background: "names")
        let (callbacks, requests, _) = try system.acceptApp()
        callbacks.say(1, .launch(.locationMonitoring))
        callbacks.say(2, .didEnterBackground)
        for _ in 0..<2 { _ = try requests.request() }
        #expect(app.lines.contains("application TestApplication"))
    }

    /// A system that does not read delays the app for a limited time. The app then connects again.
    @Test func aSystemThatDoesNotReadIsDisconnected() throws {
        let system = try FakeSystem()
        let app = try FakeLaunch(system, reason: .locationMonitoring, background: "flood")
        let first = try system.acceptApp()
        first.callbacks.say(1, .launch(.locationMonitoring))
        first.callbacks.say(2, .didEnterBackground)
        let (_, _, attachment) = try system.acceptApp()
        #expect(attachment.lastCallback == CallbackID(2))
        #expect(attachment.open.count == WireLimits.tasks)
        #expect(attachment.open.allSatisfy { $0.name.isEmpty }, "no room for the names")
        #expect(app.lines.contains("flooded"))
        #expect(app.lines.contains { $0.hasPrefix("Can't beginBackgroundTask") })
    }

    @Test func endingAnUnknownTaskIsLoggedInApplesWords() throws {
        let system = try FakeSystem()
        let app = try FakeLaunch(system, reason: .locationMonitoring, background: "misuse")
        let (callbacks, requests, _) = try system.acceptApp()
        callbacks.say(1, .launch(.locationMonitoring))
        callbacks.say(2, .didEnterBackground)
        for _ in 0..<2 { _ = try requests.request() }
        let line =
            "Can't endBackgroundTask: no background task exists with identifier 99 (0x63), or it may have "
            + "already been ended. Break in UIApplicationEndBackgroundTaskError() to debug."
        #expect(app.lines.contains(line))
    }

    @Test func anAppOutlivesItsSystem() throws {
        let system = try FakeSystem()
        let app = try FakeLaunch(system, reason: .locationMonitoring, background: "task")
        let task = BackgroundTask(id: TaskID(1), name: "task")
        do {
            let (callbacks, requests, _) = try system.acceptApp()
            callbacks.say(1, .launch(.locationMonitoring))
            callbacks.say(2, .didEnterBackground)
            for _ in 0..<3 { _ = try requests.request() }
            system.goAway()
        }
        #expect(app.isRunning)
        try system.listen()
        let (callbacks, requests, attachment) = try system.acceptApp()
        #expect(attachment == Attachment(lastCallback: CallbackID(2), phase: .background, open: [task]))
        callbacks.say(2, .didEnterBackground)  // Said again: passed over.
        callbacks.say(3, .expireTasks)
        #expect(try requests.request() == .endTask(TaskID(1)))
        #expect(try requests.request() == .acknowledge(CallbackID(3), open: []))
        #expect(app.lines.filter { $0.hasPrefix("didEnterBackground") }.count == 1)
        #expect(app.lines.contains("Roost: connected again."))
    }

    /// The system sends much and ends while the app's main thread is busy. The app receives everything, then the end.
    @Test func messagesBeforeTheDisconnectionAreHandled() throws {
        let system = try FakeSystem()
        let app = try FakeLaunch(system, reason: .locationMonitoring, background: "block")
        do {
            let (callbacks, requests, _) = try system.acceptApp()
            callbacks.say(1, .launch(.locationMonitoring))
            callbacks.say(2, .didEnterBackground)
            for _ in 0..<2 { _ = try requests.request() }
            for _ in 0..<1000 { callbacks.send(SystemMessage.backgroundTime(until: .seconds(1)).encoded()) }
            callbacks.say(3, .expireTasks)
        }
        let (callbacks, requests, attachment) = try system.acceptApp()
        #expect(attachment == Attachment(lastCallback: CallbackID(3), phase: .background, open: []))
        callbacks.say(4, .willTerminate)
        #expect(try requests.request() == .acknowledge(CallbackID(4), open: []))
        #expect(app.exitCode() == 0)
    }

    @Test func anAppOutlivesTheSocketsDirectory() throws {
        let system = try FakeSystem()
        let app = try FakeLaunch(system)
        do {
            let (callbacks, requests, _) = try system.acceptApp()
            callbacks.say(1, .launch(.user))
            _ = try requests.request()
            system.goAway()
            try FileManager.default.removeItem(at: system.directory)
        }
        try FileManager.default.createDirectory(at: system.directory, withIntermediateDirectories: true)
        try system.listen()
        #expect(try system.acceptApp().attachment.phase == .rising)
        #expect(app.isRunning)
    }

    struct Garbage: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]

        init(_ name: String, _ bytes: [UInt8]) {
            testDescription = name
            self.bytes = bytes
        }

        init(_ text: String) { self.init(text, Array(text.utf8) + [0]) }
    }

    @Test(arguments: [
        Garbage("an endless message", [UInt8](repeating: 65, count: 300_000)), Garbage("an empty message", [0]),
        Garbage("a nesting bomb", Array(repeating: UInt8(ascii: "["), count: 100_000) + [0]),
        Garbage("not UTF-8", [0xff, 0xfe, 0]), Garbage("{}"), Garbage("not JSON"),
        Garbage(#"{"continues":true,"parameters":{"callback":{"id":-1,"kind":"launch"}}}"#),
        Garbage(#"{"error":"roost.App.AlreadyConnected","parameters":{}}"#),
    ])
    func anAppOutlivesGarbage(_ garbage: Garbage) throws {
        let system = try FakeSystem()
        let app = try FakeLaunch(system)
        let first = try system.acceptApp()
        first.callbacks.say(1, .launch(.user))
        _ = try first.requests.request()
        first.callbacks.send(garbage.bytes)
        let (callbacks, requests, attachment) = try system.acceptApp()
        #expect(attachment.lastCallback == CallbackID(1))
        callbacks.say(2, .didBecomeActive)
        #expect(try requests.request() == .acknowledge(CallbackID(2), open: []))
        #expect(app.isRunning)
    }

    @Test func withoutASystemTheAppSaysHowToStartIt() throws {
        let app = try FakeLaunch(nil)
        #expect(app.exitCode() == 64)
        #expect(app.lines.count == 1 && app.lines[0].contains("start it with `roost launch`"))
    }

    /// No timer, no wake-up: an idle app's threads are never switched to, whether it is connected or waits for its
    /// system.
    @Test(arguments: [true, false]) func anIdleAppNeverWakes(isConnected: Bool) throws {
        let system = try FakeSystem()
        let app = try FakeLaunch(system)
        let (callbacks, requests, _) = try system.acceptApp()
        callbacks.say(1, .launch(.user))
        _ = try requests.request()
        if !isConnected {
            system.goAway()
            callbacks.end()
            try app.untilWatching()
        }
        try app.untilIdle()
        // Dispatch's worker threads end by themselves, some seconds after their last work.
        let before = try app.switches()
        // Window: nothing may happen in it.
        Thread.sleep(forTimeInterval: 2)
        #expect(try app.switches().filter { before[$0.key] != nil && before[$0.key] != $0.value }.isEmpty)
    }
}
