import RoostTesting
import Testing
import UIKit

@testable import SwiftSix

/// Runs the app's code in the test's process.
@Suite @MainActor struct OutboxTests {
    private func withOutbox(_ test: @MainActor (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("outbox-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        try await test(folder)
    }

    @Test func aMessageIsPersistedForTheNextLaunch() async throws {
        try await withOutbox { folder in
            Outbox(folder: folder).write("hello")
            #expect(Outbox(folder: folder).count == 1)
        }
    }

    @Test func nothingIsStoredWhileTheDeviceIsLocked() async throws {
        try await withOutbox { folder in
            let outbox = Outbox(folder: folder)
            outbox.isLocked = true
            outbox.write("hello")
            #expect(outbox.count == 1 && Outbox(folder: folder).count == 0)
        }
    }

    @Test func anEmptyOutboxLetsTheAppBeSuspended() async throws {
        try await withOutbox { folder in
            let outbox = Outbox(folder: folder)
            try await withVirtualDevice { device in
                let app = try device.install("Chat") { outbox.sendInBackground() }
                await device.launch(app)
                await device.home()
                #expect(app.state == .suspended && app.openTasks.isEmpty)
            }
        }
    }
}
