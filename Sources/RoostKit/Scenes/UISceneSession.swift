import LifeCycleModel

/// The app's card in the switcher. A session outlives the scene's disconnection and the end of the process (T25).
/// `stateRestorationActivity` is missing, because Foundation on Linux has no `NSUserActivity`.
@preconcurrency @MainActor public final class UISceneSession: NSObject {
    /// The purpose of a scene.
    public struct Role: RawRepresentable, Hashable, Sendable {
        /// The name of the role, as in `Info.plist`.
        public let rawValue: String

        /// Creates a role with a name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The app's windows on the device's screen; the only role that Roost uses.
        public static let windowApplication = Self(rawValue: "UIWindowSceneSessionRoleApplication")
        /// Windows on another screen.
        public static let windowExternalDisplayNonInteractive = Self(
            rawValue: "UIWindowSceneSessionRoleExternalDisplayNonInteractive")
    }

    /// The purpose of the session's scene.
    public let role: Role

    /// An identifier that is unique among the app's sessions, in this launch and all later launches.
    public let persistentIdentifier: String

    /// The configuration that `application(_:configurationForConnecting:options:)` returned, or that of the manifest.
    public internal(set) var configuration: UISceneConfiguration

    /// The session's scene; nil if it is not connected.
    public internal(set) weak var scene: UIScene?

    /// The app's own data for the session. It is not persisted: it is lost when the process ends.
    public var userInfo: [String: Any]?

    let id: SceneSessionID

    init(id: SceneSessionID, bundleIdentifier: String, configuration: UISceneConfiguration) {
        self.id = id
        role = configuration.role
        persistentIdentifier = "\(bundleIdentifier).\(id.rawValue)"
        self.configuration = configuration
        super.init()
    }
}

/// A configuration for creating a scene. It comes from `UISceneConfigurations` in the app's `Info.plist` by default.
@preconcurrency @MainActor public final class UISceneConfiguration: NSObject {
    /// The name of the configuration in `Info.plist`.
    public let name: String?

    /// The purpose of the scene.
    public let role: UISceneSession.Role

    /// The class of the scene; nil for `UIWindowScene`.
    public var sceneClass: AnyClass?

    /// The class of the scene's delegate; nil for none.
    public var delegateClass: AnyClass?

    /// Creates the configuration with a name from `Info.plist`; it has no classes if `Info.plist` lacks that name. If
    /// the name is nil, uses the first configuration of the role.
    public convenience init(name: String?, sessionRole: UISceneSession.Role) {
        self.init(name: name, sessionRole: sessionRole, manifest: .main)
    }

    init(name: String?, sessionRole: UISceneSession.Role, manifest: SceneManifest) {
        let entry = manifest.entry(named: name, role: sessionRole.rawValue)
        self.name = name ?? entry?.name
        role = sessionRole
        sceneClass = entry?.sceneClassName.flatMap(manifest.sceneClass(named:))
        delegateClass = entry?.delegateClassName.flatMap(manifest.delegateClass(named:))
        super.init()
    }
}
