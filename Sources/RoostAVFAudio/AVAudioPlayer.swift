public import Foundation
import LifeCycleModel

/// A player of a sound.
///
/// The sound is linear PCM in a WAV, AIFF or CAF file. Its header gives the length. The player takes that time on the
/// device's clock, and what is audible follows it. The sound goes to the sound server, PulseAudio or PipeWire, if the
/// system has found one. Without one, and on a virtual device, the player is silent.
///
/// Players belong to the main thread. An app can play at most 64 of them at once. A player that is released stops.
@preconcurrency @MainActor open class AVAudioPlayer: NSObject {
    /// The object that is told of the end of the sound.
    open weak var delegate: (any AVAudioPlayerDelegate)?

    /// The file of the sound; nil for a sound in memory.
    public let url: URL?
    /// The sound in memory; nil for a file.
    public let data: Data?

    /// The number of repetitions after the first pass; negative: until the player is stopped.
    open var numberOfLoops = 0 {
        didSet { if numberOfLoops != oldValue { player.setLoops(numberOfLoops) } }
    }

    /// The volume from 0 to 1. A change is audible soon.
    open var volume: Float {
        get { player.source.volume }
        set { if !newValue.isNaN { player.source.volume = min(max(newValue, 0), 1) } }
    }

    private let player: CorePlayer

    /// Creates a player of a file.
    ///
    /// - Parameters:
    ///   - url: The URL of a file.
    ///   - utiString: No effect: the file's header says its type.
    /// - Throws: An `NSError` of the domain `NSOSStatusErrorDomain`: -43 if the file cannot be read,
    ///   1954115647 ('typ?') if it is no WAV, AIFF or CAF file, 1718449215 ('fmt?') if it is compressed.
    public init(contentsOf url: URL, fileTypeHint utiString: String?) throws {
        player = CorePlayer(try SoundSource(of: url))
        (self.url, data) = (url, nil)
        super.init()
        player.calls.add(self, player.id)
    }

    /// Creates a player of a file.
    ///
    /// - Throws: The errors of `init(contentsOf:fileTypeHint:)`.
    public convenience init(contentsOf url: URL) throws { try self.init(contentsOf: url, fileTypeHint: nil) }

    /// Creates a player of a sound in memory: the content of a file.
    ///
    /// - Throws: The errors of `init(contentsOf:fileTypeHint:)` for a file that exists.
    public init(data: Data, fileTypeHint utiString: String?) throws {
        player = CorePlayer(try SoundSource(of: data))
        (url, self.data) = (nil, data)
        super.init()
        player.calls.add(self, player.id)
    }

    /// Creates a player of a sound in memory: the content of a file.
    ///
    /// - Throws: The errors of `init(data:fileTypeHint:)`.
    public convenience init(data: Data) throws { try self.init(data: data, fileTypeHint: nil) }

    // MARK: Playing

    /// Does nothing. Returns true.
    @discardableResult open func prepareToPlay() -> Bool { true }

    /// Plays the sound from `currentTime` on, which activates the app's audio session. Returns false if the session
    /// cannot be activated, or if 64 other players play.
    ///
    /// With the mode `audio` in `UIBackgroundModes` and a category such as `playback`, the player continues when the
    /// app leaves the foreground, and keeps the app running there.
    @discardableResult open func play() -> Bool { player.play() }

    /// Pauses the sound. The session stays active. In the background the app may be suspended soon.
    open func pause() { player.pause() }

    /// The same as `pause()`: the sound does not return to its beginning.
    open func stop() { player.pause() }

    /// Whether the player plays. False after the end, and after the system has deactivated or interrupted the session.
    open var isPlaying: Bool { player.isPlaying }

    /// The length of the sound in seconds, without repetitions.
    open var duration: TimeInterval { player.source.length.seconds }

    /// The position in the sound in seconds. A new position is at least 0 and at most `duration`.
    open var currentTime: TimeInterval {
        get { player.position.seconds }
        set { player.seek(to: Nanoseconds(seconds: min(max(newValue, 0), duration))) }
    }

    /// The sound is over. The next start begins it again, with all repetitions.
    func finished() {
        player.setLoops(numberOfLoops)
        delegate?.audioPlayerDidFinishPlaying(self, successfully: true)
    }
}

extension Nanoseconds {
    fileprivate var seconds: TimeInterval { TimeInterval(rawValue) / 1e9 }

    /// Zero if the number of seconds is no time.
    fileprivate init(seconds: TimeInterval) { self.init(Int64(exactly: (seconds * 1e9).rounded()) ?? 0) }
}
