import RoostTesting
import XCTest

/// Each launch is a process: a kill loses what is in memory, and files remain.
final class LaunchTests: XCTestCase {
    @MainActor private func withApp(_ test: @MainActor (VirtualDevice, VirtualApp) async throws -> Void) async throws {
        try await withVirtualDevice { device in
            let app = try device.install(executable: "DelegateApp", infoPlist: .file("Sources/DelegateApp/Info.plist"))
            await device.launch(app)
            try await test(device, app)
        }
    }

    @MainActor func testSavedEntriesSurviveAKill() async throws {
        try await withApp { device, app in
            await device.home()
            XCTAssertEqual(app.state, .suspended)
            await device.kill(app)
            await device.advance(by: .seconds(86_400))
            await device.launch(app)
            XCTAssertEqual(app.output, "launched with 0 entries\nsaved 1 entries\nlaunched with 1 entries\n")
            let file = try XCTUnwrap(app.container) + "/Documents/journal.json"
            let entries = try JSONDecoder().decode([String].self, from: Data(contentsOf: URL(fileURLWithPath: file)))
            XCTAssertEqual(entries.count, 1)
        }
    }

    @MainActor func testUnsavedEntriesAreLost() async throws {
        try await withApp { device, app in
            await device.kill(app)
            await device.launch(app)
            XCTAssertEqual(app.output, "launched with 0 entries\nlaunched with 0 entries\n")
        }
    }

    /// The system terminates a suspended app without notification: `applicationWillTerminate` is not called.
    @MainActor func testTheSystemTakesASuspendedApp() async throws {
        try await withApp { device, app in
            await device.home()
            await device.memoryShortage()
            XCTAssertEqual(app.state, .notRunning)
            XCTAssertFalse(app.callbacks.contains(.willTerminate))
            await device.launch(app)
            XCTAssertTrue(app.output.hasSuffix("launched with 1 entries\n"))
        }
    }

    @MainActor func testAMemoryWarningDropsThumbnails() async throws {
        try await withApp { device, app in
            await device.memoryWarning()
            XCTAssertEqual(app.output, "launched with 0 entries\ndropped thumbnails\n")
        }
    }

    @MainActor func testAForceQuitSavesTheJournal() async throws {
        try await withApp { device, app in
            await device.forceQuit(app)
            XCTAssertEqual(app.state, .notRunning)
            await device.launch(app)
            XCTAssertEqual(app.output, "launched with 0 entries\nsaved at the end\nlaunched with 1 entries\n")
        }
    }
}
