/// What an app's `Info.plist` says of it, checked.
public struct AppManifest: Hashable, Sendable, Codable {
    /// `CFBundleIdentifier`.
    public var identifier: BundleIdentifier
    /// `CFBundleExecutable`: a file name in the bundle, no path.
    public var executable: String
    /// `CFBundleDisplayName`, else `CFBundleName`, else the executable's name.
    public var displayName: String
    /// `UIBackgroundModes`, sorted, each once.
    public var backgroundModes: [BackgroundMode]
    /// `BGTaskSchedulerPermittedIdentifiers`, as they are written there; nil where the key is not there.
    public var taskIdentifiers: [String]?
    /// `UIApplicationExitsOnSuspend`.
    public var exitsOnSuspend: Bool
    /// Whether `UIApplicationSceneManifest` is there: the app has the life cycle of scenes.
    public var usesScenes: Bool
    /// `NSPrincipalClass`: the class of the application object; nil for `UIApplication`.
    public var principalClass: String?
    /// `RoostAdopted`: the executable is not built on RoostKit; its callbacks count as answered.
    public var isAdopted: Bool

    /// A manifest with these values; `backgroundModes` may come in any order.
    public init(
        identifier: BundleIdentifier, executable: String, displayName: String? = nil,
        backgroundModes: [BackgroundMode] = [], taskIdentifiers: [String]? = nil, exitsOnSuspend: Bool = false,
        usesScenes: Bool = false, principalClass: String? = nil, isAdopted: Bool = false
    ) {
        self.identifier = identifier
        self.executable = executable
        self.displayName = displayName ?? executable
        self.backgroundModes = Set(backgroundModes).sorted()
        self.taskIdentifiers = taskIdentifiers
        self.exitsOnSuspend = exitsOnSuspend
        self.usesScenes = usesScenes
        self.principalClass = principalClass
        self.isAdopted = isAdopted
    }
}
