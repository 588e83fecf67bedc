/// The callbacks of a scene's life cycle (T01, T03, T05, T25). Every method is optional and runs on the main thread.
/// Methods with an `NSUserActivity` are missing, because Foundation on Linux has no such class.
@preconcurrency @MainActor public protocol UISceneDelegate: NSObjectProtocol {
    /// The scene was created: create its window (T01).
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions)

    /// The scene was disconnected and is about to be released. Its session stays and may be connected again (T25).
    func sceneDidDisconnect(_ scene: UIScene)

    /// The scene is now active: start or restart paused work.
    func sceneDidBecomeActive(_ scene: UIScene)

    /// The scene is about to become inactive: pause.
    func sceneWillResignActive(_ scene: UIScene)

    /// The scene, new or existing, is about to enter the foreground; `sceneDidBecomeActive(_:)` follows.
    func sceneWillEnterForeground(_ scene: UIScene)

    /// The scene is in the background: save. Must return within seconds.
    func sceneDidEnterBackground(_ scene: UIScene)

    /// The scene is to open URLs. Never called, because Roost does not open apps by URL.
    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>)
}

// Swift on Linux has no optional protocol methods: these defaults replace them.
extension UISceneDelegate {
    /// Does nothing.
    public func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {}

    /// Does nothing.
    public func sceneDidDisconnect(_ scene: UIScene) {}

    /// Does nothing.
    public func sceneDidBecomeActive(_ scene: UIScene) {}

    /// Does nothing.
    public func sceneWillResignActive(_ scene: UIScene) {}

    /// Does nothing.
    public func sceneWillEnterForeground(_ scene: UIScene) {}

    /// Does nothing.
    public func sceneDidEnterBackground(_ scene: UIScene) {}

    /// Does nothing.
    public func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {}
}

/// The delegate of a `UIWindowScene`, which holds the window.
@preconcurrency @MainActor public protocol UIWindowSceneDelegate: UISceneDelegate {
    /// The scene's main window. Create it in `scene(_:willConnectTo:options:)`: there are no storyboards to create it.
    var window: UIWindow? { get set }
}

extension UIWindowSceneDelegate {
    /// No window: nil.
    public var window: UIWindow? {
        get { nil }
        set {}
    }
}
