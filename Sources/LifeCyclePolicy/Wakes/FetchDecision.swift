public import LifeCycleModel

/// A decision about background fetch.
public enum FetchDecision: Hashable, Sendable, Codable {
    /// An app asked to have an opportunity to fetch no more often than this, or none.
    case asked(LaunchID, Nanoseconds?)
    /// It did so without the mode in `UIBackgroundModes`, which counts for nothing.
    case notDeclared(LaunchID)
    /// It is given an opportunity, so long after it might have had one.
    case offered(AppID, late: Nanoseconds)
    /// It had to do without one, for this.
    case missed(AppID, WakeRefusal)
    /// Nobody has any until this is over; nil once it is.
    case held(FetchHold?)

    /// The app it is about; nil where it is about all.
    public var app: AppID? {
        switch self {
        case .asked(let launch, _), .notDeclared(let launch): launch.app
        case .offered(let app, _), .missed(let app, _): app
        case .held: nil
        }
    }
}
