import AppCore
import Foundation
import LifeCycleModel
import Synchronization

/// The audible sounds of an app. Any thread.
///
/// They go to the server at the address in `PULSE_SERVER`, which the system sets if there is one. Without it, and on a
/// virtual device, players are silent.
final class SoundOutputs: Sendable {
    private struct Entry {
        let sound: AudibleSound
        let output: SoundOutput
    }

    /// The most streams at a time. PulseAudio accepts 64 connections from all programs together.
    private static let most = 32
    /// How long to wait for the sounds that stop. A server that hangs may keep them.
    private static let patience = DispatchTimeInterval.milliseconds(200)
    /// The same if nothing may be audible: the app may be frozen soon.
    private static let longPatience = DispatchTimeInterval.seconds(1)
    /// The longest time until the server is tried again, in seconds.
    private static let longestPause = 64

    private struct State {
        var sources: [AudioPlayerID: SoundSource] = [:]  // ordered: looked up only
        var playing: [AudioPlayerID: Entry] = [:]  // ordered: one output does not depend on another
        /// The outputs that have not ended, also those whose time is over, by their numbers.
        var running: [Int: SoundOutput] = [:]  // ordered: one output does not depend on another
        var lastOutput = 0
        /// Whether a sound did not stop in time. No call waits for the server until a sound ends.
        var isHung = false
        var reported: String?
        /// The time until the server is tried again, in seconds.
        var pause = 1
    }

    /// The address of this process's sound server; nil if there is none.
    static var server: String? { getenv("PULSE_SERVER").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 } }

    private let server: String?
    private let wanted: @Sendable () -> [AudibleSound]?
    private let now: @Sendable () -> Nanoseconds
    private let log: @Sendable (String) -> Void
    private let state = Mutex(State())

    /// Creates the sounds of an app.
    ///
    /// - Parameters:
    ///   - server: The server's address; nil without a server.
    ///   - wanted: The sounds that are to be audible; nil if nothing may be audible, not even the rest of a sound.
    ///   - now: The time on CLOCK_MONOTONIC.
    ///   - log: Writes a line to the app's log.
    init(
        server: String?, wanted: @escaping @Sendable () -> [AudibleSound]?, now: @escaping @Sendable () -> Nanoseconds,
        log: @escaping @Sendable (String) -> Void
    ) {
        (self.server, self.wanted, self.now, self.log) = (server, wanted, now, log)
    }

    deinit { state.withLock { state in for output in state.running.values { output.stop() } } }

    /// The number of streams.
    var count: Int { state.withLock { $0.running.count } }

    /// Adds the sound of a player.
    func add(_ source: SoundSource, of player: AudioPlayerID) { state.withLock { $0.sources[player] = source } }

    /// Removes the sound of a player.
    func remove(_ player: AudioPlayerID) { state.withLock { $0.sources[player] = nil } }

    /// Starts and stops sounds until those are audible that are wanted. A sound whose time is over is played to its end
    /// if anything may be audible. Returns when the others have stopped, or after 0.2 s if the server hangs (1 s if
    /// nothing may be audible).
    func follow() {
        guard let server else { return }
        state.withLock { state in
            let (wanted, now) = (wanted(), now())
            guard let wanted else { return stopAll(&state) }
            var stopping: [SoundOutput] = []
            for (player, entry) in state.playing {
                if let sound = wanted.first(where: { $0.continues(entry.sound) }) {
                    if sound == entry.sound { continue }
                    if entry.output.change(to: sound) {
                        state.playing[player] = Entry(sound: sound, output: entry.output)
                        continue
                    }
                } else if entry.sound.end.map({ now < $0 }) ?? true {
                    stopping.append(entry.output)
                }
                state.playing[player] = nil
            }
            stop(stopping, within: Self.patience, &state)
            for sound in wanted where state.playing[sound.player] == nil && state.running.count < Self.most {
                start(sound, server, &state)
            }
        }
    }

    private func start(_ sound: AudibleSound, _ server: String, _ state: inout State) {
        guard let source = state.sources[sound.player], let layout = source.layout else { return }
        state.lastOutput += 1
        let number = state.lastOutput
        let output = SoundOutput(number, sound, of: source, layout, to: server, now: now) { [weak self] in
            self?.ended(number, $0)
        }
        state.running[number] = output
        state.playing[sound.player] = Entry(sound: sound, output: output)
    }

    private func stopAll(_ state: inout State) {
        state.playing = [:]
        stop(Array(state.running.values), within: Self.longPatience, &state)
    }

    private func stop(_ outputs: [SoundOutput], within patience: DispatchTimeInterval, _ state: inout State) {
        for output in outputs { output.stop() }
        let deadline = DispatchTime.now() + patience
        for output in outputs where !state.isHung {
            if output.wait(until: deadline) { state.running[output.number] = nil } else { state.isHung = true }
        }
    }

    /// An output has ended; `reason` is why it was not completely audible.
    private func ended(_ number: Int, _ reason: String?) {
        let (isNew, pause) = state.withLock { state -> (Bool, Int) in
            state.running[number] = nil
            state.isHung = false
            guard let reason else {
                (state.reported, state.pause) = (nil, 1)
                return (false, 0)
            }
            for (player, entry) in state.playing where entry.output.number == number { state.playing[player] = nil }
            defer { (state.reported, state.pause) = (reason, min(2 * state.pause, Self.longestPause)) }
            return (state.reported != reason, state.pause)
        }
        guard let reason, let server else { return }
        if isNew { log("The sound server \(server) cannot be used, so nothing is audible: \(reason)") }
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(pause)) { [weak self] in self?.follow() }
    }
}
