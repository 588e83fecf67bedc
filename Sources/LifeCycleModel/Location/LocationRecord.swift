/// The persisted record of an app that uses the location, or that the user decided about.
public struct LocationRecord: Hashable, Sendable, Codable {
    /// The app.
    public let app: AppID
    /// The user's decision.
    public var permission: LocationPermission
    /// Whether the app monitors significant changes. This outlives the app's process.
    public var monitorsChanges: Bool
    /// The last position that the app was told as a significant change; nil if none since it began.
    public var told: LocationFix?
    /// The time at which it was told, on the wall clock.
    public var toldAt: Nanoseconds?
    /// The regions that the app monitors, by identifier, at most `LocationRegion.most`. They outlive the app's
    /// process.
    public var regions: [MonitoredRegion] = []
    /// The standard updates that keep the app running in the background; nil if none do. After a restart of the
    /// system they still do.
    public var session: LocationSession?

    /// The background activity session, which keeps the app in use in the background; nil without one. It outlives
    /// the app's process.
    public var activity: BackgroundActivity?

    /// Whether the app monitors significant changes or regions.
    package var isMonitoring: Bool { monitorsChanges || !regions.isEmpty }

    /// The record of an app about which the user has not decided.
    public init(app: AppID, permission: LocationPermission = .ask, monitorsChanges: Bool = false) {
        (self.app, self.permission, self.monitorsChanges) = (app, permission, monitorsChanges)
    }
}

/// Standard updates that keep a launch running in the background.
public struct LocationSession: Hashable, Sendable, Codable {
    /// The launch.
    public let launch: LaunchID
    /// The updates, as the app asks for them.
    public let updates: StandardUpdates

    /// A session of a launch.
    public init(launch: LaunchID, updates: StandardUpdates) { (self.launch, self.updates) = (launch, updates) }
}

/// A background activity session of an app.
public struct BackgroundActivity: Hashable, Sendable, Codable {
    /// The launch that has the session. Another one has to make it again.
    public let launch: LaunchID
    /// The present state of that launch.
    public var state = State.current

    /// The state of the launch that has the session.
    public enum State: String, Hashable, Sendable, Codable, CaseIterable {
        /// It has the session, or ended while nothing kept it running.
        case current
        /// It ended while standard updates kept it running. A position launches the app again.
        case interrupted
        /// The app has been launched again, and has not made the session again.
        case overtaken
    }

    /// A session that a launch has now.
    public init(launch: LaunchID) { self.launch = launch }
}

/// A change of the records of locations.
public enum LocationChange: Hashable, Sendable, Codable {
    case client(LocationRecord)
}

extension LocationChange: RecordedChange {
    package var subject: RecordSubject {
        switch self {
        case .client(let record): .location(of: record.app)
        }
    }
    package var isRemoval: Bool { false }
    package var subjectsBuiltUpon: [RecordSubject] { [] }
}

extension RecordSubject {
    package static func location(of app: AppID) -> RecordSubject { RecordSubject("location", of: app) }
}

extension [ConcernRecord] {
    /// The apps that use the location, or that the user decided about.
    public var locations: [LocationRecord] {
        compactMap { if case .location(.client(let record)) = $0 { record } else { nil } }
    }
}
