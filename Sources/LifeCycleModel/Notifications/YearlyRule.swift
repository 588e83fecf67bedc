/// The offset of a zone after the last transition in its list, as in the last line of a zone file: `CET-1`, or
/// `CET-1CEST,M3.5.0,M10.5.0/3` (POSIX, and RFC 9636 for hours beyond a day).
public struct ZoneFooter: Hashable, Sendable, Codable {
    /// The standard offset: seconds to be added to UTC.
    public let standard: Int32
    /// Daylight saving; nil if the zone has none.
    public let saving: Saving?

    /// A part of each year with another offset.
    public struct Saving: Hashable, Sendable, Codable {
        /// Seconds to be added to UTC in that part of the year.
        public let offset: Int32
        /// The beginning, by the clocks before the change.
        public let begins: YearlyRule
        /// The end, by the clocks before the change.
        public let ends: YearlyRule
    }

    /// A zone without clock changes.
    public init(standard: Int32) {
        self.standard = standard
        saving = nil
    }

    /// Parses a footer; nil if the text is not a footer.
    public init?(parsing text: String) {
        var reader = FooterReader(text)
        guard reader.takeName(), let west = reader.takeTime(atMost: 24) else { return nil }
        standard = -west
        if reader.isAtEnd {
            saving = nil
            return
        }
        guard reader.takeName() else { return nil }
        var offset = standard + 3600
        if !reader.isNext(",") {
            guard let west = reader.takeTime(atMost: 24) else { return nil }
            offset = -west
        }
        guard reader.take(","), let begins = reader.takeRule(), reader.take(","), let ends = reader.takeRule(),
            reader.isAtEnd
        else { return nil }
        saving = Saving(offset: offset, begins: begins, ends: ends)
    }

    /// The two transitions of a year, in UTC seconds, in no particular order; empty without daylight saving.
    func changes(inYear year: Int64) -> [ZoneRules.Transition] {
        guard let saving else { return [] }
        return [
            .init(at: saving.begins.seconds(inYear: year) - Int64(standard), offset: saving.offset),
            .init(at: saving.ends.seconds(inYear: year) - Int64(saving.offset), offset: standard),
        ]
    }
}

/// A day of each year and a time on that day.
public struct YearlyRule: Hashable, Sendable, Codable {
    /// The form in which the day is given.
    public enum Day: Hashable, Sendable, Codable {
        /// From 1 to 365; February 29 is not counted.
        case withoutLeapDay(Int64)
        /// From 0 to 365; February 29 is counted.
        case ofYear(Int64)
        /// The nth occurrence of a weekday in a month. The fifth means the last; Sunday is 0.
        case ofMonth(month: Int64, week: Int64, weekday: Int64)
    }

    /// The day of the year.
    public let day: Day
    /// Seconds from the day's midnight; may be negative, or longer than a day.
    public let time: Int32

    /// The civil time of the rule in a year, as seconds since 1970 as if in UTC.
    func seconds(inYear year: Int64) -> Int64 {
        let newYear = CalendarDay(year: year, month: 1, day: 1)
        let days: Int64
        switch day {
        case .withoutLeapDay(let number):
            days = newYear.daysSince1970 + number - 1 + (newYear.isInLeapYear && number >= 60 ? 1 : 0)
        case .ofYear(let number): days = newYear.daysSince1970 + number
        case .ofMonth(let month, let week, let weekday):
            let first = CalendarDay(year: year, month: month, day: 1)
            var number = (weekday - first.weekday + 7) % 7 + (week - 1) * 7
            if number >= first.daysInMonth { number -= 7 }
            days = first.daysSince1970 + number
        }
        return days * CalendarDay.seconds + Int64(time)
    }
}

/// Parses a footer from its beginning.
private struct FooterReader {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = text[...].utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    func isNext(_ character: Character) -> Bool { rest.first == character.asciiValue }

    mutating func take(_ character: Character) -> Bool {
        guard isNext(character) else { return false }
        rest.removeFirst()
        return true
    }

    /// Takes a name: three or more letters, or between angle brackets also digits and signs.
    mutating func takeName() -> Bool {
        let isQuoted = take("<")
        let name = rest.prefix { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"): isQuoted
            default: false
            }
        }
        rest = rest[name.endIndex...]
        return name.count >= 3 && (!isQuoted || take(">"))
    }

    mutating func takeNumber(from least: Int64, to most: Int64) -> Int64? {
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.prefix(4)
        rest = rest[digits.endIndex...]
        guard !digits.isEmpty else { return nil }
        let number = digits.reduce(Int64(0)) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
        return (least...most).contains(number) ? number : nil
    }

    /// Takes `[+-]hh[:mm[:ss]]`, in seconds.
    mutating func takeTime(atMost hours: Int64) -> Int32? {
        let isNegative = take("-")
        if !isNegative { _ = take("+") }
        guard var seconds = takeNumber(from: 0, to: hours).map({ $0 * 3600 }) else { return nil }
        for unit in [Int64(60), 1] where take(":") {
            guard let part = takeNumber(from: 0, to: 59) else { return nil }
            seconds += part * unit
        }
        return Int32(isNegative ? -seconds : seconds)
    }

    mutating func takeRule() -> YearlyRule? {
        guard let day = takeDay() else { return nil }
        guard take("/") else { return YearlyRule(day: day, time: 7200) }
        return takeTime(atMost: 167).map { YearlyRule(day: day, time: $0) }
    }

    private mutating func takeDay() -> YearlyRule.Day? {
        if take("J") { return takeNumber(from: 1, to: 365).map { .withoutLeapDay($0) } }
        guard take("M") else { return takeNumber(from: 0, to: 365).map { .ofYear($0) } }
        guard let month = takeNumber(from: 1, to: 12), take("."), let week = takeNumber(from: 1, to: 5), take("."),
            let weekday = takeNumber(from: 0, to: 6)
        else { return nil }
        return .ofMonth(month: month, week: week, weekday: weekday)
    }
}
