import RoostTesting
import XCTest

/// Each launch is a process: a kill resets globals, and saved data remains.
@MainActor
final class WakeTests: XCTestCase {

    private func withApp(_ test: @MainActor (VirtualDevice, VirtualApp) async throws -> Void) async throws {
        try await withVirtualDevice { device in
            let app = try device.install(executable: "SwiftFive", infoPlist: .file("Sources/SwiftFive/Info.plist"))
            try await test(device, app)
        }
    }

    private func lines(_ app: VirtualApp) -> [String] { app.output.split(separator: "\n").map(String.init) }

    func testTheSystemLaunchesItForAPlace() async throws {
        try await withApp { device, app in
            await device.wake(app, for: .locationMonitoring)
            XCTAssertEqual(app.state, .background)
            XCTAssertEqual(app.wakes, [.locationMonitoring])
            XCTAssertFalse(app.callbacks.contains(.didBecomeActive))
            await device.advance(by: .seconds(3))
            XCTAssertEqual(lines(app).first, "launched for a place, in the background")
            XCTAssertTrue(lines(app).contains("sent 1"))
            await device.advance(by: .seconds(60))
            XCTAssertEqual(app.state, .suspended)
        }
    }

    func testTheUploadCompletesInTime() async throws {
        try await withApp { device, app in
            await device.launch(app)
            await device.home()
            await device.advance(by: .milliseconds(2_999))
            XCTAssertEqual(app.openTasks.map(\.name), ["MyTask"])
            await device.advance(by: .milliseconds(1))
            XCTAssertEqual(app.state, .suspended)
            XCTAssertEqual(lines(app), ["saved 0", "sent 0"])
        }
    }

    func testAKillEmptiesAGlobal() async throws {
        try await withApp { device, app in
            await device.wake(app, for: .locationMonitoring)
            await device.advance(by: .seconds(60))
            await device.kill(app)
            await device.launch(app)
            await device.home()
            await device.advance(by: .seconds(3))
            XCTAssertTrue(lines(app).suffix(2).elementsEqual(["saved 1", "sent 1"]), app.output)
        }
    }

    func testTheUserHasTurnedItOff() async throws {
        try await withApp { device, app in
            await device.forceQuit(app)
            await device.wake(app, for: .locationMonitoring)
            await device.advance(by: .seconds(60))
            XCTAssertNotEqual(app.state, .active)
        }
    }
}
