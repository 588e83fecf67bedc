import LifeCycleModel
import Testing

/// An instant by its seconds since 1970.
private func instant(_ seconds: Int64) -> Nanoseconds { .seconds(seconds) }

extension ZoneRules {
    /// A zone whose rules are this footer.
    fileprivate static func keeping(_ footer: String) throws -> ZoneRules {
        ZoneRules(footer: try #require(ZoneFooter(parsing: footer)))
    }
}

/// The calculation of days and dates.
@Suite struct CivilTimeTests {
    @Test(
        arguments: [
            (1970, 1, 1, 0), (1969, 12, 31, -1), (2000, 2, 29, 11_016), (2000, 3, 1, 11_017), (1900, 3, 1, -25_508),
            (2100, 2, 28, 47_540), (2100, 3, 1, 47_541), (2026, 11, 22, 20_779), (1, 1, 1, -719_162),
            (0, 2, 29, -719_469), (-400, 3, 1, -865_565),
        ] as [(Int64, Int64, Int64, Int64)])
    func daysConvertToNumbersAndBack(year: Int64, month: Int64, day: Int64, days: Int64) {
        #expect(CalendarDay(year: year, month: month, day: day).daysSince1970 == days)
        #expect(CalendarDay(daysSince1970: days) == CalendarDay(year: year, month: month, day: day))
    }

    @Test func everyDayOfManyYearsFollowsTheOneBefore() {
        var last = CalendarDay(daysSince1970: -200_000)
        for days in Int64(-199_999)...200_000 {
            let day = CalendarDay(daysSince1970: days)
            let isNext =
                day.day == last.day + 1 && day.month == last.month
                || day.day == 1 && last.day == last.daysInMonth
                    && (day.month == last.month + 1 || day.month == 1 && last.month == 12 && day.year == last.year + 1)
            guard isNext, day.daysSince1970 == days, day.weekday == (last.weekday + 1) % 7 else {
                Issue.record("\(day) does not follow \(last), or is not day \(days)")
                return
            }
            last = day
        }
    }

    @Test func aMonthLaterThereMayBeFewerDays() {
        let last = CivilTime(year: 2027, month: 10, day: 31, hour: 7)
        let expected: [(Int64, Int64, Int64)] = [
            (2027, 11, 30), (2027, 12, 31), (2028, 1, 31), (2028, 2, 29), (2028, 3, 31),
        ]
        for (count, (year, month, day)) in zip(Int64(1)..., expected) {
            #expect(last.advanced(months: count) == CivilTime(year: year, month: month, day: day, hour: 7))
        }
        #expect(last.advanced(months: -8) == CivilTime(year: 2027, month: 2, day: 28, hour: 7))
        #expect(last.advanced(months: -10) == CivilTime(year: 2026, month: 12, day: 31, hour: 7))
    }

    @Test func instantsBefore1970HaveTheirNanosecondsToo() {
        let time = CivilTime(utc: Nanoseconds(-1))
        #expect(time == CivilTime(seconds: -1, nanoseconds: 999_999_999))
        #expect(time.utc == Nanoseconds(-1))
        #expect(time.secondsOfDay == 86_399)
        for raw in [Int64.min, .min + 1_000_000_000, -1_000_000_000, 0, 1, .max] {
            #expect(CivilTime(utc: Nanoseconds(raw)).utc == Nanoseconds(raw))
        }
        #expect(CivilTime(year: 4001, month: 1, day: 1).utc == .distantFuture)
    }
}

/// The clocks of time zones. The expected numbers are from the date command, with the zones of 2025b.
@Suite struct ZoneRulesTests {
    @Test func theClocksAreSetTwiceAYear() throws {
        let berlin = try ZoneRules.keeping("CET-1CEST,M3.5.0,M10.5.0/3")
        // The clocks go from 02:00 to 03:00 on 2027-03-28, and from 03:00 to 02:00 on 2027-10-31.
        #expect(berlin.offset(at: 1_806_195_599) == 3600)
        #expect(berlin.offset(at: 1_806_195_600) == 7200)
        #expect(berlin.offset(at: 1_824_944_399) == 7200)
        #expect(berlin.offset(at: 1_824_944_400) == 3600)
        #expect(berlin.civil(at: instant(1_806_195_600)) == CivilTime(year: 2027, month: 3, day: 28, hour: 3))
    }

