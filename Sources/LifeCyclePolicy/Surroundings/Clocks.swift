import LifeCycleModel

/// The offsets of the wall clock and the steady clock from the awake clock. Some deadlines use those two clocks, but
/// the brain is called by the awake clock. `TransferClock` defines the steady clock.
struct Clocks: Hashable, Sendable, Codable {
    /// A change of the clocks since the last event.
    enum Change {
        case none
        /// The device slept.
        case shifted
        /// The wall clock was set, the device was started, or this is the first event.
        case set
    }

    /// The wall clock's reading minus the awake clock's.
    private(set) var wallAhead = Nanoseconds.zero
    private var elapsedAhead = Nanoseconds.zero
    /// The steady clock's reading minus that of CLOCK_BOOTTIME.
    private var steadyAhead = Nanoseconds.zero
    /// The time of the event that is being handled, on the awake clock.
    private(set) var now = Nanoseconds.zero
    /// Whether the clocks have been read: false before the first event.
    private(set) var areRead = false

    /// Reads the clocks at an event.
    ///
    /// `persisted` is the newest reading in the store. The stored reading counts at the first event, and when the
    /// device was started again (`isOtherBoot`). A difference of at most `tolerance` is ignored.
    mutating func read(
        _ moment: Moment, after persisted: TransferClock?, isOtherBoot: Bool, tolerance: Nanoseconds
    ) -> Change {
        let old = self
        now = moment.awake
        guard areRead, !isOtherBoot else {
            adopt(moment)
            let steady = persisted.map { Self.steady(at: moment, after: $0, isOtherBoot: isOtherBoot) } ?? moment.wall
            // The steady clock never goes back.
            if !areRead || old.steadyNow <= steady { steadyAhead = steady - moment.elapsed }
            areRead = true
            return .set
        }
        let isSet = Self.isFar(tolerance, (moment.wall - moment.elapsed) - (old.wallAhead - old.elapsedAhead))
        let isShifted = isSet || Self.isFar(tolerance, (moment.elapsed - moment.awake) - old.elapsedAhead)
        if isShifted { adopt(moment) }
        return isSet ? .set : isShifted ? .shifted : .none
    }

    private mutating func adopt(_ moment: Moment) {
        wallAhead = moment.wall - moment.awake
        elapsedAhead = moment.elapsed - moment.awake
    }

    private static func steady(at now: Moment, after kept: TransferClock, isOtherBoot: Bool) -> Nanoseconds {
        let hasRestarted = isOtherBoot || now.elapsed < kept.elapsed
        return kept.steady + (hasRestarted ? max(.zero, now.wall - kept.wall) : now.elapsed - kept.elapsed)
    }

    private static func isFar(_ tolerance: Nanoseconds, _ difference: Nanoseconds) -> Bool {
        difference.rawValue.magnitude > tolerance.rawValue.magnitude
    }

    var wallNow: Nanoseconds { now + wallAhead }
    var steadyNow: Nanoseconds { now + elapsedAhead + steadyAhead }
    /// The reading to persist, from which the steady clock continues after a restart.
    var persisted: TransferClock { TransferClock(steady: steadyNow, wall: wallNow, elapsed: now + elapsedAhead) }

    func awake(ofWall wall: Nanoseconds) -> Nanoseconds { Self.less(wall, wallAhead) }
    func awake(ofSteady steady: Nanoseconds) -> Nanoseconds { Self.less(steady, elapsedAhead + steadyAhead) }

    private static func less(_ time: Nanoseconds, _ ahead: Nanoseconds) -> Nanoseconds {
        let (difference, overflowed) = time.rawValue.subtractingReportingOverflow(ahead.rawValue)
        return overflowed ? .distantFuture : Nanoseconds(difference)
    }
}
