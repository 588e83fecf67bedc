/// How often a notification repeats itself: a unit of the calendar.
public enum RepeatInterval: String, Hashable, Sendable, Codable, CaseIterable {
    case minute, hour, day, week, month, quarter, year

    fileprivate func civil(_ count: Int64, after start: CivilTime) -> CivilTime {
        switch self {
        case .minute: start.advanced(seconds: count * 60)
        case .hour: start.advanced(seconds: count * 3600)
        case .day: start.advanced(seconds: count * CalendarDay.seconds)
        case .week: start.advanced(seconds: count * 7 * CalendarDay.seconds)
        case .month: start.advanced(months: count)
        case .quarter: start.advanced(months: count * 3)
        case .year: start.advanced(months: count * 12)
        }
    }

    /// Whether it always lasts as long, whatever the clocks are set to meanwhile: an hour after 1:30 it is an hour later.
    fileprivate var isFixed: Bool {
        switch self {
        case .minute, .hour: true
        case .day, .week, .month, .quarter, .year: false
        }
    }

    /// How often it fits between two times, about.
    fileprivate func count(from start: CivilTime, to end: CivilTime) -> Int64 {
        let days = end.seconds.flooredQuotient(CalendarDay.seconds) - start.seconds.flooredQuotient(CalendarDay.seconds)
        let months = (end.day.year - start.day.year) * 12 + end.day.month - start.day.month
        return switch self {
        case .minute: (end.seconds - start.seconds) / 60
        case .hour: (end.seconds - start.seconds) / 3600
        case .day: days
        case .week: days / 7
        case .month: months
        case .quarter: months / 3
        case .year: months / 12
        }
    }
}

/// A civil time, and how often it repeats itself.
public struct Recurrence: Hashable, Sendable, Codable {
    /// The first time, by which all others are reckoned: the 31st is not forgotten over a February.
    public let start: CivilTime
    /// Nil for once.
    public let interval: RepeatInterval?

    /// From `start` on, each `interval`.
    public init(start: CivilTime, interval: RepeatInterval?) {
        self.start = start
        self.interval = interval
    }

    /// When it first occurs after `instant`, in a zone; nil for the very first time. Nil where it does so no more, or
    /// later than can be told.
    public func next(after instant: Nanoseconds?, in zone: ZoneRules) -> Nanoseconds? {
        let first = zone.instant(of: start)
        guard let instant, first <= instant else { return first == .distantFuture ? nil : first }
        guard let interval else { return nil }
        // The hours and minutes count from the first instant on, the days and months from what the clocks showed then.
        let (start, zone) = interval.isFixed ? (CivilTime(utc: first), .utc) : (start, zone)
        var count = max(1, interval.count(from: start, to: zone.civil(at: instant)) - 2)
        while true {
            let next = zone.instant(of: interval.civil(count, after: start))
            if next == .distantFuture { return nil }
            if next > instant { return next }
            count += 1
        }
    }
}
