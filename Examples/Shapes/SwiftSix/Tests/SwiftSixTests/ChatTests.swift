import RoostTesting
import Testing

/// Each launch is a process.
@Suite @MainActor struct ChatTests {
    private func withApp(_ test: @MainActor (VirtualDevice, VirtualApp) async throws -> Void) async throws {
        try await withVirtualDevice { device in
            let app = try device.install(executable: "SwiftSix", infoPlist: .file("Sources/SwiftSix/Info.plist"))
            await device.set(.passcode(true))
            await device.launch(app)
            try await test(device, app)
        }
    }

    private func lines(_ app: VirtualApp) -> [String] { app.output.split(separator: "\n").map(String.init) }

    /// Forty messages take a second each, and time is nearly up after twenty-five. The current message is the last.
    @Test func sendingStopsBeforeTimeIsUpAndResumesNextTime() async throws {
        try await withApp { device, app in
            await device.home()
            #expect(app.openTasks.map(\.name) == ["Send messages"])
            await device.advance(by: .seconds(600))
            #expect(app.terminations.isEmpty && app.state == .suspended)
            let left = try #require(lines(app).last.flatMap { Int($0.split(separator: " ")[0]) })
            #expect((14...15).contains(left), "\(lines(app))")
            await device.launch(app)
            await device.home()
            await device.advance(by: .seconds(60))
            #expect(lines(app).last == "0 are left" && app.state == .suspended)
        }
    }

    @Test func unsentMessagesSurviveAKill() async throws {
        try await withApp { device, app in
            await device.home()
            await device.advance(by: .seconds(600))
            let left = try #require(lines(app).last.flatMap { Int($0.split(separator: " ")[0]) })
            await device.kill(app)
            await device.launch(app)
            #expect(lines(app).last == "\(left) to be sent")
        }
    }

    @Test func aLockedDeviceKeepsTheFileClosed() async throws {
        try await withApp { device, app in
            await device.lock()
            #expect(app.callbacks.contains(.protectedDataWillBecomeUnavailable))
            await device.advance(by: .seconds(60))
            #expect(lines(app).contains("locked: kept for later"))
            await device.unlock()
            #expect(app.callbacks.contains(.protectedDataDidBecomeAvailable) && app.state == .active)
        }
    }
}
