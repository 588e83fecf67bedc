/// An instance of the app's user interface. As on an iPhone, an app has one scene if its `Info.plist` has a
/// `UIApplicationSceneManifest`.
@preconcurrency @MainActor open class UIScene: UIResponder {
    /// The state of a scene; raw values are Apple's.
    public enum ActivationState: Int, Sendable {
        /// Not connected to the app.
        case unattached = -1
        /// In the foreground, receiving events.
        case foregroundActive = 0
        /// In the foreground, not receiving events.
        case foregroundInactive = 1
        case background = 2
    }

    /// Creates a scene. Only the system calls this, when it connects a scene (T01).
    public required init(session: UISceneSession, connectionOptions: UIScene.ConnectionOptions) {
        self.session = session
        super.init()
    }

    /// The session of the scene; it outlives the scene.
    public let session: UISceneSession

    /// The scene's delegate. It receives the life-cycle callbacks instead of the application's delegate (section 1.2,
    /// 3).
    open var delegate: (any UISceneDelegate)?

    /// The current state, also within a callback.
    public internal(set) var activationState = ActivationState.unattached

    /// The title in the app switcher; stored without effect.
    open var title: String! = ""

    /// The subtitle in the app switcher; stored without effect.
    open var subtitle: String = ""

    /// The application object.
    open override var next: UIResponder? { UIApplication.instance }
}

extension UIScene {
    /// The reasons for connecting a scene. Always empty: Roost does not open apps by URL, shortcut or handoff.
    /// `userActivities` is missing, because Foundation on Linux has no `NSUserActivity`.
    @preconcurrency @MainActor public final class ConnectionOptions: NSObject {
        /// The URLs to open; always empty.
        public var urlContexts: Set<UIOpenURLContext> { [] }

        /// The app that requested the scene; always nil.
        public var sourceApplication: String? { nil }

        /// The type of the user activity being handed off; always nil.
        public var handoffUserActivityType: String? { nil }

        override init() { super.init() }
    }

    /// The options for activating a scene; stored without effect.
    @preconcurrency @MainActor open class ActivationRequestOptions: NSObject {
        /// The scene that makes the request.
        open var requestingScene: UIScene?
    }

    /// Posted after `scene(_:willConnectTo:options:)`. As for all six notifications, the object is the scene.
    nonisolated public static let willConnectNotification = Notification.Name("UISceneWillConnectNotification")
    /// Posted after `sceneDidDisconnect(_:)` (T25).
    nonisolated public static let didDisconnectNotification = Notification.Name("UISceneDidDisconnectNotification")
    /// Posted after `sceneDidBecomeActive(_:)`.
    nonisolated public static let didActivateNotification = Notification.Name("UISceneDidActivateNotification")
    /// Posted after `sceneWillResignActive(_:)`.
    nonisolated public static let willDeactivateNotification = Notification.Name("UISceneWillDeactivateNotification")
    /// Posted after `sceneWillEnterForeground(_:)`, which is also called for a new scene (T01, X-11).
    nonisolated public static let willEnterForegroundNotification = Notification.Name(
        "UISceneWillEnterForegroundNotification")
    /// Posted after `sceneDidEnterBackground(_:)`.
    nonisolated public static let didEnterBackgroundNotification = Notification.Name(
        "UISceneDidEnterBackgroundNotification")
}

/// The options for destroying a scene; ignored.
@preconcurrency @MainActor open class UISceneDestructionRequestOptions: NSObject {}

/// A URL to open, with its context. Roost does not open apps by URL, so no app ever receives it.
@preconcurrency @MainActor public final class UIOpenURLContext: NSObject {
    /// The URL to open, of any scheme.
    public let url: URL

    init(url: URL) {
        self.url = url
        super.init()
    }
}

/// The domain of errors about scenes, as `NSError` shows it.
public let UISceneErrorDomain = "UISceneErrorDomain"

/// The error of a failed request about a scene.
public struct UISceneError: CustomNSError, Hashable, Sendable {
    /// The reason for the failure; raw values are Apple's.
    public enum Code: Int, Sendable {
        /// The app or the device supports only one scene.
        case multipleScenesNotSupported = 0
        /// The system has refused the request.
        case requestDenied = 1
        /// The requested geometry is not supported.
        case geometryRequestUnsupported = 100
        /// The system has refused the requested geometry.
        case geometryRequestDenied = 101
    }

    /// The app or the device supports only one scene.
    public static let multipleScenesNotSupported = Code.multipleScenesNotSupported
    /// The system has refused the request.
    public static let requestDenied = Code.requestDenied

    /// The reason for the failure.
    public let code: Code

    /// Creates an error with a reason.
    public init(_ code: Code) { self.code = code }

    /// Always `UISceneErrorDomain`.
    public static var errorDomain: String { UISceneErrorDomain }

    /// The raw value of the reason.
    public var errorCode: Int { code.rawValue }
}
