import LifeCycleModel

/// An app that wants background fetch, and the times of its opportunities.
///
/// No opportunity comes before the app's interval is over. Opportunities may come later, so that several apps fetch
/// together. The app still gets four fifths of the opportunities that its own timer would give. No opportunity comes
/// later than nearly twice the interval. An opportunity that comes early leaves more delay for later opportunities. If
/// the user usually opens the app at some hour, it has an opportunity shortly before.
struct FetchClient: Hashable, Sendable, Codable {
    var record: FetchRecord
    /// Why the app may not be woken now; nil if the app may be woken.
    var obstacle: FetchObstacle?

    /// Ten years. An app that asks for a longer interval, or for this one, gets no fetches.
    static let never = Nanoseconds.seconds(10 * 365 * 86_400)

    /// The least time between two opportunities.
    func interval(by policy: Policy) -> Nanoseconds {
        let asked = min(max(record.minimumInterval, policy.fetchInterval), Self.never)
        return Int64(record.unproductive) >= policy.unproductiveFetches ? asked + asked : asked
    }

    /// The earliest time of the next opportunity, on the wall clock. If the day's budget is spent, the time is on the
    /// next day or later.
    func earliest(by policy: Policy) -> Nanoseconds {
        let next = record.last + interval(by: policy)
        guard let day = record.day, let spent = record.spent, spent >= policy.fetchBudget else { return next }
        return max(next, day + Self.day)
    }

    /// The latest time of the next opportunity, on the wall clock. The device's clocks are `ahead` of UTC.
    func latest(by policy: Policy, ahead: Nanoseconds) -> Nanoseconds {
        let interval = interval(by: policy)
        let most = Nanoseconds(interval.rawValue / 20 * 19)
        let earliest = earliest(by: policy)
        let latest = earliest + max(.zero, min(most, record.patience + Self.allowance(interval)))
        // If the next opportunity cannot meet the user's hour, the one after it may.
        for later in [.zero, interval] {
            let (from, through) = (earliest + later, latest + later)
            if let habit = habit(from: from, through: through, ahead: ahead + policy.fetchLead) { return habit - later }
        }
        return latest
    }

    /// The time shortly before the user's usual hour; nil if there is no such time within these bounds. `shift` is the
    /// time that the device's clocks are ahead of UTC, plus the time before the hour.
    private func habit(from: Nanoseconds, through: Nanoseconds, ahead shift: Nanoseconds) -> Nanoseconds? {
        let (first, last) = (Self.hour(of: from + shift - Nanoseconds(1)) + 1, Self.hour(of: through + shift))
        guard first <= last, let hour = record.usage?.habit(in: first...last) else { return nil }
        return Nanoseconds(hour * Self.hour.rawValue) - shift
    }

    /// The user opened the app. Returns whether that changed the record.
    mutating func opened(at now: Nanoseconds, ahead: Nanoseconds) -> Bool {
        let old = record.usage
        var usage = old ?? AppUsage()
        usage.opened(inHour: Self.hour(of: now + ahead))
        record.usage = usage
        return usage != old
    }

    private static let hour = Nanoseconds.seconds(3600)
    private static let day = Nanoseconds.seconds(86_400)

    private static func hour(of time: Nanoseconds) -> Int64 {
        let (whole, rest) = time.rawValue.quotientAndRemainder(dividingBy: hour.rawValue)
        return rest < 0 ? whole - 1 : whole
    }

    /// The app had its opportunity, or missed it.
    mutating func had(at now: Nanoseconds, policy: Policy) {
        let interval = interval(by: policy)
        let lateness = now - earliest(by: policy)
        // If the app could not be woken for a long time, the delay does not count against its patience.
        if lateness > interval {
            record.patience = Self.firstPatience(interval)
        } else {
            let left = record.patience + Self.allowance(interval) - max(.zero, lateness)
            record.patience = min(left, interval + interval)
        }
        record.last = now
    }

    /// Records the result of a fetch and its time in the background. Returns whether that time exhausts the day's
    /// budget.
    mutating func brought(
        _ result: BackgroundFetchResult?, after time: Nanoseconds, at now: Nanoseconds, policy: Policy
    )
        -> Bool
    {
        let most = Int32(clamping: policy.unproductiveFetches)
        switch result {
        case .newData: record.unproductive = 0
        // Fetches that bring nothing and take long count more.
        case .noData, .failed:
            let cost = 1 + min(Int64(most), time.rawValue / policy.longFetch.rawValue)
            record.unproductive = Int32(clamping: min(Int64(record.unproductive) + cost, Int64(most)))
        // The app was killed for taking too long.
        case nil: record.unproductive = most
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

    /// Keeps recorded times out of the future after the clock was set back.
    mutating func noticed(_ now: Nanoseconds) {
        record.last = min(record.last, now)
        if let day = record.day { record.day = min(day, now) }
    }

    /// The average delay that each opportunity may have.
    private static func allowance(_ interval: Nanoseconds) -> Nanoseconds { Nanoseconds(interval.rawValue / 25 * 6) }

    static func firstPatience(_ interval: Nanoseconds) -> Nanoseconds { Nanoseconds(interval.rawValue / 2) }
}
