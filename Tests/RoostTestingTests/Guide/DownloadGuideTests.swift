import Foundation
import RoostTesting
import RoostURLSession
import Testing

// The downloader of the guide "Test your background code", as iOS developers write it.

/// Downloads episodes, and keeps their data.
@MainActor final class EpisodeStore: NSObject, URLSessionDownloadDelegate {
    private(set) var episodes: [Data] = []
    private var session: URLSession?

    func register() {
        session = URLSession(
            configuration: .background(withIdentifier: "episodes"), delegate: self, delegateQueue: .main)
    }

    func download(_ url: URL) { session?.downloadTask(with: url).resume() }

    nonisolated func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {
        guard let episode = try? Data(contentsOf: location) else { return }
        MainActor.assumeIsolated { episodes.append(episode) }
    }
}

@Suite(.serialized) @MainActor struct DownloadGuideTests {
    @Test func anEpisodeComesWhileTheAppIsSuspended() async throws {
        let store = EpisodeStore()
        let episode = try #require(URL(string: "https://example.org/1.mp3"))
        try await withVirtualDevice { device in
            await device.network(.wifi, bytesPerSecond: 100_000)
            device.serve([UInt8](repeating: 7, count: 6_000_000), at: "https://example.org/1.mp3")
            let app = try device.install { store.register() }
            await device.launch(app)
            store.download(episode)
            await device.home()
            #expect(app.state == .suspended)
            await device.advance(by: .seconds(30))
            // The device is in a tunnel, without a network.
            await device.network(.none)
            await device.advance(by: .seconds(3600))
            #expect(store.episodes.isEmpty)
            await device.network(.wifi)
            await device.advance(by: .seconds(31))
            #expect(store.episodes.map(\.count) == [6_000_000] && app.wakes.last == .urlSession)
            #expect(app.state == .suspended)
        }
    }
}
