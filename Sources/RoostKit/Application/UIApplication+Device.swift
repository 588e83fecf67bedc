import LifeCycleModel

/// What the device allows the app, and what the app asks of the device.
extension UIApplication {
    /// Whether the device is kept from locking itself while the app is in front (T09).
    public var isIdleTimerDisabled: Bool {
        get { session.isIdleTimerDisabled }
        set { session.setIdleTimerDisabled(newValue) }
    }

    /// Whether files under complete protection can be read.
    public var isProtectedDataAvailable: Bool { session.facts.isProtectedDataAvailable }

    /// Whether the app may be woken for the background modes it declares.
    public var backgroundRefreshStatus: UIBackgroundRefreshStatus {
        switch session.facts.backgroundRefresh {
        case .restricted: .restricted
        case .denied: .denied
        case .available: .available
        }
    }
}

/// Whether an app may be woken for the background modes it declares; the numbers are Apple's.
public enum UIBackgroundRefreshStatus: Int, Sendable {
    /// The user cannot change it, for example because of parental controls.
    case restricted = 0
    /// The user has switched it off, for this app or for all.
    case denied = 1
    /// It is on.
    case available = 2
}
