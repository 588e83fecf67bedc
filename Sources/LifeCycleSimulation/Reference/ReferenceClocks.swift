import LifeCycleModel

/// The wall clock as the system knows it. The system reads it again after the device slept, the clock was set, or the
/// system started. Between two readings, the system's clock may be wrong by a tenth of a second.
struct ReferenceClocks: Hashable, Sendable, Encodable {
    private var isRead = false
    /// The length of the device's sleep that the system has noticed.
    private(set) var sleep = Nanoseconds.zero
    private(set) var wallAhead = Nanoseconds.zero
    /// How far the steady clock is ahead of the time since boot, and its last reading.
    private(set) var steadyAhead = Nanoseconds.zero
    private var lastSteady = Nanoseconds.zero

    /// Reads the clocks at an event. Returns whether they changed.
    ///
    /// The steady clock continues from the newest reading on disk. Without one, it begins at the wall clock.
    mutating func read(
        _ moment: Moment, after stored: TransferClock?, isOtherBoot: Bool, tolerance: Nanoseconds
    ) -> Bool {
        defer { lastSteady = moment.awake + sleep + steadyAhead }
        if !isRead || isOtherBoot {
            var steady = moment.wall
            if let stored {
                let isSameBoot = !isOtherBoot && stored.elapsed <= moment.elapsed
                let passed = isSameBoot ? moment.elapsed - stored.elapsed : max(.zero, moment.wall - stored.wall)
                steady = stored.steady + passed
            }
            if !isRead || lastSteady <= steady { steadyAhead = steady - moment.elapsed }
        }
        let (newSleep, newWall) = (moment.elapsed - moment.awake, moment.wall - moment.awake)
        let isFar = { (span: Nanoseconds) in span > tolerance || span < .zero - tolerance }
        let isSet = isFar((newWall - newSleep) - (wallAhead - sleep))
        guard !isRead || isOtherBoot || isSet || isFar(newSleep - sleep) else { return false }
        (isRead, sleep, wallAhead) = (true, newSleep, newWall)
        return true
    }
}
