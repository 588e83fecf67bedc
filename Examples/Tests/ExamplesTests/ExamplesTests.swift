import Foundation
import RoostTesting
import Testing

/// Checks each example's README on a virtual device, with the executable that the package builds.
@Suite @MainActor struct ExamplesTests {
    private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Sources").standardizedFileURL.path

    private func install(_ name: String, on device: VirtualDevice) throws -> VirtualApp {
        try device.install(executable: name, infoPlist: .file("\(Self.sources)/\(name)/Info.plist"))
    }

    @Test func everyCallbackLogsALaunchAndATripHome() async throws {
        try await withVirtualDevice { device in
            let app = try install("EveryCallback", on: device)
            await device.launch(app)
            await device.home()
            await device.advance(by: .seconds(30))
            await device.launch(app)
            #expect(
                app.callbacks == [
                    .willFinishLaunching(.user), .didFinishLaunching(.user), .didBecomeActive, .willResignActive,
                    .didEnterBackground, .willEnterForeground, .didBecomeActive,
                ])
            #expect(app.output.contains("applicationDidEnterBackground(_:) state=background remaining=0.0"))
        }
    }

    @Test func sceneLogReceivesSceneCallbacks() async throws {
        try await withVirtualDevice { device in
            let app = try install("SceneLog", on: device)
            await device.launch(app)
            await device.home()
            #expect(app.callbacks.contains(.scene(.didEnterBackground)) && !app.callbacks.contains(.didEnterBackground))
            #expect(app.output.contains("sceneDidEnterBackground(_:)"))
        }
    }

    @Test func notepadKeepsItsDraft() async throws {
        try await withVirtualDevice { device in
            let app = try install("Notepad", on: device)
            await device.launch(app)
            await device.home()
            #expect(app.state == .suspended)
            await device.memoryShortage()
            #expect(app.state == .notRunning)
            await device.launch(app)
            #expect(app.output.contains("launched with a draft of 48 characters, saved 1 times so far"))
        }
    }

    /// A day's hike with the phone in the pocket: the walk, a rest that is paused, and the second half.
    @Test func hikerRecordsItsWay() async throws {
        try await withVirtualDevice { device in
            let app = try install("Hiker", on: device)
            await device.setLocationPermission(of: app, to: .whenInUse)
            var latitude = 47.5576
            func walk(minutes: Int) async {
                for _ in 0..<minutes {
                    await device.advance(by: .seconds(60))
                    latitude += 0.00075  // 83 m
                    #expect(await device.move(to: latitude, longitude: 10.7498))
                }
            }
            #expect(await device.move(to: latitude, longitude: 10.7498))
            await device.launch(app)
            await device.lock()
            await walk(minutes: 180)
            #expect(app.state == .background && lastLine(app)?.hasPrefix("181 points, 150") == true, "15 km")
            await device.advance(by: .seconds(3600))
            #expect(app.state == .suspended && lastLine(app) == "rests: open the app to go on")
            await device.unlock()
            await device.launch(app)
            #expect(app.output.contains("goes on"))
            await device.home()
            await walk(minutes: 60)
            #expect(app.state == .background && lastLine(app)?.hasPrefix("241 points, 200") == true, "20 km")
            await device.launch(app)
            await device.send(.touch(x: 1, y: 1), to: app)
            await device.home()
            #expect(app.state == .suspended && lastLine(app) == "does not record")
        }
    }

    private func lastLine(_ app: VirtualApp) -> String? { app.output.split(separator: "\n").last.map { String($0) } }

    /// The alarm is displayed once during suspension, with its own sound, and a tap opens the app (R-102).
    @Test func alarmGoesOff() async throws {
        try await withVirtualDevice { device in
            let app = try install("Alarm", on: device)
            await device.launch(app)
            await device.home()
            #expect(app.state == .suspended && device.scheduledNotifications(of: app).count == 1)
            await device.advance(by: .seconds(3))
            let alarm = try #require(device.shownNotifications(of: app).first)
            #expect(alarm.notification.alertBody == "Time to wake up!" && alarm.types == [.alert, .sound])
            #expect(app.state == .suspended)
            await device.tap(alarm)
            #expect(app.state == .active && app.output.contains("the alarm: Time to wake up!"))
        }
    }

    /// A message arrives by push while the inbox is suspended, and a tap opens it. A known message, or a
    /// fetch without messages, causes no notification (R-89, R-90, R-101, R-102).
    @Test func inboxShowsNewMessages() async throws {
        try await withVirtualDevice { device in
            let app = try install("Inbox", on: device)
            await device.launch(app)
            await device.home()
            @MainActor func push(_ message: String) async throws {
                try await device.push("{\"aps\": {\"content-available\": 1}, \"message\": \(message)}", to: app)
                #expect(app.state == .suspended)
            }
            try await push(#"{"id": "1", "from": "Ada", "text": "안녕\nthere"}"#)
            try await push(#"{"id": "1", "from": "Ada", "text": "once more"}"#)
            let shown = try #require(device.shownNotifications(of: app).first)
            #expect(device.shownNotifications(of: app).count == 1 && device.badge(of: app) == 1)
            #expect(shown.notification.alertBody == "Ada: 안녕 there" && shown.types == .all)
            await device.tap(shown)
            #expect(app.state == .active && app.output.contains("\nopened: Ada: 안녕 there\n"))
            #expect(device.badge(of: app) == 0 && device.shownNotifications(of: app).isEmpty)
            await device.home()
            await device.advance(by: .seconds(3600))
            try await push(#"{"text": "anonymous"}"#)
            #expect(app.output.contains("a message is left out: it has no id"))
            await device.offerFetch(to: app)
            #expect(app.output.contains("no messages: write the address of a server into "))
            #expect(app.state == .suspended && app.terminations.isEmpty && device.badge(of: app) == 0)
        }
    }

    /// With two processors, the last of SwiftSix's three pieces of work begins when another ends.
    @Test(arguments: [("FiniteLengthObjC", 1.0, 1.1), ("TwoTasks", 1.0, 1.1), ("SwiftSix", 1.0, 1.6)])
    func finiteLengthWorkIsDone(name: String, seconds: Double, most: Double) async throws {
        try await withVirtualDevice { device in
            let app = try install(name, on: device)
            await device.launch(app)
            await device.home()
            #expect(app.state == .background && !app.openTasks.isEmpty)
            await device.advance(by: .seconds(seconds - 0.1))
            #expect(app.state == .background)
            await device.advance(by: .seconds(most - seconds + 0.1))
            #expect(app.state == .suspended && app.expirations.isEmpty, "\(device.trace)\n\(app.output)")
        }
    }

    @Test func theEndlessLoopIsKilled() async throws {
        try await withVirtualDevice { device in
            let app = try install("EndlessLoop", on: device)
            await device.launch(app)
            await device.home()
            await device.advance(by: .seconds(10))
            let end = device.expectTermination(of: app)
            #expect(end?.code == .watchdog && end?.time == .seconds(5))
        }
    }

    @Test func theBackgroundLoopStopsByItself() async throws {
        try await withVirtualDevice { device in
            let app = try install("BackgroundLoop", on: device)
            await device.launch(app)
            await device.home()
            await device.advance(by: .seconds(60))
            #expect(app.state == .suspended && app.expirations.isEmpty && app.terminations.isEmpty)
            #expect(app.output.contains("time is nearly up"))
        }
    }

    @Test func theOverstayerIsKilled() async throws {
        try await withVirtualDevice { device in
            let app = try install("Overstayer", on: device)
            await device.launch(app)
            await device.home()
            await device.advance(by: .seconds(60))
            let end = try #require(device.expectTermination(of: app))
            #expect(end.code == .taskNotCompleted && end.time == .seconds(30))
            #expect(end.openTasks.map(\.name) == ["overstay"] && app.expirations == ["overstay"])
        }
    }

    @Test func appsThatOptOutAreEndedByHome() async throws {
        try await withVirtualDevice { device in
            let app = try install("OptOut", on: device)
            await device.launch(app)
            await device.home()
            #expect(app.state == .notRunning)
            #expect(app.callbacks.suffix(2) == [.willResignActive, .willTerminate])
            #expect(!app.output.contains("this is never called"))
        }
    }

    @Test func counterIsWokenForALocation() async throws {
        try await withVirtualDevice { device in
            let app = try install("Counter", on: device)
            await device.wake(app, for: .locationMonitoring)
            #expect(
                app.callbacks == [
                    .willFinishLaunching(.locationMonitoring), .didFinishLaunching(.locationMonitoring),
                    .didEnterBackground,
                ])
            await device.advance(by: .seconds(10))
            #expect(app.state == .suspended)
        }
    }

    @Test func aScriptHasNoClockToBeMoved() async {
        await withVirtualDevice { device in
            let error = #expect(throws: InstallationError.self) {
                try device.install(executable: "\(Self.sources)/../Clock/clock.sh")
            }
            #expect(error?.description.contains("the clock of a script") == true)
        }
    }
}
