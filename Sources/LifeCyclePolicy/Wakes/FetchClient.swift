import LifeCycleModel

/// One app that wants background fetch, and when it is given an opportunity.
///
/// It never has one before the time is over that it asked for. How much later it may come is what opportunities of
/// several apps meet in: four fifths of those it would have had by a timer of its own are left to it, none later than
/// nearly twice its interval, and what an opportunity did not use up of that a later one may.
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

    /// When it may have its next opportunity, on the wall clock.
    func earliest(by policy: Policy) -> Nanoseconds { record.last + interval(by: policy) }

    /// When it has to have it.
    func latest(by policy: Policy) -> Nanoseconds {
        let interval = interval(by: policy)
        let most = Nanoseconds(interval.rawValue / 20 * 19)
        return earliest(by: policy) + max(.zero, min(most, record.patience + Self.allowance(interval)))
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

    /// What it has brought.
    mutating func brought(_ result: BackgroundFetchResult?) {
        switch result {
        case .newData: record.fruitless = 0
        case .noData, .failed: record.fruitless = min(record.fruitless + 1, Self.fruitlessness)
        // It was killed for taking too long, or has died of it: that costs more than it can bring.
        case nil: record.fruitless = Self.fruitlessness
        }
    }

    /// The clock was set back: what it last had was not in the future.
    mutating func noticed(_ now: Nanoseconds) { record.last = min(record.last, now) }

    /// What each opportunity may be late on average.
    private static func allowance(_ interval: Nanoseconds) -> Nanoseconds { Nanoseconds(interval.rawValue / 25 * 6) }

    static func firstPatience(_ interval: Nanoseconds) -> Nanoseconds { Nanoseconds(interval.rawValue / 2) }
}
