/// The facts that an app needs from its first instruction on, before it has connected to the system.
public struct LaunchContext: Hashable, Sendable {
    /// Why the app is launched: into the foreground for `.user`, otherwise into the background.
    public var reason: LaunchReason
    /// The background time of finite-length tasks: the app's estimate until the system reports the end of the
    /// time.
    public var backgroundTime: Nanoseconds
    /// Whether the app may run in the background. If not, it cannot begin a task.
    public var isMultitaskingSupported: Bool

    /// The app's scene session; nil if the app has no scenes.
    public var sceneSession: SceneSessionID?

    /// The class of the application object; nil for `UIApplication`.
    public var principalClass: String?

    /// Whether the process is prewarmed and waits in `UIApplicationMain` until the app is launched (T28).
    public var isPrewarmed: Bool

    /// The most Newsstand downloads that are named. All names have to fit into a process's environment.
    public static let mostDownloads = 200
    /// The longest name of a download, in bytes. Longer names are left out.
    public static let longestDownload = 64

    /// The identifiers of the finished Newsstand downloads that the app is launched for.
    public var newsstandDownloads: [String]

    /// The least time between two calls of a keep-alive handler; nil if the app cannot have one, because it does not
    /// declare the mode `voip`.
    public var keepAliveFloor: Nanoseconds?

    /// Used by the brain for each launch, and by an app that reads its environment.
    public init(
        reason: LaunchReason, backgroundTime: Nanoseconds, isMultitaskingSupported: Bool,
        sceneSession: SceneSessionID? = nil, principalClass: String? = nil, isPrewarmed: Bool = false,
        newsstandDownloads: [String] = [], keepAliveFloor: Nanoseconds? = nil
    ) {
        self.reason = reason
        self.backgroundTime = backgroundTime
        self.isMultitaskingSupported = isMultitaskingSupported
        self.sceneSession = sceneSession
        self.principalClass = principalClass
        self.isPrewarmed = isPrewarmed
        self.newsstandDownloads = newsstandDownloads
        self.keepAliveFloor = keepAliveFloor
    }
}
