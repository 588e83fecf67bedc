/// The user's settings and the device's own facts, on which rules depend. No app can change them.
public struct DeviceSettings: Hashable, Sendable, Codable {
    /// Whether a passcode is set. Locking then makes protected data unavailable.
    public var hasPasscode = false
    /// Background App Refresh for all apps. Each app also has its own switch.
    public var backgroundRefresh = true
    /// `ProcessInfo.isLowPowerModeEnabled` of every app.
    public var lowPowerMode = false
    /// The kind of network.
    public var network = Network.wifi
    /// Whether a network that is not cellular is metered: *expensive*, in Apple's word. A cellular network is always
    /// expensive.
    public var isMetered = false
    /// Whether Low Data Mode is on: the network is *constrained*, in Apple's word.
    public var lowDataMode = false
    /// The charger by default.
    public var power = PowerSource.external
    /// The battery's charge, in percent.
    public var batteryLevel: Int32 = 100
    /// The time without a touch after which the device locks itself; nil for never (T09).
    public var autoLock: Nanoseconds?

    /// The settings of a device on external power and Wi-Fi, without a passcode and without auto-lock.
    public init() {}
}

/// A kind of network.
public enum Network: String, Hashable, Sendable, Codable, CaseIterable {
    /// No network.
    case none
    /// Wi-Fi, or another network that is not cellular.
    case wifi
    /// A cellular network: *expensive*, in Apple's word.
    case cellular
}

/// The supply of the device's power, as the user sets it.
public enum PowerSource: String, Hashable, Sendable, Codable, CaseIterable {
    case battery
    /// A charger.
    case external
}

/// `UIBackgroundRefreshStatus`: whether an app may be woken for its declared modes.
public enum BackgroundRefreshStatus: String, Hashable, Sendable, Codable, CaseIterable {
    /// The user cannot change it, for example because of parental controls.
    case restricted
    /// The user has switched it off, for the app or for all apps.
    case denied
    /// The switches of the user allow it, for the app and for all apps.
    case available
}
