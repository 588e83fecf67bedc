/// What an app does at the transitions of a scene's life (T01, T03, T05, T25). Every method may be left out, and runs
/// on the main thread. Methods with an `NSUserActivity` are left out, since Foundation on Linux has none.
@preconcurrency @MainActor public protocol UISceneDelegate: NSObjectProtocol {
    /// The scene was made: give it its window (T01).
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions)

    /// The scene is let go; its session stays and may be connected again (T25).
    func sceneDidDisconnect(_ scene: UIScene)

    /// The scene is active now: start or restart what was paused.
    func sceneDidBecomeActive(_ scene: UIScene)

    /// The scene is about to be inactive: pause.
    func sceneWillResignActive(_ scene: UIScene)

    /// The scene is about to enter the foreground, also when it is new; `sceneDidBecomeActive(_:)` follows.
    func sceneWillEnterForeground(_ scene: UIScene)

    /// The scene is in the background: save; has to return within seconds.
    func sceneDidEnterBackground(_ scene: UIScene)

    /// URLs to open. Nothing here opens an app by a URL: never called.
    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>)
}

// Swift on Linux has no optional methods of protocols: defaults stand in for those left out.
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

/// A scene delegate whose scene has windows.
@preconcurrency @MainActor public protocol UIWindowSceneDelegate: UISceneDelegate {
    /// The scene's main window. There are no storyboards here that would set it: `scene(_:willConnectTo:options:)`
    /// makes it.
    var window: UIWindow? { get set }
}

extension UIWindowSceneDelegate {
    /// No window.
    public var window: UIWindow? {
        get { nil }
        set {}
    }
}
