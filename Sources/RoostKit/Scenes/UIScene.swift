/// One instance of the app's user interface. Roost makes one per app, as an iPhone does, if the app's `Info.plist` has
/// a `UIApplicationSceneManifest`.
@preconcurrency @MainActor open class UIScene: UIResponder {
    /// Where a scene is in its life; the numbers are Apple's.
    public enum ActivationState: Int, Sendable {
        /// Not connected to the app.
        case unattached = -1
        /// In the foreground, receiving events.
        case foregroundActive = 0
        /// In the foreground, not receiving events.
        case foregroundInactive = 1
        /// In the background.
        case background = 2
    }

    /// Creates a scene; the system does so when it connects one (T01).
    public required init(session: UISceneSession, connectionOptions: UIScene.ConnectionOptions) {
        self.session = session
        super.init()
    }

    /// The session it belongs to, which outlives it.
    public let session: UISceneSession

    /// Hears of what becomes of the scene, instead of the application's delegate (section 1.2, 3).
    open var delegate: (any UISceneDelegate)?

    /// Where the scene is in its life, also within a callback.
    public internal(set) var activationState = ActivationState.unattached

    /// What the app switcher calls it; held.
    open var title: String! = ""

    /// What the app switcher says beside that; held.
    open var subtitle: String = ""

    /// The application.
    open override var next: UIResponder? { UIApplication.instance }
}

extension UIScene {
    /// What a scene is connected for. Nothing here opens an app by a URL, a shortcut or a hand-off: all is empty.
    /// `userActivities` is left out, since Foundation on Linux has no `NSUserActivity`.
    @preconcurrency @MainActor public final class ConnectionOptions: NSObject {
        /// The URLs to open.
        public var urlContexts: Set<UIOpenURLContext> { [] }

        /// The app that asked for the scene.
        public var sourceApplication: String? { nil }

        /// The kind of user activity that is handed off.
        public var handoffUserActivityType: String? { nil }

        override init() { super.init() }
    }

    /// How a scene is to be activated; held.
    @preconcurrency @MainActor open class ActivationRequestOptions: NSObject {
        /// The scene that asks.
        open var requestingScene: UIScene?
    }

    /// After `scene(_:willConnectTo:options:)`; its object is the scene, as of all six.
    nonisolated public static let willConnectNotification = Notification.Name("UISceneWillConnectNotification")
    /// After `sceneDidDisconnect(_:)` (T25).
    nonisolated public static let didDisconnectNotification = Notification.Name("UISceneDidDisconnectNotification")
    /// After `sceneDidBecomeActive(_:)`.
    nonisolated public static let didActivateNotification = Notification.Name("UISceneDidActivateNotification")
    /// After `sceneWillResignActive(_:)`.
    nonisolated public static let willDeactivateNotification = Notification.Name("UISceneWillDeactivateNotification")
    /// After `sceneWillEnterForeground(_:)`, which a new scene gets as well (T01, X-11).
    nonisolated public static let willEnterForegroundNotification = Notification.Name(
        "UISceneWillEnterForegroundNotification")
    /// After `sceneDidEnterBackground(_:)`.
    nonisolated public static let didEnterBackgroundNotification = Notification.Name(
        "UISceneDidEnterBackgroundNotification")
}

/// How a scene is to be destroyed; held.
@preconcurrency @MainActor open class UISceneDestructionRequestOptions: NSObject {}

/// A URL to open, with who asks. Nothing here opens an app by a URL, so that no app ever gets one.
@preconcurrency @MainActor public final class UIOpenURLContext: NSObject {
    /// The URL.
    public let url: URL

    init(url: URL) {
        self.url = url
        super.init()
    }
}

/// The domain of `UISceneError`.
public let UISceneErrorDomain = "UISceneErrorDomain"

/// Why a request about a scene failed.
public struct UISceneError: CustomNSError, Hashable, Sendable {
    /// The reasons; the numbers are Apple's.
    public enum Code: Int, Sendable {
        /// The app, or the device, has one scene at a time.
        case multipleScenesNotSupported = 0
        /// The system refused.
        case requestDenied = 1
        /// The geometry asked for is not possible.
        case geometryRequestUnsupported = 100
        /// The geometry asked for was refused.
        case geometryRequestDenied = 101
    }

    /// The app, or the device, has one scene at a time.
    public static let multipleScenesNotSupported = Code.multipleScenesNotSupported
    /// The system refused.
    public static let requestDenied = Code.requestDenied

    /// The reason.
    public let code: Code

    /// An error with a reason.
    public init(_ code: Code) { self.code = code }

    /// `UISceneErrorDomain`.
    public static var errorDomain: String { UISceneErrorDomain }

    /// The reason's number.
    public var errorCode: Int { code.rawValue }
}
