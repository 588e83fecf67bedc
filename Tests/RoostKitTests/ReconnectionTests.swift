import Foundation
import LifeCycleModel
import Testing

/// Reconnecting to a system that has ended, with obstacles.
@Suite(.serialized, .timeLimit(.minutes(30))) struct ReconnectionTests {
    /// A change beside the socket wakes a waiting app once, and not again.
    @Test func aChangeBesideTheSocketIsLookedAtOnce() throws {
        let system = try FakeSystem()
        let app = try FakeLaunch(system)
        try loseSystem(system, app)
        let asleep = try app.switches()
        for name in ["a", "b", "c"] {
            try Data().write(to: system.directory.appendingPathComponent(name))
        }
        try app.untilSwitched(from: asleep)
        try app.untilIdle()
        let before = try app.switches()
        // Window: nothing may happen in it.
        Thread.sleep(forTimeInterval: 1)
        #expect(try app.switches().filter { before[$0.key] != nil && before[$0.key] != $0.value }.isEmpty)
        try system.listen()
        #expect(try system.acceptApp().attachment.phase == .rising)
    }

    /// The same if the directory itself is removed, along with the watch, and another takes its place.
    @Test func aReplacedDirectoryIsWatchedAgain() throws {
        let system = try FakeSystem()
        let app = try FakeLaunch(system)
        try loseSystem(system, app)
        let asleep = try app.switches()
        let old = system.directory.appendingPathExtension("old")
        try FileManager.default.moveItem(at: system.directory, to: old)
        try FileManager.default.createDirectory(at: system.directory, withIntermediateDirectories: true)
        try FileManager.default.removeItem(at: old)
        try app.untilSwitched(from: asleep)
        try app.untilIdle()
        try system.listen()
        #expect(try system.acceptApp().attachment.phase == .rising)
    }

    /// A child that the app forks also has its descriptors. The system still sees the end of a connection, and before
    /// the next one.
    @Test func aForkedChildHoldsNoConnectionOpen() throws {
        let system = try FakeSystem()
        let app = try FakeLaunch(system, reason: .locationMonitoring, background: "fork")
        let first = try system.acceptApp()
        first.callbacks.say(1, .launch(.locationMonitoring))
        first.callbacks.say(2, .didEnterBackground)
        for _ in 0..<2 { _ = try first.requests.request() }
        #expect(app.lines.contains("forked"))
        first.callbacks.send(Array("garbage".utf8) + [0])
        #expect(try system.acceptApp().attachment.lastCallback == CallbackID(2))
        #expect(first.callbacks.hasEnded && first.requests.hasEnded)
    }

    /// Without a free descriptor, neither a connection nor a watch is possible. The app retries until one is free.
    @Test func anAppThatCannotWatchTriesOn() throws {
        let system = try FakeSystem()
        let app = try FakeLaunch(system)
        // From now on Dispatch has its own descriptors.
        try loseSystem(system, app)
        try system.listen()
        let (callbacks, _, _) = try system.acceptApp()
        let limit = try app.limitDescriptors(to: 3)
        system.goAway()
        callbacks.end()
        // The app can open nothing, and retries.
        for _ in 0..<3 { try app.untilSwitched(from: app.switches()) }
        _ = try app.limitDescriptors(to: limit)
        // The app finds no socket.
        try app.untilWatching()
        try system.listen()
        #expect(try system.acceptApp().attachment.phase == .rising)
    }

    /// A program that the app executes inherits none of its connections.
    @Test func descriptorsAreClosedOnExecution() throws {
        let system = try FakeSystem()
        let app = try FakeLaunch(system)
        let (callbacks, requests, _) = try system.acceptApp()
        callbacks.say(1, .launch(.user))
        _ = try requests.request()
        let connected = try app.inherited()
        system.goAway()
        callbacks.end()
        try app.untilWatching()
        #expect(try app.inherited() == connected, "only what the launch gave the app")
    }

    /// Connects an app, ends its system, and waits until the app only waits.
    private func loseSystem(_ system: FakeSystem, _ app: FakeLaunch) throws {
        let (callbacks, requests, _) = try system.acceptApp()
        callbacks.say(1, .launch(.user))
        _ = try requests.request()
        system.goAway()
        callbacks.end()
        try app.untilWatching()
        try app.untilIdle()
    }
}
