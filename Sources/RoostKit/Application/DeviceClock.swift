package import LifeCycleModel

/// The device's clock, for code that waits: it stands still while the device sleeps, as `SuspendingClock` does, and in a
/// test on a virtual device it is that device's, which moves only when the test says so.
///
/// ```swift
/// let clock = DeviceClock()
/// try await clock.sleep(for: .seconds(60))
/// ```
///
/// From any thread. Made within an app, it keeps to that app's device.
public struct DeviceClock: Clock, Sendable {
    /// An instant of this clock.
    public struct Instant: InstantProtocol, Sendable {
        let awake: Nanoseconds

        /// The instant `duration` later.
        public func advanced(by duration: Duration) -> Instant { Instant(awake: awake + Nanoseconds(duration)) }

        /// How long it is until `other`.
        public func duration(to other: Instant) -> Duration {
            .nanoseconds(other.awake.rawValue - awake.rawValue)
        }

        /// Whether `left` comes before `right`.
        public static func < (left: Instant, right: Instant) -> Bool { left.awake < right.awake }
    }

    private let link: (any HostLink)?

    /// The clock of the device the calling code's app runs on.
    public init() { link = CurrentApp.runner?.session.link }

    /// This instant.
    public var now: Instant { Instant(awake: link?.now ?? AppSession.monotonic) }

    /// The least there is between two instants: a nanosecond.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// Returns at `deadline` or, where the app is suspended then, once it goes on.
    ///
    /// - Parameters:
    ///   - deadline: When to return; at once where it is past.
    ///   - tolerance: How much later it may be; none on a virtual device.
    /// - Throws: `CancellationError` if the task is cancelled meanwhile.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        if let link { return try await link.sleep(until: deadline.awake) }
        let clock = SuspendingClock()
        try await clock.sleep(until: clock.now.advanced(by: now.duration(to: deadline)), tolerance: tolerance)
    }
}

extension Nanoseconds {
    /// A duration, cut to whole nanoseconds; what is longer than 292 years is that long.
    package init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflowToo) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        self.init(overflow || overflowToo ? (seconds < 0 ? .min : .max) : sum)
    }
}
