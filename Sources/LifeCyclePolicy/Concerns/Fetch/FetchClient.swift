import LifeCycleModel

/// One app that wants background fetch, and when it is given an opportunity.
///
/// It never has one before the time is over that it asked for. How much later it may come is what opportunities of
/// several apps meet in: four fifths of those it would have had by a timer of its own are left to it, none later than
/// nearly twice its interval, and what an opportunity did not use up of that a later one may. Where a person is used to
/// open it, it has one shortly before.
struct FetchClient: Hashable, Sendable, Codable {
    var record: FetchRecord
    /// Why it may not be woken now; nil where it may.
    var obstacle: FetchObstacle?

    /// An app whose fetches bring nothing so many times in a row has half as many.
    static let fruitlessness: Int32 = 8

    /// Ten years: who wants none before that wants none.
    static let never = Nanoseconds.seconds(10 * 365 * 86_400)

    /// The time between two opportunities at least.
    func interval(by policy: Policy) -> Nanoseconds {
        let asked = min(max(record.minimumInterval, policy.fetchInterval), Self.never)
        return record.fruitless >= Self.fruitlessness ? asked + asked : asked
    }

    /// When it may have its next opportunity, on the wall clock: not before the next day where it has spent this one's time.
    func earliest(by policy: Policy) -> Nanoseconds {
        let next = record.last + interval(by: policy)
        guard let day = record.day, let spent = record.spent, spent >= policy.fetchBudget else { return next }
        return max(next, day + Self.day)
    }

    /// When it has to have it. The device's clocks are `ahead` of UTC.
    func latest(by policy: Policy, ahead: Nanoseconds) -> Nanoseconds {
        let interval = interval(by: policy)
        let most = Nanoseconds(interval.rawValue / 20 * 19)
        let earliest = earliest(by: policy)
        let latest = earliest + max(.zero, min(most, record.patience + Self.allowance(interval)))
        // The one after it may meet the hour as well, where this one does not.
        for later in [.zero, interval] {
            if let habit = habit(from: earliest + later, through: latest + later, ahead: ahead) { return habit - later }
        }
        return latest
    }

    /// Shortly before a person is used to open it, within this time.
    private func habit(from: Nanoseconds, through: Nanoseconds, ahead: Nanoseconds) -> Nanoseconds? {
        let shift = ahead + Self.lead
        let (first, last) = (Self.hour(of: from + shift - Nanoseconds(1)) + 1, Self.hour(of: through + shift))
        guard first <= last, let hour = record.usage?.habit(in: first...last) else { return nil }
        return Nanoseconds(hour * Self.hour.rawValue) - shift
    }

    /// A person opened it. Gives whether that is news.
    mutating func opened(at now: Nanoseconds, ahead: Nanoseconds) -> Bool {
        let old = record.usage
        var usage = old ?? AppUsage()
        usage.opened(inHour: Self.hour(of: now + ahead))
        record.usage = usage
        return usage != old
    }

    /// So long before the hour in which a person opens it.
    static let lead = Nanoseconds.seconds(300)
    private static let hour = Nanoseconds.seconds(3600)
    private static let day = Nanoseconds.seconds(86_400)

    private static func hour(of time: Nanoseconds) -> Int64 {
        let (whole, rest) = time.rawValue.quotientAndRemainder(dividingBy: hour.rawValue)
        return rest < 0 ? whole - 1 : whole
    }

    /// It has its opportunity, or had to do without it.
    mutating func had(at now: Nanoseconds, policy: Policy) {
        let interval = interval(by: policy)
        let lateness = now - earliest(by: policy)
        // Who could not be woken for long has not used up anybody's patience.
        if lateness > interval {
            record.patience = Self.firstPatience(interval)
        } else {
            let left = record.patience + Self.allowance(interval) - max(.zero, lateness)
            record.patience = min(left, interval + interval)
        }
        record.last = now
    }

    /// What it has brought, and what that has cost: the time it took off the foreground. Gives whether the day's time is
    /// spent with it.
    mutating func brought(
        _ result: BackgroundFetchResult?, after time: Nanoseconds, at now: Nanoseconds, policy: Policy
    )
        -> Bool
    {
        switch result {
        case .newData: record.fruitless = 0
        // Who takes long for nothing is found out sooner.
        case .noData, .failed:
            let cost = 1 + Int32(clamping: time.rawValue / Self.longTime.rawValue)
            record.fruitless = min(record.fruitless + min(cost, Self.fruitlessness), Self.fruitlessness)
        // It was killed for taking too long: that costs more than it can bring.
        case nil: record.fruitless = Self.fruitlessness
        }
        guard time > .zero else { return false }
        if record.day.map({ now < $0 || now >= $0 + Self.day }) ?? true {
            record.day = now
            record.spent = .zero
        }
        let before = record.spent ?? .zero
        record.spent = before + time
        return before < policy.fetchBudget && before + time >= policy.fetchBudget
    }

    /// Each such time makes a fetch that brings nothing count once more.
    private static let longTime = Nanoseconds.seconds(10)

    /// The clock was set back: what it last had was not in the future.
    mutating func noticed(_ now: Nanoseconds) {
        record.last = min(record.last, now)
        if let day = record.day { record.day = min(day, now) }
    }

    /// What each opportunity may be late on average.
    private static func allowance(_ interval: Nanoseconds) -> Nanoseconds { Nanoseconds(interval.rawValue / 25 * 6) }

    static func firstPatience(_ interval: Nanoseconds) -> Nanoseconds { Nanoseconds(interval.rawValue / 2) }
}
