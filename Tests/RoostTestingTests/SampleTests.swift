import RoostKit
import Testing
import XCTest

@testable import RoostTesting

@Suite @MainActor struct SampleTests {
    @Test func aManagerSyncsAndIsSuspended() async throws {
        let manager = SyncManager()
        defer { manager.unregister() }
        try await withVirtualDevice { device in
            let app = try device.install("Notes") { manager.register() }
            await device.launch(app)
            #expect(app.state == .active)
            #expect(app.callbacks == [.willFinishLaunching(.user), .didFinishLaunching(.user), .didBecomeActive])
            await device.home()
            #expect(app.state == .background)
            #expect(
                app.openTasks.map(\.description) == [
                    "task \"MyTask\", begun SyncManager.swift:\(SyncManager.lineOfBegin)"
                ])
            #expect(app.backgroundTimeRemaining == .seconds(30))
            await device.advance(by: .milliseconds(2_999))
            #expect(manager.synced == 0 && app.state == .background)
            await device.advance(by: .milliseconds(1))
            #expect(manager.synced == 1 && app.state == .suspended)
            await device.advance(by: .seconds(600))
            #expect(app.state == .suspended && app.terminations.isEmpty)
        }
    }

    @Test func aForgottenTaskIsAKillWithItsLine() async throws {
        let manager = SyncManager(forgets: true)
        defer { manager.unregister() }
        let findings = try await Findings.from { device in
            let app = try device.install("Notes") { manager.register() }
            await device.launch(app)
            await device.home()
            await device.advance(by: .seconds(600))
            #expect(app.state == .notRunning && app.expirations == ["MyTask"])
        }
        #expect(
            findings.sentences == [
                "Notes was killed 0x2182bad2 at +30 s: task \"MyTask\", begun SyncManager.swift:\(SyncManager.lineOfBegin), "
                    + "was never ended"
            ])
        // The finding includes the trace.
        #expect(findings.all.first?.contains("+0:25.000  Notes  expiration handler of \"MyTask\"") == true)
    }

    @Test(arguments: [(Policy.iOS4, 600), (.iOS7, 180), (.iOS13, 30)] as [(Policy, Int64)])
    func theKillIsTheGenerations(policy: Policy, seconds: Int64) async throws {
        let manager = SyncManager(forgets: true)
        defer { manager.unregister() }
        _ = try await Findings.from(policy) { device in
            let app = try device.install("Notes") { manager.register() }
            await device.launch(app)
            await device.home()
            await device.advance(by: .seconds(seconds - 1))
            #expect(app.state == .background)
            await device.advance(by: .seconds(1))
            let end = try #require(device.expectTermination(of: app))
            #expect(end.time == .seconds(seconds) && end.code == policy.tasksNotEndedCode)
        }
    }
}

/// The same under XCTest. The method is async: a synchronous one on the main actor aborts the run in Swift 5 mode.
final class SampleXCTests: XCTestCase {
    @MainActor func testAManagerSyncsAndIsSuspended() async throws {
        let manager = SyncManager()
        defer { manager.unregister() }
        try await withVirtualDevice { device in
            let app = try device.install("Notes") { manager.register() }
            await device.launch(app)
            await device.home()
            await device.advance(by: .seconds(600))
            XCTAssertEqual(app.state, .suspended)
            XCTAssertEqual(manager.synced, 1)
        }
    }
}
