import Foundation
import LifeCycleModel
import PulseAudioPeer
import Synchronization
import Testing

@testable import AppCore
@testable import RoostAVFAudio

/// The sound of a player at a real sound server, by a clock that the test moves.
@Suite(.wherePulseAudioIs) struct SoundOutputTests {
    private static let rate = RealPulseAudio.rate
    /// A quarter of a second. Each sample says its place.
    private static let ramp = (0..<rate / 4).map { Int16(20 + $0) }
    private static let length = Nanoseconds.milliseconds(250)

    /// The sounds of an app that has one player.
    private final class App: Sendable {
        let source: SoundSource
        let outputs: SoundOutputs
        let player = AudioPlayerID(1)
        private let clock: Clock

        private final class Clock: Sendable {
            let now = Mutex(Nanoseconds.seconds(1000))
            let lines = Mutex<[String]>([])
            let wanted = Mutex<[AudibleSound]?>([])
            let hasLogged = DispatchSemaphore(value: 0)
        }

        init(_ sound: WaveFile, _ server: String) throws {
            let clock = Clock()
            self.clock = clock
            source = try SoundSource(of: sound.content)
            outputs = SoundOutputs(
                server: server, wanted: { clock.wanted.withLock { $0 } }, now: { clock.now.withLock { $0 } },
                log: { line in
                    clock.lines.withLock { $0.append(line) }
                    clock.hasLogged.signal()
                })
            outputs.add(source, of: player)
        }

        var now: Nanoseconds { clock.now.withLock { $0 } }

        func advance(by time: Nanoseconds) { clock.now.withLock { $0 = $0 + time } }

        /// Plays from a position on, beginning now.
        func play(from start: Nanoseconds = .zero, passes: Int64?, since past: Nanoseconds = .zero) -> AudibleSound {
            let begin = now - past
            let length = source.length
            let sound = AudibleSound(
                player: player, length: length, start: start, startedAt: begin,
                end: passes.map { begin + Nanoseconds(length.rawValue * $0) - start })
            wants([sound])
            return sound
        }

        /// Wants these sounds; nil if nothing may be audible.
        func wants(_ sounds: [AudibleSound]?) {
            clock.wanted.withLock { $0 = sounds }
            outputs.follow()
        }

        func waitForLog() -> [String] {
            clock.hasLogged.wait()
            return clock.lines.withLock { $0 }
        }
    }

    private static func isClose(_ heard: some Sequence<Int16>, _ samples: some Sequence<Int16>) -> Bool {
        let (heard, samples) = (Array(heard), Array(samples))
        // The server may round in another way.
        return heard.count == samples.count && zip(heard, samples).allSatisfy { abs(Int($0) - Int($1)) <= 1 }
    }

    @Test func aSoundIsHeardOnce() throws {
        let server = try RealPulseAudio()
        let app = try App(WaveFile(rate: Self.rate, samples: Self.ramp), server.address)
        _ = app.play(passes: 1)
        let heard = try server.wait(forSamples: Self.ramp.count)
        #expect(Self.isClose(heard, Self.ramp))
        app.advance(by: Self.length)
        app.wants([])
        try server.wait(forStreams: 0)
        #expect(try server.recording().count == Self.ramp.count)
    }

    /// The rest of a sound whose time is over ends with the right to be audible.
    @Test func nothingIsLeftIfNothingMayBeAudible() throws {
        let server = try RealPulseAudio()
        let app = try App(WaveFile(rate: Self.rate, samples: Self.ramp), server.address)
        _ = app.play(passes: 1)
        try server.wait(forStreams: 1)
        app.advance(by: Self.length)
        app.wants([])
        app.wants(nil)
        #expect(app.outputs.count == 0)
    }

    /// The server is tried again while a sound plays.
    @Test func aSoundReturnsWithTheServer() throws {
        let server = try RealPulseAudio()
        let app = try App(WaveFile(rate: Self.rate, samples: Self.ramp), server.address)
        _ = app.play(passes: nil)
        try server.wait(forStreams: 1)
        server.kill()
        #expect(app.waitForLog().count == 1)
        try server.restart()
        try server.wait(forStreams: 1)
    }

