/// What one app may know of the device. It is told the facts as they are, when they have changed and it runs: what
/// happened while it was suspended is thereby coalesced to the net change.
public struct DeviceFacts: Hashable, Sendable, Codable {
    /// Whether files under complete protection can be read.
    public var isProtectedDataAvailable = true
    /// Whether this app may be woken for its declared modes.
    public var backgroundRefresh = BackgroundRefreshStatus.available
    /// Low Power Mode.
    public var isLowPowerModeEnabled = false
    /// Where the device's power comes from.
    public var power = PowerSource.external
    /// The battery's charge, in percent.
    public var batteryLevel: Int32 = 100
    /// How often the device's clock has been set since its start: a significant time change each.
    public var clockChanges: Int64 = 0

    /// A device on mains whose data is available.
    public init() {}

    /// `UIDevice.BatteryState`, as it follows from the source and the charge.
    public var batteryState: BatteryState {
        switch power {
        case .battery: .unplugged
        case .external: batteryLevel == 100 ? .full : .charging
        }
    }
}

/// The states of `UIDevice.BatteryState` that a device which knows its power source can be in.
public enum BatteryState: Hashable, Sendable { case unplugged, charging, full }

/// What takes the user's attention from the app in front without taking the front (T06).
public enum Interruption: String, Hashable, Sendable, Codable, CaseIterable {
    /// An incoming call.
    case call
    /// A text message's alert.
    case message
    /// An alert of the system's, such as a request for permission.
    case alert
    /// The notification centre, pulled down.
    case notificationCenter
    /// The app switcher, opened.
    case appSwitcher
}

/// How low memory is.
public enum MemoryPressure: String, Hashable, Sendable, Codable, CaseIterable {
    /// Apps that run are warned (T14).
    case warning
    /// An app has to go (T15, T16).
    case critical
}

/// What the user does to the app in front: delivered in order while it is active, never otherwise.
public enum UserInput: Hashable, Sendable, Codable {
    /// Text typed.
    case text(String)
    /// A tap at a place on the screen, in thousandths of a point.
    case touch(x: Int64, y: Int64)

    /// The longest text one input may carry, in bytes: it has to fit a message.
    public static let longestText = 16_384
}
