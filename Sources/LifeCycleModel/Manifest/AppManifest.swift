/// The checked contents of an app's `Info.plist`.
public struct AppManifest: Hashable, Sendable, Codable {
    /// `CFBundleIdentifier`.
    public var identifier: BundleIdentifier
    /// `CFBundleExecutable`: a file name in the bundle, no path.
    public var executable: String
    /// `CFBundleDisplayName`, otherwise `CFBundleName`, otherwise the executable's name.
    public var displayName: String
    /// `UIBackgroundModes`, sorted and without duplicates.
    public var backgroundModes: [BackgroundMode]
    /// `BGTaskSchedulerPermittedIdentifiers`, unchanged; nil if the key is missing.
    public var taskIdentifiers: [String]?
    /// `UIApplicationExitsOnSuspend`.
    public var exitsOnSuspend: Bool
    /// Whether the key `UIApplicationSceneManifest` exists: the app has scenes.
    public var usesScenes: Bool
    /// `NSPrincipalClass`: the class of the application object; nil for `UIApplication`.
    public var principalClass: String?
    /// `RoostAdopted`: the executable is not built on RoostKit; its callbacks count as answered.
    public var isAdopted: Bool

    /// Sorts the background modes. Without a display name, the executable's name is displayed.
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
