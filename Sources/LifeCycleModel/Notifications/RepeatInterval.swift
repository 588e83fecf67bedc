/// The repeat interval of a notification: a unit of the calendar.
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

    /// Whether the interval has the same length across clock changes: an hour after 1:30 is always an hour later.
    fileprivate var isFixed: Bool {
        switch self {
        case .minute, .hour: true
        case .day, .week, .month, .quarter, .year: false
        }
    }

    /// The approximate number of intervals between two times.
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

/// A civil time with its repeat interval.
public struct Recurrence: Hashable, Sendable, Codable {
    /// The first time, from which all others are computed: monthly on the 31st stays the 31st after a February.
    public let start: CivilTime
    /// The repeat interval; nil for once.
    public let interval: RepeatInterval?

    /// Occurs at `start`, and again after each `interval`.
    public init(start: CivilTime, interval: RepeatInterval?) {
        self.start = start
        self.interval = interval
    }

    /// The first occurrence after `instant`, in a zone; for a nil `instant`, the very first. Nil if no occurrence
    /// follows, or if it is too far in the future.
    public func next(after instant: Nanoseconds?, in zone: ZoneRules) -> Nanoseconds? {
        let first = zone.instant(of: start)
        guard let instant, first <= instant else { return first == .distantFuture ? nil : first }
        guard let interval else { return nil }
        // Hours and minutes count from the first instant. Days and months count from the civil time.
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
