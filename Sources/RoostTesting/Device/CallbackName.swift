import LifeCycleModel

/// A callback for `VirtualDevice.whileHandling(_:of:takes:)`, named after its delegate method. The name covers the
/// application's delegate and the scene's.
public struct CallbackName: Hashable, Sendable {
    let name: String

    private init(_ callback: Callback) { name = callback.name }

    /// Creates a name from a delegate method of a concern, `DeliveredCall.Method`.
    init(_ method: some RawRepresentable<String>) { name = "\(method)" }

    /// The launch: `willFinishLaunching` and `didFinishLaunching` together.
    public static let didFinishLaunching = CallbackName(.launch(.user))
    /// The app becomes active.
    public static let didBecomeActive = CallbackName(.didBecomeActive)
    /// The app is about to become inactive.
    public static let willResignActive = CallbackName(.willResignActive)
    /// The app has entered the background.
    public static let didEnterBackground = CallbackName(.didEnterBackground)
    /// The app is about to enter the foreground.
    public static let willEnterForeground = CallbackName(.willEnterForeground)
    /// All expiration handlers together.
    public static let expirationHandlers = CallbackName(.expireTasks)
    /// Facts about the device have changed.
    public static let deviceChanged = CallbackName(.deviceChanged(DeviceFacts()))
    /// Memory is low.
    public static let didReceiveMemoryWarning = CallbackName(.memoryWarning)
    /// The scene was disconnected.
    public static let sceneDidDisconnect = CallbackName(.disconnectScene)
    /// The user has closed scenes.
    public static let didDiscardSceneSessions = CallbackName(.discardScenes([]))
    /// The app is about to be terminated.
    public static let willTerminate = CallbackName(.willTerminate)
}
