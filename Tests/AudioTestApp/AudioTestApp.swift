import AVFAudio
import UIKit

/// Plays a song, also in the background. A phone call interrupts it; after the call it continues.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate, AVAudioPlayerDelegate {
    static var song = Bundle.main.bundleURL.appendingPathComponent("song.wav")

    private let session = AVAudioSession.sharedInstance()
    private(set) var player: AVAudioPlayer?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        NotificationCenter.default.addObserver(
            forName: AVAudioSession.interruptionNotification, object: session, queue: .main
        ) { [weak self] notification in
            let type = notification.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt
            let options = notification.userInfo?[AVAudioSessionInterruptionOptionKey] as? UInt ?? 0
            MainActor.assumeIsolated {
                self?.interruption(
                    type.flatMap { AVAudioSession.InterruptionType(rawValue: $0) },
                    AVAudioSession.InterruptionOptions(rawValue: options))
            }
        }
        do {
            try session.setCategory(.playback, mode: .default)
            player = try AVAudioPlayer(contentsOf: Self.song)
            player?.delegate = self
            // Repeats the song if its Info.plist says so.
            if Bundle.main.object(forInfoDictionaryKey: "RepeatsSong") != nil { player?.numberOfLoops = -1 }
            play()
        } catch {
            print("no song:", error.localizedDescription)
        }
        return true
    }

    private func play() {
        do {
            try session.setActive(true)
            if player?.play() == true { print("plays") }
        } catch {
            print("may not play:", error.localizedDescription)
        }
    }

    private func interruption(
        _ type: AVAudioSession.InterruptionType?, _ options: AVAudioSession.InterruptionOptions
    ) {
        switch type {
        case .began: print("interrupted")
        case .ended: if options.contains(.shouldResume) { play() }
        case nil: break
        }
    }

    func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) { print("finished") }
}
