import LifeCycleModel

/// What the system calls an app for, for `VirtualDevice.whileHandling(_:of:takes:)`: by the name of the method that the
/// delegate is called by, whichever delegate it is.
public struct CallbackName: Hashable, Sendable {
    let name: String

    private init(_ callback: Callback) { name = callback.name }

    /// A delegate method of a concern, `DeliveredCall.Method`.
    init(_ method: some RawRepresentable<String>) { name = "\(method)" }

    /// `willFinishLaunching` and `didFinishLaunching` together: the launch.
    public static let didFinishLaunching = CallbackName(.launch(.user))
    /// The app becomes active.
    public static let didBecomeActive = CallbackName(.didBecomeActive)
    /// The app is about to be inactive.
    public static let willResignActive = CallbackName(.willResignActive)
    /// The app has entered the background.
    public static let didEnterBackground = CallbackName(.didEnterBackground)
    /// The app is about to enter the foreground.
    public static let willEnterForeground = CallbackName(.willEnterForeground)
    /// All expiration handlers together.
    public static let expirationHandlers = CallbackName(.expireTasks)
    /// The device is not as it was.
    public static let deviceChanged = CallbackName(.deviceChanged(DeviceFacts()))
    /// Memory is low.
    public static let didReceiveMemoryWarning = CallbackName(.memoryWarning)
    /// The scene is taken.
    public static let sceneDidDisconnect = CallbackName(.disconnectScene)
    /// The user has closed scenes.
    public static let didDiscardSceneSessions = CallbackName(.discardScenes([]))
    /// The app is about to be ended.
    public static let willTerminate = CallbackName(.willTerminate)
}
