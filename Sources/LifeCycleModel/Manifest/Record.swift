/// The persisted record of an installed app.
///
/// The brain stores records with `Effect.store`. Restored from its records, it continues where it was.
public struct AppRecord: Hashable, Sendable, Codable {
    /// The installed app.
    public var app: AppID
    /// The checked `Info.plist` of the installed bundle.
    public var manifest: AppManifest
    /// Whether the user force-quit the app, and has not opened it since.
    public var isForceQuit: Bool
    /// The number of the newest launch; 0 before the first.
    public var lastLaunch: Int32
    /// The user's setting of Background App Refresh for the app.
    public var allowsBackgroundRefresh = true
    /// The app's scene sessions.
    public var scenes = SceneSessions()
    /// The place in the app switcher, where the newest app has the highest; 0 if the app is not in the switcher.
    public var switcherPlace: Int64 = 0

    /// The defaults are those of a newly installed app.
    public init(app: AppID, manifest: AppManifest, isForceQuit: Bool = false, lastLaunch: Int32 = 0) {
        self.app = app
        self.manifest = manifest
        self.isForceQuit = isForceQuit
        self.lastLaunch = lastLaunch
    }
}

/// The record of a launch under way. After a restart the system finds the process again by this record, and knows its
/// target.
public struct LaunchRecord: Hashable, Sendable, Codable {
    /// The app, and the number among its launches.
    public var launch: LaunchID
    /// Why the app was launched.
    public var reason: LaunchReason
    /// Whether the app's target is the foreground.
    public var isInForeground: Bool
    /// Whether the app may take itself for active, now or soon. Another app waits for its reconnection before it
    /// becomes active.
    public var mayBeActive: Bool
    /// Whether the launch was last seen frozen.
    public var isSuspended: Bool
    /// The reason to end the launch; nil if the launch is not to end.
    public var ending: TerminationReason?
    /// Whether the launch is that of an adopted app. The app may have been updated since.
    public var isAdopted: Bool

    private enum CodingKeys: String, CodingKey {
        case launch, reason
        /// The key in the journal.
        case isInForeground = "isInFront"
        case mayBeActive, isSuspended, ending, isAdopted
    }

    /// Sets `mayBeActive` also if the app's target is the foreground.
    public init(
        launch: LaunchID, reason: LaunchReason, isInForeground: Bool, mayBeActive: Bool = false, isSuspended: Bool,
        ending: TerminationReason? = nil, isAdopted: Bool = false
    ) {
        self.launch = launch
        self.reason = reason
        self.isInForeground = isInForeground
        self.mayBeActive = isInForeground || mayBeActive
        self.isSuspended = isSuspended
        self.ending = ending
        self.isAdopted = isAdopted
    }

    /// Reads the output of `encode(to:)`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            launch: try container.decode(LaunchID.self, forKey: .launch),
            reason: try container.decode(LaunchReason.self, forKey: .reason),
            isInForeground: try container.decode(Bool.self, forKey: .isInForeground),
            mayBeActive: try container.decode(Bool.self, forKey: .mayBeActive),
            isSuspended: try container.decode(Bool.self, forKey: .isSuspended),
            ending: try container.decodeIfPresent(TerminationReason.self, forKey: .ending),
            isAdopted: try container.decodeIfPresent(Bool.self, forKey: .isAdopted) ?? false)
    }

    /// Most launches are of no adopted app, so that only the others are marked.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(launch, forKey: .launch)
        try container.encode(reason, forKey: .reason)
        try container.encode(isInForeground, forKey: .isInForeground)
        try container.encode(mayBeActive, forKey: .mayBeActive)
        try container.encode(isSuspended, forKey: .isSuspended)
        try container.encodeIfPresent(ending, forKey: .ending)
        if isAdopted { try container.encode(isAdopted, forKey: .isAdopted) }
    }
}

/// A change of the persisted records, with one of two classes of durability.
public enum Record: Hashable, Sendable, Codable {
    /// An app was installed or changed. Durable: the record survives power loss, and effects wait for the commit.
    case app(AppRecord)
    /// The device changed. Durable.
    case device(DeviceRecord)
    /// An app was removed. Durable.
    case appRemoved(AppID)
    /// A concern's records changed. Durable.
    case concern(ConcernRecord)
    /// A launch began or changed. The record survives SIGKILL of the system.
    case launch(LaunchRecord)
    /// A launch is over. The record survives SIGKILL of the system.
    case launchEnded(LaunchID)

    /// Whether the change is durable: it must be on disk before effects build on it.
    public var isDurable: Bool {
        switch self {
        case .app, .device, .appRemoved, .concern: true
        case .launch, .launchEnded: false
        }
    }
}

extension Record {
    /// The subjects of the record; empty if no effect builds on it.
    public var subjects: [RecordSubject] {
        switch self {
        case .app(let record): [.app(record.app)]
        case .appRemoved(let app): [.app(app)]
        case .concern(let change): change.word.subjectsBuiltUpon
        case .device, .launch, .launchEnded: []
        }
    }
}
