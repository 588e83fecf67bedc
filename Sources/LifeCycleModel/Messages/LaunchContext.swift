/// What an app has to know from its first instruction on, before it has spoken to the system.
public struct LaunchContext: Hashable, Sendable {
    /// Why it was launched: the foreground for `.user`, else the background.
    public var reason: LaunchReason
    /// How much background time finite-length tasks are given: the app's estimate until the system says more.
    public var backgroundTime: Nanoseconds
    /// Whether the app may run in the background at all; where not, no task can be begun.
    public var isMultitaskingSupported: Bool

    /// The app's scene session; nil where it has the life cycle of its app delegate alone.
    public var sceneSession: SceneSessionID?

    /// The class of its application object; nil for `UIApplication`.
    public var principalClass: String?

    /// Whether it was started early, to wait in `UIApplicationMain` until it is launched (T28).
    public var isPrewarmed: Bool

    /// How many Newsstand downloads are named at most: all has to fit a process's environment.
    public static let mostDownloads = 200
    /// The longest name of one that is told, in bytes.
    public static let longestDownload = 64

    /// The identifiers of the Newsstand downloads that it is launched for: those that have come to an end.
    public var newsstandDownloads: [String]

    /// A context with these values.
    public init(
        reason: LaunchReason, backgroundTime: Nanoseconds, isMultitaskingSupported: Bool,
        sceneSession: SceneSessionID? = nil, principalClass: String? = nil, isPrewarmed: Bool = false,
        newsstandDownloads: [String] = []
    ) {
        self.reason = reason
        self.backgroundTime = backgroundTime
        self.isMultitaskingSupported = isMultitaskingSupported
        self.sceneSession = sceneSession
        self.principalClass = principalClass
        self.isPrewarmed = isPrewarmed
        self.newsstandDownloads = newsstandDownloads
    }
}
