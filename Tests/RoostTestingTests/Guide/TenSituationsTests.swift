import RoostKit
import RoostTesting
import Testing

/// The ten situations of the guide "Test your background code", which shows these tests word for word.
@Suite(.serialized) @MainActor struct TenSituationsTests {
    @Test func workContinuesAfterTheUserHasLeft() async throws {
        let uploader = Uploader(seconds: 20)
        try await withVirtualDevice { device in
            let app = try device.install { uploader.register() }
            await device.launch(app)
            await device.home()
            #expect(app.state == .background && app.backgroundTimeRemaining == .seconds(30))
            await device.advance(by: .seconds(20))
            #expect(uploader.uploaded == 1 && app.state == .suspended)
        }
    }

    @Test func unfinishedWorkStopsInTime() async throws {
        let uploader = Uploader(seconds: 60)
        try await withVirtualDevice { device in
            let app = try device.install { uploader.register() }
            await device.launch(app)
            await device.home()
            await device.advance(by: .seconds(30))
            #expect(uploader.wasInterrupted && uploader.uploaded == 0)
            #expect(app.state == .suspended && app.terminations.isEmpty)
        }
    }

    @Test func aTaskThatIsNeverEndedIsAKill() async throws {
        try await withVirtualDevice { device in
            let app = try device.install(delegate: Forgetful.self)
            await device.launch(app)
            await device.home()
            await device.advance(by: .seconds(30))
            let end = device.expectTermination(of: app)
            #expect(end?.code == .exception(0x2182_bad2))
            #expect(end?.openTasks.first?.name == "save")
        }
    }

    @Test func savingTakesTooLong() async throws {
        try await withVirtualDevice { device in
            let app = try device.install(delegate: Editor.self)
            device.whileHandling(.didEnterBackground, takes: .seconds(6))
            await device.launch(app)
            await device.home()
            await device.advance(by: .seconds(6))
            #expect(device.expectTermination(of: app)?.code == .watchdog)
        }
    }

    @Test func memoryIsNeededWhileTheAppIsSuspended() async throws {
        Editor.saved = ""
        try await withVirtualDevice { device in
            let app = try device.install(delegate: Editor.self)
            await device.launch(app)
            try #require(app.delegate as? Editor).type("Dear ")
            await device.home()
            await device.memoryShortage()
            #expect(app.state == .notRunning)
            await device.launch(app)
            #expect((app.delegate as? Editor)?.draft == "Dear ")
        }
    }

    @Test func theUserHasSwipedTheAppAway() async throws {
        try await withVirtualDevice { device in
            let app = try device.install(infoPlist: ["UIBackgroundModes": ["remote-notification"]])
            await device.launch(app)
            await device.forceQuit(app)
            await device.wake(app, for: .remoteNotification)
            #expect(app.state == .notRunning && app.wakes == [.user])
            #expect(app.reasons.last?.contains("swiped it away") == true)
            await device.launch(app)
            await device.home()
            await device.wake(app, for: .remoteNotification)
            #expect(app.wakes.last == .remoteNotification)
        }
    }

    @Test func theAppIsLaunchedIntoTheBackground() async throws {
        try await withVirtualDevice { device in
            let app = try device.install(infoPlist: ["UIBackgroundModes": ["location"]], delegate: Tracker.self)
            await device.wake(app, for: .locationMonitoring)
            #expect(
                app.callbacks == [
                    .willFinishLaunching(.locationMonitoring), .didFinishLaunching(.locationMonitoring),
                    .didEnterBackground,
                ])
            #expect((app.delegate as? Tracker)?.wasWokenForLocation == true)
            #expect(app.state == .background)
            await device.advance(by: .seconds(10))
            #expect(app.state == .suspended)
        }
    }

    @Test func aCallComesInAndMemoryRunsLow() async throws {
        try await withVirtualDevice { device in
            let app = try device.install(delegate: Game.self)
            await device.launch(app)
            let game = try #require(app.delegate as? Game)
            await device.interrupt(by: .call)
            #expect(game.isPaused && app.state == .inactive)
            await device.memoryWarning()
            #expect(game.textures == 0)
            await device.dismissInterruption()
            #expect(!game.isPaused && app.state == .active)
        }
    }

    @Test func theScreenIsLocked() async throws {
        try await withVirtualDevice { device in
            let app = try device.install(delegate: Editor.self)
            await device.set(.passcode(true))
            await device.launch(app)
            let editor = try #require(app.delegate as? Editor)
            await device.lock()
            #expect(app.state == .background || app.state == .suspended)
            await device.advance(by: .seconds(60))
            await device.unlock()
            #expect(app.state == .active && !editor.isLocked)
        }
    }

    @Test func aTimerIsDueWhileTheAppIsSuspended() async throws {
        var fired: Duration?
        try await withVirtualDevice { device in
            let app = try device.install {
                Task {
                    // App: it refreshes in a minute.
                    try await DeviceClock().sleep(for: .seconds(60))
                    fired = device.time
                }
            }
            await device.launch(app)
            await device.advance(by: .seconds(10))
            await device.home()
            await device.advance(by: .seconds(3600))
            #expect(fired == nil)
            await device.launch(app)
            #expect(fired == .seconds(3610))
        }
    }

    @Test func anUnmodifiedAppSyncs() async throws {
        try await withVirtualDevice { device in
            let app = try device.install(executable: "RoostTestingTestApp")
            await device.launch(app)
            await device.home()
            #expect(app.openTasks.first?.name == "MyTask")
            await device.advance(by: .seconds(3))
            #expect(app.state == .suspended)
            await device.kill(app)
            await device.launch(app)
            #expect(app.output.contains("sync 1 of this launch"))
        }
    }
}
