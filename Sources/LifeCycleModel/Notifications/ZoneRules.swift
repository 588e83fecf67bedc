/// The rules of a time zone as data. Computing civil time with them needs no file and no library.
public struct ZoneRules: Hashable, Sendable, Codable {
    /// A change of the zone's clocks.
    public struct Transition: Hashable, Sendable, Codable {
        /// The instant of the change, in seconds since 1970 in UTC.
        public let at: Int64
        /// Seconds to be added to UTC from then on.
        public let offset: Int32

        /// A change to `offset` at `at`.
        public init(at: Int64, offset: Int32) {
            self.at = at
            self.offset = offset
        }
    }

    /// The offset before the first transition.
    public let first: Int32
    /// The transitions, in order.
    public let transitions: [Transition]
    /// The rule after the last transition.
    public let footer: ZoneFooter

    /// The largest allowed offset from UTC, in seconds.
    public static let furthest: Int32 = 26 * 3600
    /// `init` returns nil for a zone with more.
    public static let mostTransitions = 4096

    /// The rules for notifications without a time zone, and for a device whose zone cannot be read.
    public static let utc = ZoneRules(footer: ZoneFooter(standard: 0))

    /// A zone without transitions, which always follows its footer.
    public init(footer: ZoneFooter) {
        first = footer.standard
        transitions = []
        self.footer = footer
    }

    /// A zone with these transitions; nil if the transitions are too many or not in order, or if an offset is too
    /// large.
    public init?(first: Int32, transitions: [Transition], footer: ZoneFooter) {
        let offsets = [first, footer.standard, footer.saving?.offset ?? 0] + transitions.map(\.offset)
        let isOrdered = zip(transitions, transitions.dropFirst()).allSatisfy { $0.at < $1.at }
        guard transitions.count <= Self.mostTransitions, isOrdered,
            offsets.allSatisfy({ $0.magnitude <= Self.furthest.magnitude })
        else { return nil }
        self.first = first
        self.transitions = transitions
        self.footer = footer
    }

    /// The largest offset of a zone with a fixed offset, in seconds, as in Foundation.
    private static let furthestFixed: Int32 = 18 * 3600

    /// A zone with a fixed offset, from a name like those of Foundation: `GMT+0900`, or `GMT-3:30`. Nil if the name is
    /// not of that form.
    public init?(fixedOffset name: String) {
        guard name.hasPrefix("GMT") || name.hasPrefix("UTC"), let sign = name.dropFirst(3).first, "+-".contains(sign)
        else { return nil }
        let parts = name.dropFirst(4).split(separator: ":", omittingEmptySubsequences: false)
        guard let first = parts.first, parts.count <= 2, parts.allSatisfy({ $0.utf8.allSatisfy(\.isDigit) }),
            let number = Int32(first)
        else { return nil }
        var (hours, minutes) = (number, Int32(0))
        switch (first.utf8.count, parts.count) {
        case (1...2, 1): break
        case (3...4, 1): (hours, minutes) = number.quotientAndRemainder(dividingBy: 100)
        case (1...2, 2):
            guard parts[1].utf8.count == 2, let rest = Int32(parts[1]) else { return nil }
            minutes = rest
        default: return nil
        }
        let seconds = hours * 3600 + minutes * 60
        guard minutes < 60, seconds <= Self.furthestFixed else { return nil }
        self.init(footer: ZoneFooter(standard: sign == "-" ? -seconds : seconds))
    }

    /// The seconds that the clocks are ahead of UTC at an instant, which is in seconds since 1970.
    public func offset(at seconds: Int64) -> Int32 {
        guard let last = transitions.last, seconds < last.at else { return offsetByFooter(at: seconds) }
        var (low, high) = (0, transitions.count)
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle].at <= seconds { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? first : transitions[low - 1].offset
    }

    private func offsetByFooter(at seconds: Int64) -> Int32 {
        let last = transitions.last
        guard let saving = footer.saving else { return last?.offset ?? footer.standard }
        var newest: Transition?
        // The change of a year may fall some days into the year before or after it.
        let year = CivilTime(seconds: seconds).day.year
        for change in (year - 2...year + 1).lazy.flatMap(footer.changes)
        where change.at <= seconds && change.at > last?.at ?? .min {
            // If two changes fall on the same time, the start of daylight saving counts, as below.
            let isNewer = newest.map { ($0.at, 0) < (change.at, change.offset == saving.offset ? 1 : 0) } ?? true
            if isNewer { newest = change }
        }
        return newest?.offset ?? last?.offset ?? footer.standard
    }

    /// The footer's transitions within the span and after the last transition in the list, in order.
    private func changesByFooter(from: Int64, through: Int64) -> [Transition] {
        // Without daylight saving, the footer has the same offset as the last transition in the list.
        guard let saving = footer.saving else { return [] }
        let least = max(from, transitions.last.map { $0.at + 1 } ?? .min)
        let years = [from, through].map { CivilTime(seconds: $0).day.year }
        let all = (years[0] - 1...years[1] + 1).flatMap { footer.changes(inYear: $0) }
            .filter { $0.at >= least && $0.at <= through }
            .sorted { ($0.at, $0.offset == saving.offset ? 1 : 0) < ($1.at, $1.offset == saving.offset ? 1 : 0) }
        // If daylight saving ends at the moment when it begins, it continues: a zone that has daylight saving all year
        // is written so.
        return all.indices.filter { $0 + 1 == all.count || all[$0].at < all[$0 + 1].at }.map { all[$0] }
    }

    /// All transitions within the span, in order.
    private func changes(from: Int64, through: Int64) -> [Transition] {
        var (low, high) = (0, transitions.count)
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle].at < from { low = middle + 1 } else { high = middle }
        }
        return transitions[low...].prefix { $0.at <= through } + changesByFooter(from: from, through: through)
    }

    /// The date and time of day that a clock in the zone shows.
    public func civil(at instant: Nanoseconds) -> CivilTime {
        let utc = CivilTime(utc: instant)
        return utc.advanced(seconds: Int64(offset(at: utc.seconds)))
    }

    /// The instant of a civil time. If the clocks show the time twice, the result is the first instant. If they skip
    /// the time, the result is the moment of the skip.
    public func instant(of civil: CivilTime) -> Nanoseconds {
        let reach = 2 * Int64(Self.furthest)
        let from = civil.seconds - reach
        var offset = offset(at: from - 1)
        for change in changes(from: from, through: civil.seconds + reach) {
            if civil.seconds - Int64(offset) < change.at { break }
            if civil.seconds - Int64(change.offset) < change.at { return CivilTime(seconds: change.at).utc }
            offset = change.offset
        }
        return civil.advanced(seconds: -Int64(offset)).utc
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
}
