import LifeCycleModel

/// How the wall clock and the steady one stand to the awake one, as last seen: deadlines of transfers and fetches run on
/// those, and the brain is woken by this. What the steady clock is, `TransferClock` says.
struct Clocks: Hashable, Sendable, Codable {
    /// Less than this is the time that passes between two readings.
    private static let play = Nanoseconds.milliseconds(100)

    /// What the wall clock reads beyond the awake one.
    private(set) var wallAhead: Nanoseconds
    private var elapsedAhead: Nanoseconds
    /// How far the steady clock is ahead of the one that counts from the device's start.
    private let steadyAhead: Nanoseconds
    /// The event that is being handled, on the awake clock.
    private var now: Nanoseconds

    /// Goes on from what was last kept; nil where this is the beginning.
    init(_ now: Moment, after kept: TransferClock?, isOtherBoot: Bool) {
        let steady = kept.map { Self.steady(at: now, after: $0, isOtherBoot: isOtherBoot) } ?? now.wall
        self.init(now, steadyAhead: steady - now.elapsed)
    }

    private init(_ now: Moment, steadyAhead: Nanoseconds) {
        wallAhead = now.wall - now.awake
        elapsedAhead = now.elapsed - now.awake
        self.steadyAhead = steadyAhead
        self.now = now.awake
    }

    private static func steady(at now: Moment, after kept: TransferClock, isOtherBoot: Bool) -> Nanoseconds {
        let hasStartedAnew = isOtherBoot || now.elapsed < kept.elapsed
        return kept.steady + (hasStartedAnew ? max(.zero, now.wall - kept.wall) : now.elapsed - kept.elapsed)
    }

    /// A clock was set, or the device slept; gives whether it was the former.
    mutating func noticed(_ now: Moment) -> Bool {
        let seen = Clocks(now, steadyAhead: steadyAhead)
        let isSet = Self.isFar(seen.wallAhead - seen.elapsedAhead, wallAhead - elapsedAhead)
        if isSet || Self.isFar(seen.elapsedAhead, elapsedAhead) { self = seen }
        self.now = now.awake
        return isSet
    }

    private static func isFar(_ one: Nanoseconds, _ other: Nanoseconds) -> Bool {
        (one - other).rawValue.magnitude > play.rawValue.magnitude
    }

    var wallNow: Nanoseconds { now + wallAhead }
    var steadyNow: Nanoseconds { now + elapsedAhead + steadyAhead }
    /// What is kept of this, to go on from.
    var kept: TransferClock { TransferClock(steady: steadyNow, wall: wallNow, elapsed: now + elapsedAhead) }

    func awake(ofWall wall: Nanoseconds) -> Nanoseconds { Self.less(wall, wallAhead) }
    func awake(ofSteady steady: Nanoseconds) -> Nanoseconds { Self.less(steady, elapsedAhead + steadyAhead) }

    private static func less(_ time: Nanoseconds, _ ahead: Nanoseconds) -> Nanoseconds {
        let (difference, overflowed) = time.rawValue.subtractingReportingOverflow(ahead.rawValue)
        return overflowed ? .distantFuture : Nanoseconds(difference)
    }
}

extension Transfers {
    /// Longer the steady clock is not left unkept: of what the device does without power no more than this is lost where
    /// the wall clock does not go on then.
    private static let longestUnkept = Nanoseconds.seconds(3600)

    /// An event is to be handled; `isOtherBoot` for the one by which the device's start is told.
    mutating func noticeClocks(_ now: Moment, isOtherBoot: Bool) {
        if clocks != nil, !isOtherBoot {
            if clocks?.noticed(now) == true { clockKept = nil }
            return
        }
        let kept = sessions.compactMap(\.value.record.clock).max { $0.steady < $1.steady }
        let new = Clocks(now, after: kept, isOtherBoot: isOtherBoot)
        clockKept = nil
        // What was counted since it was kept last stays counted.
        if let old = clocks, old.steadyNow > new.steadyNow { _ = clocks?.noticed(now) } else { clocks = new }
    }

    /// Keeps the steady clock with each session, where that is due.
    mutating func keepClock(into effects: inout [Effect]) {
        guard let clocks, clockKept.map({ clocks.steadyNow - $0 >= Self.longestUnkept }) ?? true else { return }
        clockKept = clocks.steadyNow
        for id in sessions.keys {
            sessions.update(id) { session in
                session.record.clock = clocks.kept
                session.record.gatesSince = gatesSince
            }
            if let record = sessions[id]?.record { effects.append(.store(.concern(.transfer(.session(record))))) }
        }
    }
}