    @Test func skippedTimesAreTheInstantOfTheChange() throws {
        let berlin = try ZoneRules.keeping("CET-1CEST,M3.5.0,M10.5.0/3")
        func at(_ hour: Int64, _ minute: Int64) -> Nanoseconds {
            berlin.instant(of: CivilTime(year: 2027, month: 3, day: 28, hour: hour, minute: minute))
        }
        #expect(at(1, 59) == instant(1_806_195_600 - 60))
        for minute in [Int64(0), 1, 30, 59] { #expect(at(2, minute) == instant(1_806_195_600)) }
        #expect(at(3, 0) == instant(1_806_195_600))
        #expect(at(3, 1) == instant(1_806_195_660))
    }

    @Test func repeatedTimesAreTheFirstInstant() throws {
        let berlin = try ZoneRules.keeping("CET-1CEST,M3.5.0,M10.5.0/3")
        let half = CivilTime(year: 2027, month: 10, day: 31, hour: 2, minute: 30)
        #expect(berlin.instant(of: half) == instant(1_824_944_400 - 1800))
        #expect(berlin.civil(at: instant(1_824_944_400 - 1800)) == half)
        #expect(berlin.civil(at: instant(1_824_944_400 + 1800)) == half)
        #expect(
            berlin.instant(of: CivilTime(year: 2027, month: 10, day: 31, hour: 3)) == instant(1_824_944_400 + 3600))
    }

    @Test func inTheSouthSummerIsOverTheNewYear() throws {
        let sydney = try ZoneRules.keeping("AEST-10AEDT,M10.1.0,M4.1.0/3")
        #expect(sydney.civil(at: instant(1_830_297_600)) == CivilTime(year: 2028, month: 1, day: 1, hour: 11))
        #expect(sydney.offset(at: 1_814_400_000) == 36_000)
        // The clocks go from 03:00 to 02:00 on 2027-04-04, and from 02:00 to 03:00 on 2027-10-03.
        #expect(sydney.offset(at: 1_806_767_999) == 39_600)
        #expect(sydney.offset(at: 1_806_768_000) == 36_000)
        #expect(sydney.offset(at: 1_822_492_799) == 36_000)
        #expect(sydney.offset(at: 1_822_492_800) == 39_600)
    }

    @Test func summerMayBeLessThanTheRest() throws {
        let dublin = try ZoneRules.keeping("IST-1GMT0,M10.5.0,M3.5.0/1")
        #expect(dublin.offset(at: 1_798_761_600) == 0)
        #expect(dublin.offset(at: 1_814_400_000) == 3600)
    }

    @Test func theListCountsUntilItEnds() throws {
        let footer = try #require(ZoneFooter(parsing: "<+13>-13"))
        // Apia crossed the date line at the end of 2011-12-29, and skipped the 30th.
        let apia = try #require(
            ZoneRules(
                first: 45_184,
                transitions: [.init(at: -1_861_878_784, offset: -41_400), .init(at: 1_325_239_200, offset: 50_400)]
                    + [.init(at: 1_333_202_400, offset: 46_800)], footer: footer))
        #expect(apia.offset(at: .min / 4) == 45_184)
        #expect(apia.offset(at: 0) == -41_400)
        #expect(apia.offset(at: 1_400_000_000) == 46_800)
        let missing = CivilTime(year: 2011, month: 12, day: 30, hour: 12)
        #expect(apia.instant(of: missing) == instant(1_325_239_200))
    }

    /// A conversion to a civil time and back gives the first instant with that time, at or before the original. A later
    /// civil time never gives an earlier instant.
    @Test(arguments: [
        "UTC0", "CET-1CEST,M3.5.0,M10.5.0/3", "EST5EDT,M3.2.0,M11.1.0", "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0",
    ])
    func instantsConvertToCivilTimesAndBack(footer: String) throws {
        let zone = try ZoneRules.keeping(footer)
        var last = Nanoseconds(.min)
        for step in Int64(0)..<20_000 {
            let time = instant(1_700_000_000 + step * 3617)
            let civil = zone.civil(at: time)
            let first = zone.instant(of: civil)
            guard first <= time, zone.civil(at: first) == civil else {
                Issue.record("\(time) is shown as \(civil), which converts back to \(first)")
                return
            }
            let passed = zone.instant(of: CivilTime(seconds: 1_700_000_000 + step * 3617))
            guard passed >= last else {
                Issue.record("\(passed) comes before \(last)")
                return
            }
            last = passed
        }
    }

