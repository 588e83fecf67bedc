import LifeCycleModel

/// What outlives a scene: the app's card in the switcher, over the scene's disconnection and the process' end (T25).
/// `stateRestorationActivity` is left out, since Foundation on Linux has no `NSUserActivity`.
@preconcurrency @MainActor public final class UISceneSession: NSObject {
    /// What a scene is for.
    public struct Role: RawRepresentable, Hashable, Sendable {
        /// The role's name, as `Info.plist` has it.
        public let rawValue: String

        /// Wraps a name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The app's windows on the device's screen: the one role of scenes here.
        public static let windowApplication = Self(rawValue: "UIWindowSceneSessionRoleApplication")
        /// Windows on another screen.
        public static let windowExternalDisplayNonInteractive = Self(
            rawValue: "UIWindowSceneSessionRoleExternalDisplayNonInteractive")
    }

    /// What the session's scene is for.
    public let role: Role

    /// What tells it from the app's other sessions, in this launch and all later ones.
    public let persistentIdentifier: String

    /// How its scene is made.
    public internal(set) var configuration: UISceneConfiguration

    /// Its scene, while that is connected.
    public internal(set) weak var scene: UIScene?

    /// What the app wants to keep with the session; held as long as the process lives.
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

/// How a scene is made: by default as the app's `Info.plist` says under `UISceneConfigurations`.
@preconcurrency @MainActor public final class UISceneConfiguration: NSObject {
    /// The name it has in `Info.plist`.
    public let name: String?

    /// What the scene is for.
    public let role: UISceneSession.Role

    /// The scene's class: nil for `UIWindowScene`.
    public var sceneClass: AnyClass?

    /// The class of the scene's delegate.
    public var delegateClass: AnyClass?

    /// The configuration of this name in `Info.plist` or, where there is none, one without classes; without a name,
    /// the role's first one.
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
