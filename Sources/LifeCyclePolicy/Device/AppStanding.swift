import LifeCycleModel

/// What a concern has to know of an app to tell it something, or to wake it.
struct AppStanding: Hashable, Sendable, Codable {
    /// The launch of the app, until its process is gone; nil while its process waits to be launched (T28).
    var launch: LaunchID?
    /// Whether the app runs, so that messages can be sent to it.
    var isHearing = false
    /// Whether the app has to be launched or woken before it is called: it does not run, or is suspended.
    var isAtRest = true
    /// Whether the app runs in the foreground.
    var isForeground = false
    /// Whether the user swiped the app away, and has not opened it since.
    var isForceQuit = false
}
