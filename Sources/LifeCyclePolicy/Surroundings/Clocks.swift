import LifeCycleModel

/// How the wall clock and the steady clock relate to the awake clock. Some deadlines run on those two, but the brain is
/// called by the awake clock. `TransferClock` says what the steady clock is.
struct Clocks: Hashable, Sendable, Codable {
    /// What an event may do to the clocks.
    enum Change {
        case none
        /// The device slept, or this is the first event.
        case shifted
        /// The wall clock was set.
        case set
    }

    /// Two readings of clocks that run alike differ by less than this.
    private static let play = Nanoseconds.milliseconds(100)

    /// What the wall clock reads beyond the awake one.
    private(set) var wallAhead = Nanoseconds.zero
    private var elapsedAhead = Nanoseconds.zero
    /// What the steady clock reads beyond the one that counts from the device's start.
    private var steadyAhead = Nanoseconds.zero
    /// The time of the event that is being handled, on the awake clock.
    private var now = Nanoseconds.zero
    /// False before the first event.
    private(set) var areRead = false

    /// Reads the clocks at an event.
    ///
    /// `persisted` is the newest reading in the store. It counts at the first event, and when the device was started again
    /// (`isOtherBoot`).
    mutating func read(_ moment: Moment, after persisted: TransferClock?, isOtherBoot: Bool) -> Change {
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
        let isSet = Self.isFar((moment.wall - moment.elapsed) - (old.wallAhead - old.elapsedAhead))
        let isShifted = isSet || Self.isFar((moment.elapsed - moment.awake) - old.elapsedAhead)
        if isShifted { adopt(moment) }
        return isSet ? .set : isShifted ? .shifted : .none
    }

    private mutating func adopt(_ moment: Moment) {
        wallAhead = moment.wall - moment.awake
        elapsedAhead = moment.elapsed - moment.awake
    }

    private static func steady(at now: Moment, after kept: TransferClock, isOtherBoot: Bool) -> Nanoseconds {
        let hasStartedAnew = isOtherBoot || now.elapsed < kept.elapsed
        return kept.steady + (hasStartedAnew ? max(.zero, now.wall - kept.wall) : now.elapsed - kept.elapsed)
    }

    private static func isFar(_ difference: Nanoseconds) -> Bool {
        difference.rawValue.magnitude > play.rawValue.magnitude
    }

    var wallNow: Nanoseconds { now + wallAhead }
    var steadyNow: Nanoseconds { now + elapsedAhead + steadyAhead }
    /// What is persisted of this, to go on from.
    var persisted: TransferClock { TransferClock(steady: steadyNow, wall: wallNow, elapsed: now + elapsedAhead) }

    func awake(ofWall wall: Nanoseconds) -> Nanoseconds { Self.less(wall, wallAhead) }
    func awake(ofSteady steady: Nanoseconds) -> Nanoseconds { Self.less(steady, elapsedAhead + steadyAhead) }

    private static func less(_ time: Nanoseconds, _ ahead: Nanoseconds) -> Nanoseconds {
        let (difference, overflowed) = time.rawValue.subtractingReportingOverflow(ahead.rawValue)
        return overflowed ? .distantFuture : Nanoseconds(difference)
    }
}
