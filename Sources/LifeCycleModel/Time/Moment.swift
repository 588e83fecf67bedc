/// An instant, read from three clocks at once. `nextDeadline` of the brain is on the awake clock.
public struct Moment: Hashable, Sendable, Codable {
    /// CLOCK_MONOTONIC, which stops while the device sleeps. Watchdogs, wakes and background time use it.
    public var awake: Nanoseconds
    /// CLOCK_BOOTTIME, which continues while the device sleeps.
    public var elapsed: Nanoseconds
    /// CLOCK_REALTIME, since 1970 in UTC; it may be set forward or back.
    public var wall: Nanoseconds

    /// An instant with these readings.
    public init(awake: Nanoseconds, elapsed: Nanoseconds, wall: Nanoseconds) {
        self.awake = awake
        self.elapsed = elapsed
        self.wall = wall
    }

    /// The instant at which all three clocks read zero.
    public static let zero = Moment(awake: .zero, elapsed: .zero, wall: .zero)

    /// The instant `span` later, if the device stays awake and its clock is not set.
    public func advanced(by span: Nanoseconds) -> Moment {
        Moment(awake: awake + span, elapsed: elapsed + span, wall: wall + span)
    }
}
