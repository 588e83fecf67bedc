/// What the system calls an app for, for `VirtualDevice.whileHandling(_:of:takes:)`: by the name of the method that the
/// delegate is called by, whichever delegate it is.
public enum CallbackName: String, Hashable, Sendable, CaseIterable {
    /// `willFinishLaunching` and `didFinishLaunching` together: the launch.
    case didFinishLaunching
    /// The app becomes active.
    case didBecomeActive
    /// The app is about to be inactive.
    case willResignActive
    /// The app has entered the background.
    case didEnterBackground
    /// The app is about to enter the foreground.
    case willEnterForeground
    /// All expiration handlers together.
    case expirationHandlers
    /// The device is not as it was.
    case deviceChanged
    /// Memory is low.
    case didReceiveMemoryWarning
    /// The scene is taken.
    case sceneDidDisconnect
    /// The user has closed scenes.
    case didDiscardSceneSessions
    /// The events of a background session are ready.
    case handleEventsForBackgroundURLSession
    /// The app has an opportunity to fetch.
    case performFetch
    /// One of its notifications has fired in front, or the user opened it by one.
    case didReceiveLocalNotification
    /// It is told what it may show.
    case didRegisterUserNotificationSettings
    /// A remote notification came.
    case didReceiveRemoteNotification
    /// The app has registered for remote notifications.
    case didRegisterForRemoteNotifications
    /// It could not be registered.
    case didFailToRegisterForRemoteNotifications
    /// The app is about to be ended.
    case willTerminate
}
