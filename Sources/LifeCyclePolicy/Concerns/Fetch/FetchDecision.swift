public import LifeCycleModel

/// A decision about background fetch.
public enum FetchDecision: Hashable, Sendable, Codable {
    /// An app asked to have an opportunity to fetch no more often than this, or none.
    case asked(LaunchID, Nanoseconds?)
    /// It did so, and its `Info.plist` does not allow it any: it counts for nothing.
    case declined(LaunchID, WakeRefusal)
    /// It will have none until this is over; nil once nothing stands in the way any more.
    case barred(AppID, FetchObstacle?)
    /// It is given an opportunity, so long after it might have had one.
    case offered(AppID, late: Nanoseconds)
    /// It had to do without one, for this.
    case missed(AppID, WakeRefusal)
    /// Its fetches have taken as long as they may in a day: it has none before this time on the wall clock.
    case spent(AppID, until: Nanoseconds)

    /// The app it is about.
    public var app: AppID {
        switch self {
        case .asked(let launch, _), .declined(let launch, _): launch.app
        case .offered(let app, _), .missed(let app, _), .barred(let app, _), .spent(let app, _): app
        }
    }
}

extension DeadlineReason {
    /// Apps are to have an opportunity to fetch.
    public static var backgroundFetch: DeadlineReason { .concern("backgroundFetch") }
}

extension FetchDecision: ConcernDecision {
    package static func decision(in reason: ConcernReason) -> (any ConcernDecision)? {
        if case .fetch(let decision) = reason { decision } else { nil }
    }

    package func refuses(_ input: ConcernInput) -> Bool {
        switch self {
        case .asked, .declined, .barred, .offered, .missed, .spent: false
        }
    }
}

/// What keeps an app from fetching that would like to.
public enum FetchObstacle: Hashable, Sendable, Codable {
    /// The launch rules would not let it be woken.
    case refused(WakeRefusal)
    /// Nobody may, as the device is now.
    case held(FetchHold)
}

/// What keeps the whole device from looking for news.
public enum FetchHold: String, Hashable, Sendable, Codable, CaseIterable {
    /// There is no network.
    case network
    /// Low Power Mode is on.
    case lowPowerMode
    /// The battery is low.
    case battery
    /// Low Data Mode is on.
    case lowDataMode
}
