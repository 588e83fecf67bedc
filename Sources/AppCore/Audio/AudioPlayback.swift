import LifeCycleModel

/// A player of the app, and its position in its sound.
struct AudioPlayback: Hashable, Sendable {
    let id: AudioPlayerID
    /// The length of the sound.
    let length: Nanoseconds
    /// The number of repetitions that are left; negative: without end.
    private(set) var loops: Int64 = 0
    /// The position in the sound when the player last started, or stopped.
    private(set) var start = Nanoseconds.zero
    /// The time at which the player started, on CLOCK_MONOTONIC; nil if it does not play.
    private(set) var startedAt: Nanoseconds?

    init(id: AudioPlayerID, length: Nanoseconds) { (self.id, self.length) = (id, max(.zero, length)) }

    /// The position in the sound at a time.
    func position(at now: Nanoseconds) -> Nanoseconds { place(at: now).position }

    /// The time at which the player ends, on CLOCK_MONOTONIC; nil if it does not play, or repeats its sound without end.
    /// An empty sound ends at once.
    var end: Nanoseconds? {
        guard let startedAt, loops >= 0 || length == .zero else { return nil }
        if length == .zero { return startedAt }
        let (all, isTooLong) = length.rawValue.multipliedReportingOverflow(by: loops + 1)
        return isTooLong ? nil : startedAt + (Nanoseconds(all) - start)
    }

    /// The sound that is to be audible; nil if the player does not play.
    var sound: AudibleSound? {
        startedAt.map { AudibleSound(player: id, length: length, start: start, startedAt: $0, end: end) }
    }

    /// Whether it plays, and its sound is not over.
    func isPlaying(at now: Nanoseconds) -> Bool { startedAt != nil && end.map { now < $0 } ?? true }

    mutating func play(at now: Nanoseconds) { if startedAt == nil { startedAt = now } }

    mutating func pause(at now: Nanoseconds) {
        guard startedAt != nil else { return }
        (start, loops) = place(at: now)
        startedAt = nil
    }

    mutating func seek(to position: Nanoseconds, at now: Nanoseconds) {
        pause(at: now)
        start = min(max(.zero, position), length)
    }

    mutating func setLoops(_ loops: Int, at now: Nanoseconds) {
        pause(at: now)
        self.loops = min(Int64(loops), 1 << 31)
    }

    /// The sound is over. The next start begins it again.
    mutating func finish() { (start, startedAt, loops) = (.zero, nil, 0) }

    /// The position, and the repetitions that are left. An empty sound has one position.
    private func place(at now: Nanoseconds) -> (position: Nanoseconds, loops: Int64) {
        guard let startedAt else { return (start, loops) }
        let played = start + max(.zero, now - startedAt)
        guard length > .zero else { return (.zero, loops) }
        let (passes, rest) = played.rawValue.quotientAndRemainder(dividingBy: length.rawValue)
        if loops < 0 { return (Nanoseconds(rest), loops) }
        return passes > loops ? (length, 0) : (Nanoseconds(rest), loops - passes)
    }
}
