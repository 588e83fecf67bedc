import RoostTesting
import Testing
import UIKit

@testable import ManagerClass

/// A server that answers after a delay on the device's clock.
private final class SlowServer: BookmarkServer {
    let delay: Duration
    var answer = true
    private(set) var received: [[Bookmark]] = []

    init(delay: Duration) { self.delay = delay }

    func push(_ bookmarks: [Bookmark], completion: @escaping (Bool) -> Void) {
        Task { @MainActor in
            try await DeviceClock().sleep(for: delay)
            received.append(bookmarks)
            completion(answer)
        }
    }
}

private let swift = Bookmark(title: "Swift", url: "https://swift.org")
private let linux = Bookmark(title: "Linux", url: "https://kernel.org")

@Suite(.serialized) @MainActor struct SyncManagerTests {
    /// Runs a test with a device and an app that has two new bookmarks.
    private func withApp(
        _ server: SlowServer, _ test: @MainActor (VirtualDevice, VirtualApp) async throws -> Void
    ) async throws {
        defer { SyncManager.shared.stop() }
        try await withVirtualDevice { device in
            let app = try device.install("Bookmarks") { SyncManager.shared.start(with: server) }
            await device.launch(app)
            SyncManager.shared.add(swift)
            SyncManager.shared.add(linux)
            try await test(device, app)
        }
    }

    @Test func pushesInTheBackgroundAndIsSuspended() async throws {
        let server = SlowServer(delay: .seconds(12))
        try await withApp(server) { device, app in
            await device.home()
            #expect(app.openTasks.map(\.name) == ["Push bookmarks"] && app.state == .background)
            await device.advance(by: .milliseconds(11_999))
            #expect(server.received.isEmpty && app.state == .background)
            await device.advance(by: .milliseconds(1))
            #expect(server.received == [[swift, linux]])
            #expect(SyncManager.shared.pending.isEmpty && app.state == .suspended)
        }
    }

    @Test func anAppWithNothingToPushIsSuspendedAtOnce() async throws {
        let server = SlowServer(delay: .seconds(12))
        try await withApp(server) { device, app in
            await device.home()
            await device.advance(by: .seconds(12))
            await device.launch(app)
            await device.home()
            #expect(app.state == .suspended && app.openTasks.isEmpty && server.received.count == 1)
        }
    }

    @Test func aSlowServerLosesNothing() async throws {
        let server = SlowServer(delay: .seconds(120))
        try await withApp(server) { device, app in
            await device.home()
            await device.advance(by: .seconds(600))
            #expect(app.expirations == ["Push bookmarks"] && app.terminations.isEmpty && app.state == .suspended)
            #expect(SyncManager.shared.pending == [swift, linux])
            #expect(SyncManager.shared.lastError == "out of background time")
        }
    }

    @Test func aFailedSyncIsRetriedNextTime() async throws {
        let server = SlowServer(delay: .seconds(1))
        server.answer = false
        try await withApp(server) { device, app in
            await device.home()
            await device.advance(by: .seconds(1))
            #expect(app.state == .suspended && SyncManager.shared.lastError == "the server is not reachable")
            server.answer = true
            await device.launch(app)
            await device.home()
            await device.advance(by: .seconds(1))
            #expect(server.received.count == 2 && SyncManager.shared.pending.isEmpty)
        }
    }

    /// A bookmark added during a push is pushed the next time. The bookmark is not dropped with the bookmarks that were
    /// pushed.
    @Test func aBookmarkThatComesInBetweenIsKept() async throws {
        let server = SlowServer(delay: .seconds(5))
        try await withApp(server) { device, app in
            await device.home()
            await device.advance(by: .seconds(2))
            await device.launch(app)
            SyncManager.shared.add(Bookmark(title: "Late", url: "https://example.com"))
            await device.advance(by: .seconds(60))
            #expect(server.received.count == 1 && SyncManager.shared.pending.map(\.title) == ["Late"])
        }
    }
}
