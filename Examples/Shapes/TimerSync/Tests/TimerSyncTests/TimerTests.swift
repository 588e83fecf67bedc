import RoostTesting
import XCTest

/// The app's own run loop fires the timers, in a separate process.
final class TimerTests: XCTestCase {
    @MainActor private func withApp(_ test: @MainActor (VirtualDevice, VirtualApp) async throws -> Void) async throws {
        try await withVirtualDevice { device in
            let app = try device.install(executable: "TimerSync", infoPlist: .file("Sources/TimerSync/Info.plist"))
            await device.launch(app)
            try await test(device, app)
        }
    }

    private func lines(_ app: VirtualApp) async -> [String] {
        await app.output.split(separator: "\n").map(String.init)
    }

    @MainActor func testATimerFiresEveryMinuteInTheForeground() async throws {
        try await withApp { device, app in
            await device.advance(by: .seconds(59))
            XCTAssertEqual(app.output, "")
            await device.advance(by: .seconds(301))
            let lines = await lines(app)
            XCTAssertEqual(lines.count, 6)
            XCTAssertEqual(lines.first?.hasPrefix("poll 1 after 6"), true, "\(lines)")
        }
    }

    /// During an hour away there is no poll, and one at the return, not sixty.
    @MainActor func testATimerIsStoppedWhileTheAppIsSuspended() async throws {
        try await withApp { device, app in
            await device.advance(by: .seconds(30))
            await device.home()
            await device.advance(by: .seconds(3600))
            XCTAssertEqual(app.state, .suspended)
            let away = await lines(app)
            XCTAssertEqual(away, ["counted after 40 s"])
            await device.launch(app)
            let back = await lines(app)
            XCTAssertEqual(back, ["counted after 40 s", "poll 1 after 3630 s"])
            await device.advance(by: .seconds(120))
            let later = await lines(app)
            XCTAssertEqual(later.count, 4, "\(later)")
        }
    }

    /// While a background task is open, timers run. The app is suspended when the timer has ended the task.
    @MainActor func testATimerRunsInTheBackgroundAsLongAsATaskIsOpen() async throws {
        try await withApp { device, app in
            await device.advance(by: .seconds(55))
            await device.home()
            await device.advance(by: .milliseconds(9_999))
            XCTAssertEqual(app.state, .background)
            await device.advance(by: .milliseconds(1))
            XCTAssertEqual(app.state, .suspended)
            let lines = await lines(app)
            XCTAssertTrue(lines.contains("counted after 65 s"), "\(lines)")
            XCTAssertTrue(lines.contains { $0.hasPrefix("poll 1") }, "\(lines)")
        }
    }

    /// During a night with the device asleep, its clocks stop, but the date advances.
    @MainActor func testTheDeviceSleeps() async throws {
        try await withApp { device, app in
            await device.home()
            await device.advance(by: .seconds(10))
            await device.sleep(for: .seconds(8 * 3600))
            await device.launch(app)
            let lines = await lines(app)
            XCTAssertEqual(lines.filter { $0.hasPrefix("poll") }.count, 0, "\(lines)")
            await device.advance(by: .seconds(60))
            let later = await self.lines(app)
            XCTAssertEqual(later.filter { $0.hasPrefix("poll") }.count, 1, "\(later)")
        }
    }
}
