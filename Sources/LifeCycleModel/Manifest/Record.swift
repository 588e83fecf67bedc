/// What the system keeps on disk of an installed app, and of the one launch it may have running.
///
/// The brain puts records out with `Effect.store`; restored from them, it goes on where it was.
public struct AppRecord: Hashable, Sendable, Codable {
    /// The app's number.
    public var app: AppID
    /// Its manifest.
    public var manifest: AppManifest
    /// Whether the user swiped it away, and has not opened it since.
    public var isForceQuit: Bool
    /// The number of its newest launch; 0 before the first.
    public var lastLaunch: Int32
    /// Whether the user lets it be woken in the background (Background App Refresh).
    public var allowsBackgroundRefresh = true
    /// Its scene sessions.
    public var scenes = SceneSessions()
    /// Its place in the app switcher, the newest being the highest; 0 where it is not in it.
    public var switcherPlace: Int64 = 0

    /// A record with these values.
    public init(app: AppID, manifest: AppManifest, isForceQuit: Bool = false, lastLaunch: Int32 = 0) {
        self.app = app
        self.manifest = manifest
        self.isForceQuit = isForceQuit
        self.lastLaunch = lastLaunch
    }
}

/// A launch that is under way: enough to find its process again and to know what it was meant to become.
public struct LaunchRecord: Hashable, Sendable, Codable {
    /// Which launch.
    public var launch: LaunchID
    /// Why it was launched.
    public var reason: LaunchReason
    /// Whether it is meant to be in the foreground.
    public var isInFront: Bool
    /// Whether it may think itself active, or is to be told so: whoever comes to the front waits for its word.
    public var mayBeActive: Bool
    /// Whether it was last seen frozen.
    public var isSuspended: Bool
    /// Set once the launch is to end.
    public var ending: TerminationReason?

    /// A record with these values; whoever is meant to be in the foreground may be active.
    public init(
        launch: LaunchID, reason: LaunchReason, isInFront: Bool, mayBeActive: Bool = false, isSuspended: Bool,
        ending: TerminationReason? = nil
    ) {
        self.launch = launch
        self.reason = reason
        self.isInFront = isInFront
        self.mayBeActive = isInFront || mayBeActive
        self.isSuspended = isSuspended
        self.ending = ending
    }
}

/// A change of what is persisted, in one of the two classes of durability.
public enum Record: Hashable, Sendable, Codable {
    /// Owed: survives power loss; acted on only after the commit.
    case app(AppRecord)
    /// Owed: the device itself.
    case device(DeviceRecord)
    /// Owed: the app is gone.
    case appRemoved(AppID)
    /// Owed: a change of what a concern persists.
    case concern(ConcernRecord)
    /// Running: survives SIGKILL of the system.
    case launch(LaunchRecord)
    /// Running: the launch is over.
    case launchEnded(LaunchID)

    /// Whether the change must be on disk before anything is built on it.
    public var isOwed: Bool {
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
