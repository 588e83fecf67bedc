import RoostTesting
import Testing
import UIKit

@testable import TaskBased

/// Runs the app in the test's process. A task begun by an app always belongs to that app, however long it waits.
@Suite @MainActor struct StoreTests {
    @Test func nothingToFetchEndsTheTaskAtOnce() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("articles-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = ArticleStore(folder: folder)
        for number in 1...3 { try await store.save("there", as: number) }
        try await withVirtualDevice { device in
            let app = try device.install("Reader") { Prefetcher(store: store).prefetch(1...3) }
            await device.launch(app)
            await device.home()
            #expect(app.state == .suspended && app.openTasks.isEmpty)
            #expect(await store.count == 3)
        }
    }
}
