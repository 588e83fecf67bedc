package import LifeCycleModel

/// The device's clock, for code that waits. Like `SuspendingClock`, it does not advance while the device sleeps. In a
/// test on a virtual device, it is that device's clock, which advances only when the test says so.
///
/// ```swift
/// let clock = DeviceClock()
/// try await clock.sleep(for: .seconds(60))
/// ```
///
/// Any thread. A clock created in an app's code stays bound to that app's device.
public struct DeviceClock: Clock, Sendable {
    /// A reading in awake time. Instants of different devices' clocks must not be compared.
    public struct Instant: InstantProtocol, Sendable {
        let awake: Nanoseconds

        /// The instant `duration` later.
        public func advanced(by duration: Duration) -> Instant { Instant(awake: awake + Nanoseconds(duration)) }

        /// The duration from this instant to `other`; negative if `other` is earlier.
        public func duration(to other: Instant) -> Duration {
            .nanoseconds(other.awake.rawValue - awake.rawValue)
        }

        /// Whether `left` is earlier than `right`.
        public static func < (left: Instant, right: Instant) -> Bool { left.awake < right.awake }
    }

    private let link: (any HostLink)?

    /// Creates the clock of the device on which the calling app runs.
    public init() { link = CurrentApp.runner?.session.link }

    /// The current instant.
    public var now: Instant { Instant(awake: link?.now ?? AppSession.monotonic) }

    /// One nanosecond.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// Waits until `deadline`. If the app is suspended then, returns once the app resumes.
    ///
    /// - Parameters:
    ///   - deadline: The instant to wait for. If it has passed, returns at once.
    ///   - tolerance: The longest additional delay; ignored on a virtual device, which has none.
    /// - Throws: `CancellationError` if the task is canceled while it waits.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        if let link { return try await link.sleep(until: deadline.awake) }
        let clock = SuspendingClock()
        try await clock.sleep(until: clock.now.advanced(by: now.duration(to: deadline)), tolerance: tolerance)
    }
}

extension Nanoseconds {
    /// A duration in whole nanoseconds; anything beyond 292 years is clamped.
    package init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflowToo) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        self.init(overflow || overflowToo ? (seconds < 0 ? .min : .max) : sum)
    }
}
