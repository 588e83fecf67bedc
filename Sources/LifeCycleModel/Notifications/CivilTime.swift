/// A date and a time of day as a clock shows them, without a time zone. The calendar is Gregorian for all years, also
/// before its introduction.
public struct CivilTime: Hashable, Comparable, Sendable, Codable {
    /// The seconds since 1970 at which UTC shows this time.
    public let seconds: Int64
    /// The part beyond whole seconds.
    public let nanoseconds: Int32

    /// The time that UTC shows this long after the beginning of 1970.
    public init(seconds: Int64, nanoseconds: Int32 = 0) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    /// The time that UTC shows at an instant.
    public init(utc instant: Nanoseconds) {
        let (whole, rest) = instant.rawValue.quotientAndRemainder(dividingBy: 1_000_000_000)
        self.init(seconds: rest < 0 ? whole - 1 : whole, nanoseconds: Int32(rest < 0 ? rest + 1_000_000_000 : rest))
    }

    /// A time on a date. A day beyond the end of the month runs over into the next month.
    public init(year: Int64, month: Int64, day: Int64, hour: Int64 = 0, minute: Int64 = 0, second: Int64 = 0) {
        let days = CalendarDay(year: year, month: month, day: day).daysSince1970
        self.init(seconds: days * CalendarDay.seconds + hour * 3600 + minute * 60 + second)
    }

    /// The date, without the time of day.
    public var day: CalendarDay { CalendarDay(daysSince1970: seconds.flooredQuotient(CalendarDay.seconds)) }

    /// The seconds since that day's midnight.
    public var secondsOfDay: Int64 { seconds - seconds.flooredQuotient(CalendarDay.seconds) * CalendarDay.seconds }

    /// The instant at which UTC shows this time. Out of range it is the distant future, or the distant past.
    public var utc: Nanoseconds {
        let (product, isTooMuch) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isFull) = product.addingReportingOverflow(Int64(nanoseconds))
        return isTooMuch || isFull ? (seconds < 0 ? Nanoseconds(.min) : .distantFuture) : Nanoseconds(sum)
    }

    /// The time this many seconds later.
    public func advanced(seconds count: Int64) -> CivilTime {
        CivilTime(seconds: seconds + count, nanoseconds: nanoseconds)
    }

    /// The same time of day this many months later, as in `Calendar.date(byAdding:value:to:)`. If that month is too
    /// short, the result is on its last day.
    public func advanced(months count: Int64) -> CivilTime {
        let day = day
        let month = day.year * 12 + day.month - 1 + count
        let year = month.flooredQuotient(12)
        let first = CalendarDay(year: year, month: month - year * 12 + 1, day: 1)
        let moved = CalendarDay(year: first.year, month: first.month, day: min(day.day, first.daysInMonth))
        return CivilTime(
            seconds: moved.daysSince1970 * CalendarDay.seconds + secondsOfDay, nanoseconds: nanoseconds)
    }

    /// Whether `left` is earlier.
    public static func < (left: Self, right: Self) -> Bool {
        (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
    }
}

/// A day of the Gregorian calendar, which is used for all years.
public struct CalendarDay: Hashable, Sendable {
    /// The year; zero is the year before 1.
    public let year: Int64
    /// From 1 to 12.
    public let month: Int64
    /// From 1.
    public let day: Int64

    /// The number of seconds in a day, if no clock change falls on it.
    public static let seconds: Int64 = 86_400

    /// A day with these numbers, which are not checked.
    public init(year: Int64, month: Int64, day: Int64) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// The day this many days after January 1, 1970. The computation begins years with March, so that a leap day is the
    /// last day of its year.
    public init(daysSince1970 days: Int64) {
        let sinceMarch0 = days + 719_468
        let era = sinceMarch0.flooredQuotient(146_097)
        let dayOfEra = sinceMarch0 - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        self.init(
            year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month: month,
            day: dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }

    /// The number of days since January 1, 1970.
    public var daysSince1970: Int64 {
        let marchYear = month <= 2 ? year - 1 : year
        let era = marchYear.flooredQuotient(400)
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The day of the week: 0 for Sunday, 6 for Saturday.
    public var weekday: Int64 {
        let days = daysSince1970 + 4
        return days - days.flooredQuotient(7) * 7
    }

    /// Whether the year has a February 29.
    public var isInLeapYear: Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    /// The number of days in the month.
    public var daysInMonth: Int64 {
        switch month {
        case 2: isInLeapYear ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension Int64 {
    /// The quotient, rounded down also for negative numbers. The divisor is positive.
    func flooredQuotient(_ divisor: Int64) -> Int64 {
        let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? quotient - 1 : quotient
    }
}
