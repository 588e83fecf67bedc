import AppCore
import CRoostPulse
import Foundation
import LifeCycleModel
import SoundHeaders
import Synchronization

/// A sound on its way to the sound server. A thread reads the samples, and writes them to a stream until the sound is
/// over or stopped. Any thread.
final class SoundOutput: Sendable {
    /// How much of the sound is written at once. A stop may have to wait for it.
    private static let writtenAtOnce = Nanoseconds.milliseconds(50)
    /// How much of the sound the server keeps. The app may be kept from running for this time.
    private static let bufferedMilliseconds: UInt32 = 250
    /// How late the sound may be, because the server or the app was slow. If it is later, it skips to its position.
    private static let longestDelay = Nanoseconds.seconds(2)

    private struct State {
        /// The number of frames after which the sound is over; nil if it repeats without end.
        var end: Int64?
        var isStopped = false
        /// Whether nothing more is written.
        var isWritten = false
    }

    /// The number of this output.
    let number: Int
    private let source: SoundSource
    private let layout: PCMLayout
    private let sound: AudibleSound
    private let now: @Sendable () -> Nanoseconds
    private let state: Mutex<State>
    private let changed = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    /// Starts a sound.
    ///
    /// - Parameters:
    ///   - now: The time on CLOCK_MONOTONIC.
    ///   - report: Is called at the end, on another thread, with the reason if the sound was not completely audible.
    init(
        _ number: Int, _ sound: AudibleSound, of source: SoundSource, _ layout: PCMLayout, to server: String,
        now: @escaping @Sendable () -> Nanoseconds, ended report: @escaping @Sendable (String?) -> Void
    ) {
        (self.number, self.source, self.layout, self.sound, self.now) = (number, source, layout, sound, now)
        state = Mutex(State(end: sound.end.map { layout.frames(in: $0 - sound.startedAt) }))
        Thread.detachNewThread { [self] in
            let reason = write(to: server)
            ended.signal()
            report(reason)
        }
    }

    /// The same sound ends at another time. Returns false if it is too late for that.
    func change(to sound: AudibleSound) -> Bool {
        let end = sound.end.map { layout.frames(in: $0 - self.sound.startedAt) }
        return state.withLock { state in
            state.end = end
            return !state.isWritten
        }
    }

    /// Lets the sound stop soon.
    func stop() {
        state.withLock { $0.isStopped = true }
        changed.signal()
    }

    /// Waits until the sound has ended. Returns false if it has not ended by the deadline.
    func wait(until deadline: DispatchTime) -> Bool {
        guard ended.wait(timeout: deadline) == .success else { return false }
        ended.signal()
        return true
    }

    /// Writes the sound; returns why it was not completely audible.
    private func write(to server: String) -> String? {
        defer { state.withLock { $0.isWritten = true } }
        var reason: UnsafePointer<CChar>?
        let app = ProcessInfo.processInfo.processName
        guard
            let stream = croost_pulse_open(
                server, app, UInt32(layout.rate), UInt8(layout.channels), Self.bufferedMilliseconds, &reason)
        else { return reason.map { String(cString: $0) } }
        defer { croost_pulse_close(stream) }
        let start = layout.frames(in: sound.start)
        var written = Int64(0)
        while true {
            switch next(&written) {
            case .write(let count):
                let samples = samples(count, at: start + written)
                if let reason = croost_pulse_write(stream, samples, samples.count) { return String(cString: reason) }
                written += Int64(count)
            case .wait: _ = changed.wait(timeout: .now() + .milliseconds(50))
            case .drain: return croost_pulse_drain(stream).map { String(cString: $0) }
            case .flush:
                croost_pulse_flush(stream)
                return nil
            }
        }
    }

    private enum Next {
        case write(Int)
        /// All is written, but it is not the time of the end, which may still change.
        case wait
        case drain
        case flush
    }

    /// The next step of the thread after `written` frames. If the sound is late, it skips frames, and `written` grows.
    private func next(_ written: inout Int64) -> Next {
        let elapsed = layout.frames(in: now() - sound.startedAt)
        return state.withLock { state in
            if state.isStopped { return .flush }
            if elapsed - written > layout.frames(in: Self.longestDelay) { written = elapsed }
            let left = state.end.map { $0 - written } ?? .max
            if left > 0 { return .write(Int(min(left, layout.frames(in: Self.writtenAtOnce) + 1))) }
            if let end = state.end, elapsed < end { return .wait }
            state.isWritten = true
            return .drain
        }
    }

    /// The frames from a place on, which may be in a repetition. What the file does not have is silence.
    private func samples(_ count: Int, at place: Int64) -> [Float] {
        let length = max(1, layout.frames(in: source.length))
        let volume = source.volume
        var samples: [Float] = []
        samples.reserveCapacity(count * layout.channels)
        var place = place % length
        while samples.count < count * layout.channels {
            let frames = Int(min(length - place, Int64(count - samples.count / layout.channels)))
            let present = Int(min(max(0, layout.frames - place), Int64(frames)))
            let bytes = source.read(
                present * layout.frameBytes, at: layout.offset + place * Int64(layout.frameBytes))
            let read = layout.samples(in: bytes)
            for sample in read { samples.append(sample * volume) }
            samples.append(contentsOf: repeatElement(0, count: frames * layout.channels - read.count))
            place = 0
        }
        return samples
    }
}

extension PCMLayout {
    /// The number of frames in a time.
    fileprivate func frames(in time: Nanoseconds) -> Int64 {
        let (seconds, rest) = time.rawValue.quotientAndRemainder(dividingBy: 1_000_000_000)
        let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: Int64(rate))
        return isTooLong ? .max / 2 : whole + (rest * Int64(rate) + 500_000_000) / 1_000_000_000
    }
}
