import RoostTesting
import Testing

/// Each launch is a process: `Date()` shows the device's time, and saved data remains.
@Suite @MainActor struct PlayTests {
    private func withApp(_ test: @MainActor (VirtualDevice, VirtualApp) async throws -> Void) async throws {
        try await withVirtualDevice { device in
            let app = try device.install(executable: "SceneApp", infoPlist: .file("Sources/SceneApp/Info.plist"))
            await device.launch(app)
            try await test(device, app)
        }
    }

    private func lines(_ app: VirtualApp) -> [String] { app.output.split(separator: "\n").map(String.init) }

    @Test func pausesAreNotPlayed() async throws {
        try await withApp { device, app in
            await device.advance(by: .seconds(10))
            await device.interrupt(by: .call)
            await device.advance(by: .seconds(300))
            await device.dismissInterruption()
            await device.advance(by: .seconds(5))
            await device.home()
            #expect(
                lines(app) == [
                    "restored 0 moves, 0 s", "paused 0 moves, 10 s", "paused 0 moves, 15 s", "saved 0 moves, 15 s",
                ])
        }
    }

    /// The user returns a week later; the system has terminated the suspended app long before.
    @Test func theGameIsRestoredAfterTheSystemHasTakenTheApp() async throws {
        try await withApp { device, app in
            await device.advance(by: .seconds(42))
            await device.send(.touch(x: 10, y: 10), to: app)
            await device.home()
            #expect(app.state == .suspended)
            await device.advance(by: .seconds(7 * 86_400))
            await device.memoryShortage()
            #expect(app.state == .notRunning)
            await device.launch(app)
            #expect(lines(app).last == "restored 1 moves, 42 s")
        }
    }

    /// A kill in the middle of a game loses only the play time since the last save.
    @Test func aKillLosesThePlayTimeSinceTheLastSave() async throws {
        try await withApp { device, app in
            await device.advance(by: .seconds(20))
            await device.lock()
            #expect(app.state == .suspended)
            await device.unlock()
            await device.advance(by: .seconds(100))
            await device.kill(app)
            await device.launch(app)
            #expect(lines(app).last == "restored 0 moves, 20 s")
        }
    }
}
