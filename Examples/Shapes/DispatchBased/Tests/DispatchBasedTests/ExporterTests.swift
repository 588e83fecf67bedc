import RoostTesting
import Testing
import UIKit

@testable import DispatchBased

/// Runs the app in the test's process: the device waits until the app's queues are idle.
@Suite @MainActor struct ExporterTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("export-\(UUID())")

    private func withApp(
        _ test: @MainActor (VirtualDevice, VirtualApp, Exporter) async throws -> Void
    ) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let exporter = Exporter(folder: folder, secondsPerRecording: 0)
        try await withVirtualDevice { device in
            let app = try device.install("Recorder")
            await device.launch(app)
            try await test(device, app, exporter)
        }
    }

    @Test func allOfAGroupIsExportedBeforeTheAppIsSuspended() async throws {
        try await withApp { device, app, exporter in
            var exported: [String] = []
            exporter.exportAll((1...50).map { "recording \($0)" }) { exported = $0 }
            await device.home()
            #expect(exported.count == 50 && app.state == .suspended)
            let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(files.count == 50)
        }
    }

    @Test func nothingToExportIsNoReasonToStayAwake() async throws {
        try await withApp { device, app, exporter in
            var isDone = false
            exporter.exportAll([]) { _ in isDone = true }
            await device.home()
            #expect(isDone && app.state == .suspended)
        }
    }

    /// Shows a bug of this app: a `guard` returns before the task is ended. The test reports the line.
    @Test func aGuardThatReturnsTooEarlyIsAKill() async throws {
        try await withApp { device, app, exporter in
            exporter.exportOne("")
            await device.home()
            await device.advance(by: .seconds(600))
            let end = try #require(device.expectTermination(of: app))
            #expect("\(end.code)" == "0x2182bad2" && end.time == .seconds(30))
            #expect(end.openTasks.map(\.description) == ["task \"Export one\", begun Exporter.swift:42"])
        }
    }
}
