public import Foundation

/// What an app does at the transitions of its life cycle (K005). Every method may be left out, and runs on the main
/// thread.
@preconcurrency @MainActor public protocol UIApplicationDelegate: NSObjectProtocol {
    /// Makes the delegate, once, in `UIApplicationMain`.
    init()

    /// The window, in apps whose template declares one.
    var window: UIWindow? { get set }

    /// The launch has begun; `applicationState` is inactive or, in a launch to the background, background (T01, T02).
    func application(
        _ application: UIApplication,
        willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool

    /// The launch is nearly over: the launch watchdog runs until this returns.
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool

    /// The app is active now: start or restart what was paused.
    func applicationDidBecomeActive(_ application: UIApplication)

    /// The app is about to be inactive: pause.
    func applicationWillResignActive(_ application: UIApplication)

    /// The app is in the background: save; has to return within seconds.
    func applicationDidEnterBackground(_ application: UIApplication)

    /// The app is about to leave the background; `applicationDidBecomeActive(_:)` follows.
    func applicationWillEnterForeground(_ application: UIApplication)

    /// The app is about to be ended while it runs; never called in suspension.
    func applicationWillTerminate(_ application: UIApplication)
}

// Swift on Linux has no optional methods of protocols: defaults stand in for those left out.
extension UIApplicationDelegate {
    /// No window.
    public var window: UIWindow? {
        get { nil }
        set {}
    }

    /// Goes on with the launch.
    public func application(
        _ application: UIApplication,
        willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool { true }

    /// Goes on with the launch.
    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool { true }

    /// Does nothing.
    public func applicationDidBecomeActive(_ application: UIApplication) {}

    /// Does nothing.
    public func applicationWillResignActive(_ application: UIApplication) {}

    /// Does nothing.
    public func applicationDidEnterBackground(_ application: UIApplication) {}

    /// Does nothing.
    public func applicationWillEnterForeground(_ application: UIApplication) {}

    /// Does nothing.
    public func applicationWillTerminate(_ application: UIApplication) {}

    /// What `@main` on a delegate runs (R-04, K002).
    public static func main() { AppRunner.run(delegate: Self.self) }
}
