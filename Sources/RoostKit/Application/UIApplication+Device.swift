import LifeCycleModel

/// The device's permissions and conditions, and the app's requests to the device.
extension UIApplication {
    /// Whether the device must not lock itself while the app is in the foreground (T09).
    public var isIdleTimerDisabled: Bool {
        get { session.isIdleTimerDisabled }
        set { session.setIdleTimerDisabled(newValue) }
    }

    /// Whether files under complete protection can be read now.
    public var isProtectedDataAvailable: Bool { session.facts.isProtectedDataAvailable }

    /// Whether the system may wake the app for its declared background modes.
    public var backgroundRefreshStatus: UIBackgroundRefreshStatus {
        switch session.facts.backgroundRefresh {
        case .restricted: .restricted
        case .denied: .denied
        case .available: .available
        }
    }
}

/// The permission to be woken for the declared background modes; raw values are Apple's.
public enum UIBackgroundRefreshStatus: Int, Sendable {
    /// The user cannot change it, for example because of parental controls.
    case restricted = 0
    /// The user has turned it off, for this app or for all apps.
    case denied = 1
    /// Background App Refresh is on.
    case available = 2
}