    @Test(
        arguments: [
            "", "C", "CET", "CE-1", "CET-25", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M3.5.0,M10.5.0/3,",
            "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0", "CET-1CEST,M3.5.0,J0",
            "CET-1CEST,M3.5.0,J366", "CET-1CEST,M3.5.0,366", "CET-1CEST,M3.5.0/168,M10.5.0", "<CET-1", "<+1>-1",
            "CET-1:60", "CET--1", ":Europe/Berlin", "CET-99999999999999999999",
        ])
    func invalidFootersAreRefused(text: String) {
        #expect(ZoneFooter(parsing: text) == nil)
    }

    @Test func daysMayBeCountedThroughTheYear() throws {
        // Daylight saving time all year, as in RFC 9636.
        let always = try ZoneRules.keeping("XXX3EDT4,0/0,J365/23")
        for time in stride(from: Int64(1_700_000_000), to: 1_900_000_000, by: 999_983) {
            #expect(always.offset(at: time) == -14_400)
        }
        let leap = try ZoneRules.keeping("AAA0BBB,J60/0,J61/0")
        #expect(leap.offset(at: CivilTime(year: 2028, month: 3, day: 1).utc.rawValue / 1_000_000_000) == 3600)
        #expect(leap.offset(at: CivilTime(year: 2028, month: 2, day: 29).utc.rawValue / 1_000_000_000) == 0)
        let counted = try ZoneRules.keeping("AAA0BBB,59/0,60/0")
        #expect(counted.offset(at: CivilTime(year: 2028, month: 2, day: 29).utc.rawValue / 1_000_000_000) == 3600)
    }

    @Test func impossibleRulesAreNil() {
        let footer = ZoneFooter(standard: 0)
        #expect(
            ZoneRules(first: 0, transitions: [.init(at: 2, offset: 0), .init(at: 2, offset: 1)], footer: footer) == nil)
        #expect(ZoneRules(first: 94_000, transitions: [], footer: footer) == nil)
        #expect(ZoneRules(first: 0, transitions: [.init(at: 2, offset: .min)], footer: footer) == nil)
        let many = (0...ZoneRules.mostTransitions).map { ZoneRules.Transition(at: Int64($0), offset: 0) }
        #expect(ZoneRules(first: 0, transitions: many, footer: footer) == nil)
        #expect(ZoneRules(first: 0, transitions: Array(many.dropLast()), footer: footer) != nil)
    }
}

/// The times of repeated events.
@Suite struct RecurrenceTests {
    /// The zone's times of the first occurrences, in order.
    private static func times(
        _ start: CivilTime, _ interval: RepeatInterval?, _ zone: ZoneRules = .utc, count: Int = 4
    ) -> [CivilTime] {
        let recurrence = Recurrence(start: start, interval: interval)
        var (all, last): ([CivilTime], Nanoseconds?) = ([], nil)
        while all.count < count, let next = recurrence.next(after: last, in: zone) {
            all.append(zone.civil(at: next))
            last = next
        }
        return all
    }

    @Test func aDateWithoutARepeatOccursOnce() {
        let start = CivilTime(year: 2027, month: 1, day: 1)
        #expect(Self.times(start, nil) == [start])
    }

    @Test func monthsAreReckonedFromTheFirst() {
        let times = Self.times(CivilTime(year: 2027, month: 1, day: 31), .month, count: 5)
        #expect(times.map { [$0.day.month, $0.day.day] } == [[1, 31], [2, 28], [3, 31], [4, 30], [5, 31]])
        let quarters = Self.times(CivilTime(year: 2027, month: 8, day: 31), .quarter, count: 4)
        #expect(quarters.map { [$0.day.month, $0.day.day] } == [[8, 31], [11, 30], [2, 29], [5, 31]])
    }

