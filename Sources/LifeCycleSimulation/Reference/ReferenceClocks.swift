import LifeCycleModel

/// The wall clock as the system knows it. The system reads it again after the device slept, the clock was set, or the
/// system started. Between two readings, the system's clock may be wrong by a tenth of a second.
struct ReferenceClocks: Hashable, Sendable, Encodable {
    private var isRead = false
    /// The length of the device's sleep that the system has noticed.
    private(set) var sleep = Nanoseconds.zero
    private(set) var wallAhead = Nanoseconds.zero

    /// Reads the clocks at an event. Returns whether they changed.
    mutating func read(_ moment: Moment, isOtherBoot: Bool, tolerance: Nanoseconds) -> Bool {
        let (newSleep, newWall) = (moment.elapsed - moment.awake, moment.wall - moment.awake)
        let isFar = { (span: Nanoseconds) in span > tolerance || span < .zero - tolerance }
        let isSet = isFar((newWall - newSleep) - (wallAhead - sleep))
        guard !isRead || isOtherBoot || isSet || isFar(newSleep - sleep) else { return false }
        (isRead, sleep, wallAhead) = (true, newSleep, newWall)
        return true
    }
}
