/// Why an app is launched, or a suspended one woken (T01, T02, T11; section 1.4).
public enum LaunchReason: String, Hashable, Sendable, Codable, CaseIterable {
    /// The user opened it. The only reason that leads to the foreground.
    case user
    /// A standard location update, for an app with the `location` mode.
    case locationUpdate
    /// A significant change of place, a region entered or left, a visit: needs no mode.
    case locationMonitoring
    /// A silent remote notification.
    case remoteNotification
    /// An opportunity for background fetch.
    case backgroundFetch
    /// Traffic on, or upkeep of, a VoIP socket.
    case voip
    /// Data from, or a change of, an external accessory.
    case externalAccessory
    /// An event for a Bluetooth central.
    case bluetoothCentral
    /// An event for a Bluetooth peripheral.
    case bluetoothPeripheral
    /// A Newsstand download to start or finish.
    case newsstand
    /// All of a background session is done.
    case urlSession

    /// How many restore identifiers a launch is given at most; an app has as many Bluetooth managers.
    public static let mostRestoreIdentifiers = 16
    /// The longest of them, in bytes of UTF-8.
    public static let longestRestoreIdentifier = 256

    /// Whether its launch options hold restore identifiers of the app's Bluetooth managers.
    public var hasRestoreIdentifiers: Bool { self == .bluetoothCentral || self == .bluetoothPeripheral }

    /// Whether it is an event that can be reported from outside: the user opens apps, and only the system itself knows
    /// when a session is done.
    public var isEvent: Bool {
        switch self {
        case .user, .urlSession: false
        case .locationUpdate, .locationMonitoring, .remoteNotification, .backgroundFetch, .voip, .externalAccessory,
            .bluetoothCentral, .bluetoothPeripheral, .newsstand:
            true
        }
    }

    /// The mode an app must have declared to be woken for this; nil if none is needed.
    public var requiredMode: BackgroundMode? {
        switch self {
        case .user, .urlSession, .locationMonitoring: nil
        case .locationUpdate: .location
        case .remoteNotification: .remoteNotification
        case .backgroundFetch: .fetch
        case .voip: .voip
        case .externalAccessory: .externalAccessory
        case .bluetoothCentral: .bluetoothCentral
        case .bluetoothPeripheral: .bluetoothPeripheral
        case .newsstand: .newsstandContent
        }
    }
}
