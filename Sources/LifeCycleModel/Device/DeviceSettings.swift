/// What the user has set, and what the device says of itself: the facts that rules ask for and no app decides.
public struct DeviceSettings: Hashable, Sendable, Codable {
    /// Whether a passcode is set: locking then takes protected data away.
    public var hasPasscode = false
    /// Background App Refresh, for all apps; each has a switch of its own beside it.
    public var backgroundRefresh = true
    /// Low Power Mode.
    public var lowPowerMode = false
    /// What the device reaches the network by.
    public var network = Network.wifi
    /// Whether that costs by what is used, though it is no mobile network: expensive, in Apple's word, which a mobile one
    /// always is.
    public var isMetered = false
    /// Low Data Mode: the network is constrained, in Apple's word.
    public var lowDataMode = false
    /// Where its power comes from.
    public var power = PowerSource.external
    /// The battery's charge, in percent.
    public var batteryLevel: Int32 = 100
    /// How long without a touch until the device locks itself; nil for never (T09).
    public var autoLock: Nanoseconds?

    /// A device on mains and Wi-Fi, without a passcode, that never locks itself.
    public init() {}
}

/// What a device reaches the network by.
public enum Network: String, Hashable, Sendable, Codable, CaseIterable {
    /// By nothing.
    case none
    /// By Wi-Fi, or anything else that costs nothing.
    case wifi
    /// By a mobile network: expensive, in Apple's word.
    case cellular
}

/// Where a device's power comes from.
public enum PowerSource: String, Hashable, Sendable, Codable, CaseIterable {
    /// Its battery.
    case battery
    /// A charger.
    case external
}

/// `UIBackgroundRefreshStatus`: whether an app may be woken for its declared modes.
public enum BackgroundRefreshStatus: String, Hashable, Sendable, Codable, CaseIterable {
    /// The user cannot change it, for example because of parental controls.
    case restricted
    /// The user has switched it off, for the app or for all.
    case denied
    /// It is on.
    case available
}
