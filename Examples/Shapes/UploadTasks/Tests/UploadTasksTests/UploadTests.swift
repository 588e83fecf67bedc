import RoostTesting
import Testing
import UIKit

@testable import UploadTasks

/// A server that receives one megabyte per second on the device's clock, regardless of the number of photos.
private struct SlowServer: PhotoServer {
    struct Refused: Error {}

    var refuses: Set<String> = []

    func upload(_ photo: Photo) async throws {
        try await DeviceClock().sleep(for: .seconds(photo.megabytes))
        if refuses.contains(photo.name) { throw Refused() }
    }
}

@Suite @MainActor struct UploadTests {
    private let photos = [
        Photo(name: "cat", megabytes: 5), Photo(name: "dog", megabytes: 12), Photo(name: "whale", megabytes: 90),
    ]

    private func withApp(
        _ server: SlowServer = SlowServer(),
        _ test: @MainActor (VirtualDevice, VirtualApp, AppDelegate) async throws -> Void
    ) async throws {
        let delegate = AppDelegate(server: server)
        try await withVirtualDevice { device in
            let app = try device.install("Photos") { UIApplication.shared.delegate = delegate }
            await device.launch(app)
            try await test(device, app, delegate)
        }
    }

    private func tasks(_ app: VirtualApp) -> [String] { app.openTasks.map(\.name) }

    @Test func eachUploadHasItsOwnBackgroundTask() async throws {
        try await withApp { device, app, delegate in
            delegate.photosWerePicked(Array(photos.prefix(2)))
            #expect(tasks(app).isEmpty, "in the foreground they cost nothing")
            await device.home()
            #expect(tasks(app) == ["Upload cat", "Upload dog"])
            await device.advance(by: .seconds(5))
            #expect(tasks(app) == ["Upload dog"] && app.state == .background)
            await device.advance(by: .seconds(7))
            #expect(delegate.uploader.uploaded == Array(photos.prefix(2)) && app.state == .suspended)
        }
    }

    @Test func onlyTheSlowUploadIsPostponed() async throws {
        try await withApp { device, app, delegate in
            delegate.photosWerePicked(photos)
            await device.home()
            await device.advance(by: .seconds(600))
            #expect(app.expirations == ["Upload whale"] && app.terminations.isEmpty && app.state == .suspended)
            #expect(delegate.uploader.waiting.map(\.name) == ["whale"])
            // In the foreground there is enough time for it.
            await device.launch(app)
            await device.advance(by: .seconds(90))
            #expect(delegate.uploader.uploaded == photos && delegate.uploader.waiting.isEmpty)
        }
    }

    @Test func aRefusedUploadDoesNotKeepTheAppAwake() async throws {
        try await withApp(SlowServer(refuses: ["cat"])) { device, app, delegate in
            delegate.photosWerePicked([photos[0]])
            await device.home()
            await device.advance(by: .seconds(5))
            #expect(app.state == .suspended && delegate.uploader.waiting.map(\.name) == ["cat"])
        }
    }

    @Test func theSamePhotoTwiceIsOneUpload() async throws {
        try await withApp { device, app, delegate in
            delegate.photosWerePicked([photos[0], photos[0]])
            await device.home()
            #expect(tasks(app) == ["Upload cat"])
            await device.advance(by: .seconds(5))
            #expect(delegate.uploader.uploaded.count == 1)
        }
    }

    @Test func aHundredAtOnceAreAllEnded() async throws {
        try await withApp { device, app, delegate in
            delegate.photosWerePicked((1...100).map { Photo(name: "\($0)", megabytes: $0 % 20 + 1) })
            await device.home()
            #expect(app.openTasks.count == 100)
            await device.advance(by: .seconds(20))
            #expect(delegate.uploader.uploaded.count == 100 && app.state == .suspended)
        }
    }
}
