public import LifeCycleModel

/// A decision about background fetch.
public enum FetchDecision: Hashable, Sendable, Codable {
    /// An app set the least interval between its fetches; nil if the app wants no fetches.
    case asked(LaunchID, Nanoseconds?)
    /// An app set its interval, and its `Info.plist` does not allow it to fetch: the request is ignored.
    case declined(LaunchID, WakeRefusal)
    /// The app may not fetch until this obstacle is gone; nil if no obstacle is left.
    case barred(AppID, FetchObstacle?)
    /// The app is given an opportunity, this long after the earliest possible time.
    case offered(AppID, late: Nanoseconds)
    /// The app missed its opportunity for this reason.
    case missed(AppID, WakeRefusal)
    /// The app's fetches have used up the day's budget. It may not fetch before this time on the wall clock.
    case spent(AppID, until: Nanoseconds)

    /// The app that the decision is about.
    public var app: AppID {
        switch self {
        case .asked(let launch, _), .declined(let launch, _): launch.app
        case .offered(let app, _), .missed(let app, _), .barred(let app, _), .spent(let app, _): app
        }
    }
}

extension DeadlineReason {
    /// An app is due for a background fetch.
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

/// Why an app that wants to fetch may not.
public enum FetchObstacle: Hashable, Sendable, Codable {
    /// The launch rules forbid to wake the app.
    case refused(WakeRefusal)
    /// No app may fetch at present.
    case held(FetchHold)
}

/// Why no app on the device may fetch.
public enum FetchHold: String, Hashable, Sendable, Codable, CaseIterable {
    /// There is no network.
    case network
    case lowPowerMode
    /// The battery is low.
    case battery
    case lowDataMode
}
