/// An instant, read from three clocks at once: which one counts is each deadline's own matter.
public struct Moment: Hashable, Sendable, Codable {
    /// CLOCK_MONOTONIC: stands still while the device sleeps. Watchdogs, wakes and background time run on it.
    public var awake: Nanoseconds
    /// CLOCK_BOOTTIME: goes on while the device sleeps.
    public var elapsed: Nanoseconds
    /// CLOCK_REALTIME, since 1970 in UTC: may be set back and forth.
    public var wall: Nanoseconds

    /// An instant with these readings.
    public init(awake: Nanoseconds, elapsed: Nanoseconds, wall: Nanoseconds) {
        self.awake = awake
        self.elapsed = elapsed
        self.wall = wall
    }

    /// The instant at which all three clocks read zero.
    public static let zero = Moment(awake: .zero, elapsed: .zero, wall: .zero)

    /// The instant `span` later, the device staying awake and its clock unset.
    public func advanced(by span: Nanoseconds) -> Moment {
        Moment(awake: awake + span, elapsed: elapsed + span, wall: wall + span)
    }
}
