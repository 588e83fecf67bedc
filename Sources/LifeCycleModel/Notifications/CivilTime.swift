/// A date and a time of day as a clock on the wall shows them, wherever that is: in the Gregorian calendar, also before
/// there was one.
public struct CivilTime: Hashable, Comparable, Sendable, Codable {
    /// What an instant would have to be in UTC to be shown so, in seconds since 1970.
    public let seconds: Int64
    /// What there is beyond whole seconds.
    public let nanoseconds: Int32

    /// So many seconds, as UTC would show them.
    public init(seconds: Int64, nanoseconds: Int32 = 0) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    /// What UTC shows at an instant.
    public init(utc instant: Nanoseconds) {
        let (whole, rest) = instant.rawValue.quotientAndRemainder(dividingBy: 1_000_000_000)
        self.init(seconds: rest < 0 ? whole - 1 : whole, nanoseconds: Int32(rest < 0 ? rest + 1_000_000_000 : rest))
    }

    /// A day of a month, which may have too few days: what is too much runs over.
    public init(year: Int64, month: Int64, day: Int64, hour: Int64 = 0, minute: Int64 = 0, second: Int64 = 0) {
        let days = CalendarDay(year: year, month: month, day: day).daysSince1970
        self.init(seconds: days * CalendarDay.seconds + hour * 3600 + minute * 60 + second)
    }

    /// The day.
    public var day: CalendarDay { CalendarDay(daysSince1970: seconds.flooredQuotient(CalendarDay.seconds)) }

    /// Seconds since that day's midnight.
    public var secondsOfDay: Int64 { seconds - seconds.flooredQuotient(CalendarDay.seconds) * CalendarDay.seconds }

    /// The instant at which UTC shows it; one beyond all that can be counted is in the distant future, or past.
    public var utc: Nanoseconds {
        let (product, isTooMuch) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isFull) = product.addingReportingOverflow(Int64(nanoseconds))
        return isTooMuch || isFull ? (seconds < 0 ? Nanoseconds(.min) : .distantFuture) : Nanoseconds(sum)
    }

    /// So many seconds later.
    public func advanced(seconds count: Int64) -> CivilTime {
        CivilTime(seconds: seconds + count, nanoseconds: nanoseconds)
    }

    /// The same time of day so many months later, on the month's last day where it has none of that number, as
    /// `Calendar.date(byAdding:value:to:)` has it.
    public func advanced(months count: Int64) -> CivilTime {
        let day = day
        let month = day.year * 12 + day.month - 1 + count
        let year = month.flooredQuotient(12)
        let first = CalendarDay(year: year, month: month - year * 12 + 1, day: 1)
        let moved = CalendarDay(year: first.year, month: first.month, day: min(day.day, first.daysInMonth))
        return CivilTime(
            seconds: moved.daysSince1970 * CalendarDay.seconds + secondsOfDay, nanoseconds: nanoseconds)
    }

    /// The earlier one first.
    public static func < (left: Self, right: Self) -> Bool {
        (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
    }
}

/// A day of the Gregorian calendar, which is taken to have always been in use.
public struct CalendarDay: Hashable, Sendable {
    /// The year; zero is the one before 1.
    public let year: Int64
    /// From 1 to 12.
    public let month: Int64
    /// From 1.
    public let day: Int64

    /// How many seconds a day has, where no zone's clocks are set on it.
    public static let seconds: Int64 = 86_400

    /// A day of these.
    public init(year: Int64, month: Int64, day: Int64) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// The day so many days after the first of January 1970. Years are taken to begin with March here, so that the day
    /// that leap years have more is the last.
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

    /// How many days after the first of January 1970 it is.
    public var daysSince1970: Int64 {
        let marchYear = month <= 2 ? year - 1 : year
        let era = marchYear.flooredQuotient(400)
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// Zero for Sunday, six for Saturday.
    public var weekday: Int64 {
        let days = daysSince1970 + 4
        return days - days.flooredQuotient(7) * 7
    }

    /// Whether its year has a 29th of February.
    public var isInLeapYear: Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    /// How many days its month has.
    public var daysInMonth: Int64 {
        switch month {
        case 2: isInLeapYear ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension Int64 {
    /// The quotient, rounded down also below zero.
    func flooredQuotient(_ divisor: Int64) -> Int64 {
        let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? quotient - 1 : quotient
    }
}
