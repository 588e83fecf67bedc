import RoostTesting
import Testing

/// Each launch is a process: `Task.sleep` follows the device's clock.
@Suite @MainActor struct PrefetchTests {
    private func withApp(
        _ policy: Policy = .iOS26, _ test: @MainActor (VirtualDevice, VirtualApp) async throws -> Void
    ) async throws {
        try await withVirtualDevice(policy) { device in
            let app = try device.install(executable: "TaskBased", infoPlist: .file("Sources/TaskBased/Info.plist"))
            await device.launch(app)
            await device.home()
            try await test(device, app)
        }
    }

    private func lines(_ app: VirtualApp) -> [String] { app.output.split(separator: "\n").map(String.init) }

    /// Twenty articles need forty seconds, but only thirty are available. The handler cancels the work, which then ends
    /// the task.
    @Test func theWorkIsCanceledInTimeAndResumesNextTime() async throws {
        try await withApp { device, app in
            await device.advance(by: .seconds(600))
            #expect(app.expirations == ["Prefetch"] && app.terminations.isEmpty && app.state == .suspended)
            #expect(lines(app) == ["stopped with 12"])
            await device.launch(app)
            await device.home()
            await device.advance(by: .seconds(16))
            #expect(lines(app).contains("all are there"))
        }
    }

    /// The iPhone of 2013 gave three minutes.
    @Test func anOlderSystemGivesItTheTime() async throws {
        try await withApp(.iOS7) { device, app in
            await device.advance(by: .seconds(39))
            #expect(app.state == .background)
            await device.advance(by: .seconds(1))
            #expect(lines(app).contains("all are there") && app.expirations.isEmpty)
        }
    }

    /// A `Task` without a background task does not prevent suspension: it resumes when the user returns.
    @Test func aTaskAloneKeepsNoAppAwake() async throws {
        try await withApp { device, app in
            await device.advance(by: .seconds(3600))
            #expect(app.state == .suspended && !lines(app).contains("statistics"))
            await device.launch(app)
            #expect(lines(app).contains("statistics"))
        }
    }

    @Test func prefetchedFilesSurviveAKill() async throws {
        try await withApp { device, app in
            await device.advance(by: .seconds(9))
            await device.kill(app)
            await device.launch(app)
            await device.home()
            await device.advance(by: .seconds(600))
            #expect(lines(app).contains("stopped with 16"))
        }
    }
}
