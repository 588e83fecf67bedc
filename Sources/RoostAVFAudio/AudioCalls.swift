import AppCore
import LifeCycleModel
import RoostKit
import Synchronization

/// The audio session and the players of an app.
final class AudioCalls: ConcernListener {
    private struct Entry {
        weak var player: AVAudioPlayer?
    }

    let session: AVAudioSession
    let outputs: SoundOutputs
    private let entries = Mutex<[AudioPlayerID: Entry]>([:])  // ordered: looked up only

    private init(_ app: AppSession) {
        session = AVAudioSession(of: app)
        // The app keeps this object.
        outputs = SoundOutputs(
            server: app.isHosted ? nil : SoundOutputs.server,
            wanted: { [weak app, hasMode = session.hasMode] in
                app?.readingAudio { core, _ in core.audibleSounds(hasMode: hasMode) }
            }, now: { [weak app] in app?.now ?? .zero }, log: { [weak app] in app?.log($0) })
    }

    static func of(_ app: AppSession) -> AudioCalls {
        guard let calls = app.listener(of: .audio, orMake: { AudioCalls(app) }) as? AudioCalls else {
            preconditionFailure("only this module makes an app's audio listener")
        }
        return calls
    }

    /// The player is not kept alive. Any thread.
    func add(_ player: AVAudioPlayer, _ id: AudioPlayerID) {
        entries.withLock { entries in
            entries = entries.filter { $0.value.player != nil }
            entries[id] = Entry(player: player)
        }
    }

    func follow(_ app: AppSession) { outputs.follow() }

    func deliver(from app: AppSession) {
        // The app's code may cause further calls, which come later: other code of the app runs in between.
        for _ in 0..<app.readingAudio({ core, _ in core.audioDeliveryCount }) {
            guard let delivery = app.nextDelivery({ $0.nextAudioDelivery() }) else { return }
            switch delivery {
            case .interrupted: session.post(.began)
            case .interruptionEnded(let shouldResume):
                let options: AVAudioSession.InterruptionOptions = shouldResume ? .shouldResume : []
                session.post(.ended, options)
            case .finished(let id): entries.withLock { $0[id]?.player }?.finished()
            }
        }
    }
}