    @Test func the29thOfFebruaryComesAgain() {
        let times = Self.times(CivilTime(year: 2028, month: 2, day: 29), .year, count: 5)
        #expect(
            times.map { [$0.day.year, $0.day.day] } == [
                [2028, 29], [2029, 28], [2030, 28], [2031, 28], [2032, 29],
            ])
    }

    @Test func dailyItComesOnceOnEachDay() throws {
        let berlin = try ZoneRules.keeping("CET-1CEST,M3.5.0,M10.5.0/3")
        let spring = Self.times(CivilTime(year: 2027, month: 3, day: 27, hour: 2, minute: 30), .day, berlin)
        #expect(
            spring.map { [$0.day.day, $0.secondsOfDay] } == [[27, 9000], [28, 10_800], [29, 9000], [30, 9000]])
        let autumn = Self.times(CivilTime(year: 2027, month: 10, day: 30, hour: 2, minute: 30), .day, berlin)
        #expect(autumn.map { [$0.day.day, $0.secondsOfDay] } == [[30, 9000], [31, 9000], [1, 9000], [2, 9000]])
    }

    @Test func anHourIsAnHour() throws {
        let berlin = try ZoneRules.keeping("CET-1CEST,M3.5.0,M10.5.0/3")
        let autumn = Self.times(CivilTime(year: 2027, month: 10, day: 31, hour: 1, minute: 30), .hour, berlin)
        #expect(autumn.map(\.secondsOfDay) == [5400, 9000, 9000, 12_600])
        let spring = Self.times(CivilTime(year: 2027, month: 3, day: 28, hour: 1, minute: 30), .hour, berlin)
        #expect(spring.map(\.secondsOfDay) == [5400, 12_600, 16_200, 19_800])
    }

    /// The number of occurrences in a year, in a zone that changes its clocks. The first is on the first day, shortly
    /// after noon.
    @Test(arguments: [
        (RepeatInterval.hour, 8760 - 12), (.day, 365), (.week, 53), (.month, 12), (.quarter, 4), (.year, 1),
    ])
    func aYearOfIt(interval: RepeatInterval, expected: Int) throws {
        let start = CivilTime(year: 2027, month: 1, day: 1, hour: 12, minute: 7)
        try #expect(count(interval, from: start, to: CivilTime(year: 2028, month: 1, day: 1)) == expected)
    }

    /// Three days of minutes. The clocks change on the second.
    @Test func minutesAroundClockChanges() throws {
        let spring = CivilTime(year: 2027, month: 3, day: 27, hour: 12, minute: 7)
        try #expect(count(.minute, from: spring, to: CivilTime(year: 2027, month: 3, day: 30)) == 713 + 23 * 60 + 1440)
        let autumn = CivilTime(year: 2027, month: 10, day: 30, hour: 12, minute: 7)
        try #expect(count(.minute, from: autumn, to: CivilTime(year: 2027, month: 11, day: 2)) == 713 + 25 * 60 + 1440)
    }

    /// The number of occurrences in a zone that changes its clocks. Each occurrence must be the next after the one
    /// before it.
    private func count(_ interval: RepeatInterval, from start: CivilTime, to end: CivilTime) throws -> Int {
        let berlin = try ZoneRules.keeping("CET-1CEST,M3.5.0,M10.5.0/3")
        let recurrence = Recurrence(start: start, interval: interval)
        let end = berlin.instant(of: end)
        var (count, last): (Int, Nanoseconds?) = (0, nil)
        while let next = recurrence.next(after: last, in: berlin), next < end {
            if let last {
                try #require(next > last, "\(next) does not follow \(last)")
                try #require(recurrence.next(after: next - Nanoseconds(1), in: berlin) == next)
                try #require(recurrence.next(after: last + Nanoseconds(1), in: berlin) == next)
            }
            (count, last) = (count + 1, next)
        }
        return count
    }

    @Test func recurrencesAfterALongTimeAreComputedDirectly() throws {
        let berlin = try ZoneRules.keeping("CET-1CEST,M3.5.0,M10.5.0/3")
        for interval in RepeatInterval.allCases {
            let recurrence = Recurrence(start: CivilTime(utc: Nanoseconds(.min / 2)), interval: interval)
            let now = instant(1_800_000_000)
            let next = try #require(recurrence.next(after: now, in: berlin))
            #expect(next > now)
            #expect(next - now <= .seconds(366 * 86_400))
        }
    }

    @Test func theEndOfAllTimeIsNoTime() {
        #expect(
            Recurrence(start: CivilTime(year: 4001, month: 1, day: 1), interval: .day).next(after: nil, in: .utc) == nil
        )
        let late = Recurrence(start: CivilTime(utc: Nanoseconds(.max - 1)), interval: .year)
        #expect(late.next(after: nil, in: .utc) == Nanoseconds(.max - 1))
        #expect(late.next(after: Nanoseconds(.max - 1), in: .utc) == nil)
    }
}
