import LifeCycleModel

/// How the wall clock and the clock that goes on in the device's sleep stand to the awake one, as last seen: deadlines of
/// transfers and fetches run on those, and the brain is woken by this.
struct Clocks: Hashable, Sendable, Codable {
    /// Less than this is the time that passes between two readings.
    private static let play = Nanoseconds.milliseconds(100)

    /// What the wall clock reads beyond the awake one.
    private(set) var wallAhead: Nanoseconds
    private var elapsedAhead: Nanoseconds
    /// The event that is being handled, on the awake clock.
    private var now: Nanoseconds

    init(_ now: Moment) {
        wallAhead = now.wall - now.awake
        elapsedAhead = now.elapsed - now.awake
        self.now = now.awake
    }

    /// A clock was set, or the device slept.
    mutating func noticed(_ now: Moment) {
        let seen = Clocks(now)
        if Self.isFar(seen.wallAhead, wallAhead) || Self.isFar(seen.elapsedAhead, elapsedAhead) { self = seen }
        self.now = now.awake
    }

    private static func isFar(_ one: Nanoseconds, _ other: Nanoseconds) -> Bool {
        (one - other).rawValue.magnitude > play.rawValue.magnitude
    }

    var wallNow: Nanoseconds { now + wallAhead }
    var elapsedNow: Nanoseconds { now + elapsedAhead }

    func awake(ofWall wall: Nanoseconds) -> Nanoseconds { Self.less(wall, wallAhead) }
    func awake(ofElapsed elapsed: Nanoseconds) -> Nanoseconds { Self.less(elapsed, elapsedAhead) }

    private static func less(_ time: Nanoseconds, _ ahead: Nanoseconds) -> Nanoseconds {
        let (difference, overflowed) = time.rawValue.subtractingReportingOverflow(ahead.rawValue)
        return overflowed ? .distantFuture : Nanoseconds(difference)
    }
}
