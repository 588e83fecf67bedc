import LifeCycleModel

/// The app status by which a concern decides whether to send a message, call the app or wake it.
struct AppStatus: Hashable, Sendable, Codable {
    /// The app's launch; nil once its process is gone, and while a prewarmed process waits (T28).
    var launch: LaunchID?
    /// Whether the app runs, so that messages can be sent to it.
    var isReachable = false
    /// Whether the app has to be launched or woken before it is called: it does not run, or is suspended.
    var isAtRest = true
    /// Whether the app runs in the foreground.
    var isForeground = false
    /// Whether the user force-quit the app, and has not opened it since.
    var isForceQuit = false
}
