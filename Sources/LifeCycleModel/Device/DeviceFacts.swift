/// The facts of the device that an app may know.
///
/// A running app is sent the present facts when they change. Changes during a suspension are thus coalesced.
public struct DeviceFacts: Hashable, Sendable, Codable {
    /// Whether files under complete protection can be read.
    public var isProtectedDataAvailable = true
    /// Whether this app may be woken for its declared modes.
    public var backgroundRefresh = BackgroundRefreshStatus.available
    /// `ProcessInfo.isLowPowerModeEnabled`.
    public var isLowPowerModeEnabled = false
    /// The charger or the battery; the app derives `UIDevice.batteryState` from it.
    public var power = PowerSource.external
    /// The battery's charge, in percent.
    public var batteryLevel: Int32 = 100
    /// The number of times that the device's clock was set. Each time is a significant time change.
    public var clockChanges: Int64 = 0

    /// The facts of a device on external power whose protected data is available.
    public init() {}

    /// `UIDevice.BatteryState`, derived from the power source and the charge.
    public var batteryState: BatteryState {
        switch power {
        case .battery: .unplugged
        case .external: batteryLevel == 100 ? .full : .charging
        }
    }
}

/// The states of `UIDevice.BatteryState` without `unknown`.
public enum BatteryState: Hashable, Sendable { case unplugged, charging, full }

/// An event that takes the user's attention from the foreground app, which stays in the foreground (T06).
public enum Interruption: String, Hashable, Sendable, Codable, CaseIterable {
    /// An incoming call.
    case call
    /// An alert for a text message.
    case message
    /// A system alert, such as a request for permission.
    case alert
    /// Notification Center, pulled down.
    case notificationCenter
    /// The app switcher, opened.
    case appSwitcher
}

/// A degree of memory shortage.
public enum MemoryPressure: String, Hashable, Sendable, Codable, CaseIterable {
    /// Running apps are warned (T14).
    case warning
    /// An app has to be ended (T15, T16).
    case critical
}

/// The user's input to the foreground app. Only an active app receives input, in order.
public enum UserInput: Hashable, Sendable, Codable {
    /// Typed text.
    case text(String)
    /// A tap at a place on the screen, in thousandths of a point.
    case touch(x: Int64, y: Int64)

    /// The longest text of one input, in bytes; an input has to fit into a message.
    public static let longestText = 16_384
}
