import AppCore
import LifeCycleModel
import RoostKit

/// A player in the app's core. Any thread.
final class CorePlayer: Sendable {
    let id: AudioPlayerID
    let source: SoundSource
    let calls: AudioCalls
    private let app: AppSession

    init(_ source: SoundSource) {
        let app = AppSession.current
        self.source = source
        self.app = app
        calls = .of(app)
        id = app.changingAudio { core, _, _ in core.addAudioPlayer(length: source.length) }
        calls.outputs.add(source, of: id)
    }

    /// A player that is released stops.
    deinit {
        if isPlaying { app.keepBeforeSuspension() }
        app.changingAudio { [id] core, _, steps in core.removeAudioPlayer(id, into: &steps) }
        calls.outputs.remove(id)
    }

    var isPlaying: Bool { app.readingAudio { [id] core, now in core.isAudioPlaying(id, at: now) } }

    var position: Nanoseconds { app.readingAudio { [id] core, now in core.audioPosition(of: id, at: now) } }

    func play() -> Bool {
        app.changingAudio { [id, hasMode = calls.session.hasMode] core, now, steps in
            core.playAudio(id, hasMode: hasMode, at: now, into: &steps)
        }
    }

    func pause() {
        app.keepBeforeSuspension()
        app.changingAudio { [id] core, now, steps in core.pauseAudio(id, at: now, into: &steps) }
    }

    func seek(to position: Nanoseconds) {
        app.changingAudio { [id] core, now, steps in core.seekAudio(id, to: position, at: now, into: &steps) }
    }

    func setLoops(_ loops: Int) {
        app.changingAudio { [id] core, now, steps in core.setAudioLoops(id, loops, at: now, into: &steps) }
    }
}
