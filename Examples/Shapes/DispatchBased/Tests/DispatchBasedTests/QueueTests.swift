import RoostTesting
import Testing
import UIKit

/// Each launch is a process: `Thread.sleep` and `asyncAfter` follow the device's clock.
@Suite @MainActor struct QueueTests {
    private func withApp(_ test: @MainActor (VirtualDevice, VirtualApp) async throws -> Void) async throws {
        try await withVirtualDevice { device in
            let app = try device.install(
                executable: "DispatchBased", infoPlist: .file("Sources/DispatchBased/Info.plist"))
            await device.launch(app)
            try await test(device, app)
        }
    }

    private func lines(_ app: VirtualApp) -> [String] { app.output.split(separator: "\n").map(String.init) }

    /// Three recordings of four seconds, two at a time, take eight seconds.
    @Test func twoAtATime() async throws {
        try await withApp { device, app in
            await device.home()
            await device.advance(by: .milliseconds(7_999))
            #expect(app.state == .background && lines(app).isEmpty)
            await device.advance(by: .milliseconds(1))
            #expect(app.state == .suspended && lines(app) == ["exported breakfast, dinner, lunch"])
        }
    }

    /// Work planned with `asyncAfter` does not run during suspension: it is overdue when the user returns.
    @Test func asyncAfterWaitsForTheReturn() async throws {
        try await withApp { device, app in
            await device.home()
            await device.advance(by: .seconds(3600))
            #expect(!lines(app).contains("cleaned up"))
            await device.launch(app)
            #expect(app.state == .active)
        }
    }

    @Test func anEarlyReturnCompletesTheExport() async throws {
        try await withApp { device, app in
            await device.home()
            await device.advance(by: .seconds(5))
            await device.launch(app)
            await device.advance(by: .seconds(60))
            #expect(lines(app) == ["exported breakfast, dinner, lunch"])
        }
    }

    @Test func anExportThatIsKilledLeavesNoHalfFile() async throws {
        try await withApp { device, app in
            await device.home()
            await device.advance(by: .seconds(5))
            await device.kill(app)
            let folder = try #require(app.container) + "/Documents"
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 2)
            await device.launch(app)
            await device.home()
            await device.advance(by: .seconds(8))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 3 && app.state == .suspended)
        }
    }
}
