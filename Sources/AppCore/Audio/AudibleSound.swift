public import LifeCycleModel

/// A sound that is to be audible now. Times are on CLOCK_MONOTONIC.
public struct AudibleSound: Hashable, Sendable {
    /// The player of the sound.
    public let player: AudioPlayerID
    /// The length of the sound, without repetitions.
    public let length: Nanoseconds
    /// The position in the sound at which the player started.
    public let start: Nanoseconds
    /// The time at which the player started.
    public let startedAt: Nanoseconds
    /// The time at which the player ends; nil if it repeats the sound without end.
    public let end: Nanoseconds?

    /// Whether this is `older`, whose end may have changed.
    public func continues(_ older: Self) -> Bool {
        if self == older { return true }
        guard player == older.player, length == older.length, length > .zero else { return false }
        let (origin, other) = (startedAt - start, older.startedAt - older.start)
        return (origin - other).rawValue % length.rawValue == 0
    }
}