    /// All of a short sound is written long before its end. More repetitions are audible nevertheless.
    @Test func laterRepetitionsAreHeard() throws {
        let server = try RealPulseAudio()
        let app = try App(WaveFile(rate: Self.rate, samples: Self.ramp), server.address)
        let first = app.play(passes: 1)
        _ = try server.wait(forSamples: Self.ramp.count)
        app.advance(by: .milliseconds(100))
        let longer = app.play(from: .milliseconds(100), passes: 3)
        #expect(longer.continues(first))
        let heard = try server.wait(forSamples: 3 * Self.ramp.count)
        #expect(Self.isClose(heard, Self.ramp + Self.ramp + Self.ramp))
        #expect(try server.streams() == 1)
    }

    @Test func aStoppedSoundContinuesAtItsPosition() throws {
        let server = try RealPulseAudio()
        let app = try App(WaveFile(rate: Self.rate, samples: Self.ramp), server.address)
        _ = app.play(passes: nil)
        try server.wait(forStreams: 1)
        app.wants([])
        try server.wait(forStreams: 0)
        try server.forget()
        _ = app.play(from: .milliseconds(100), passes: 2)
        let heard = try server.wait(forSamples: 2 * Self.ramp.count - Self.rate / 10)
        #expect(Self.isClose(heard, Self.ramp.dropFirst(Self.rate / 10) + Self.ramp))
    }

    /// After a long delay of the server or of the app, old sound is not audible.
    @Test func aLateSoundSkips() throws {
        let server = try RealPulseAudio()
        let app = try App(WaveFile(rate: Self.rate, samples: Self.ramp), server.address)
        _ = app.play(passes: 42, since: .milliseconds(10_100))
        let heard = try server.wait(forSamples: 2 * Self.ramp.count - Self.rate / 10)
        #expect(Self.isClose(heard, Self.ramp.dropFirst(Self.rate / 10) + Self.ramp))
    }

    @Test func theVolumeCounts() throws {
        let server = try RealPulseAudio()
        let app = try App(WaveFile(rate: Self.rate, samples: Self.ramp), server.address)
        app.source.volume = 0.5
        _ = app.play(passes: 1)
        let heard = try server.wait(forSamples: Self.ramp.count)
        #expect(Self.isClose(heard, Self.ramp.map { $0 / 2 }))
    }

    /// Front left and right, center, low frequencies, rear left and right.
    @Test func sixChannelsKeepTheirOrder() throws {
        let server = try RealPulseAudio(channels: 6)
        let frames = (0..<Self.rate / 4).flatMap { _ in (1...6).map { Int16($0 * 1000) } }
        let app = try App(WaveFile(rate: Self.rate, channels: 6, samples: frames), server.address)
        _ = app.play(passes: 1)
        #expect(Self.isClose(try server.wait(forSamples: frames.count), frames))
    }

    /// A server that hangs holds the app up once, and not once for each sound.
    @Test func aHungServerIsNotWaitedFor() throws {
        let server = try RealPulseAudio()
        let app = try App(WaveFile(rate: Self.rate, samples: Self.ramp), server.address)
        _ = app.play(passes: nil)
        try server.wait(forStreams: 1)
        server.pause()
        app.wants([])
        // Each of these would wait, too.
        for _ in 0..<1000 {
            _ = app.play(passes: nil)
            app.wants([])
        }
        server.resume()
        try server.wait(forStreams: 0)
        while app.outputs.count > 0 { poll(nil, 0, 20) }
        _ = app.play(passes: nil)
        try server.wait(forStreams: 1)
    }

    @Test func aMissingServerIsReported() throws {
        let app = try App(WaveFile(rate: Self.rate, samples: Self.ramp), "unix:/tmp/no-such-server")
        _ = app.play(passes: 1)
        let lines = app.waitForLog()
        #expect(lines.count == 1 && lines[0].contains("unix:/tmp/no-such-server"), "\(lines)")
    }

    @Test func aFileThatShrinksIsSilenceFromThere() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("short-\(UUID().uuidString).wav")
        defer { try? FileManager.default.removeItem(at: file) }
        try WaveFile(rate: Self.rate, samples: Self.ramp).content.write(to: file)
        let source = try SoundSource(of: file)
        #expect(source.length == Self.length && source.read(4, at: 44) == [20, 0, 21, 0])
        truncate(file.path, 46)
        #expect(source.read(4, at: 44) == [20, 0] && source.read(4, at: 1 << 40).isEmpty)
    }
}
