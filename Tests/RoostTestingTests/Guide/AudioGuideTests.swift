import Foundation
import RoostAVFAudio
import RoostTesting
import Testing

@testable import AudioTestApp

/// The test of the guide "Sound".
@Suite(.serialized) @MainActor struct AudioGuideTests {
    @Test func theSongContinuesAfterACall() async throws {
        let song = try Song.file(seconds: 180)
        defer { try? FileManager.default.removeItem(at: song) }
        try await withVirtualDevice { device in
            AppDelegate.song = song
            let app = try device.install(infoPlist: ["UIBackgroundModes": ["audio"]], delegate: AppDelegate.self)
            await device.launch(app)
            let player = try #require((app.delegate as? AppDelegate)?.player)
            await device.home()
            await device.advance(by: .seconds(60))
            #expect(player.isPlaying && app.state == .background)
            await device.beginCall()
            #expect(!player.isPlaying && app.state == .background)
            await device.advance(by: .seconds(10 * 60))
            #expect(app.state == .suspended)
            await device.endCall()
            #expect(player.isPlaying && player.currentTime == 60)
            await device.advance(by: .seconds(2 * 60))
            #expect(!player.isPlaying && app.state == .background)
            await device.advance(by: .seconds(5))
            #expect(app.state == .suspended)
        }
    }
}
