/// Why an app is launched, or a suspended app is woken (T01, T02, T11; section 1.4).
public enum LaunchReason: String, Hashable, Sendable, Codable, CaseIterable {
    /// The user opened the app. Only this reason leads to the foreground.
    case user
    /// A standard location update, for an app with the `location` mode.
    case locationUpdate
    /// A significant location change, an entered or left region, or a visit. The app needs no mode.
    case locationMonitoring
    /// A remote notification with `content-available`.
    case remoteNotification
    /// An opportunity for background fetch.
    case backgroundFetch
    /// Traffic on a VoIP socket, or its keep-alive.
    case voip
    /// A VoIP push.
    case voipPush
    /// Data from an external accessory, or a change of its connection.
    case externalAccessory
    /// An event for a Bluetooth central.
    case bluetoothCentral
    /// An event for a Bluetooth peripheral.
    case bluetoothPeripheral
    /// A Newsstand download to start or to finish.
    case newsstand
    /// All tasks of a background session have ended.
    case urlSession

    /// The most restore identifiers of a launch; an app has at most as many Bluetooth managers.
    public static let mostRestoreIdentifiers = 16
    /// The longest restore identifier, in bytes of UTF-8.
    public static let longestRestoreIdentifier = 256

    /// Whether the launch options hold restore identifiers of the app's Bluetooth managers.
    public var hasRestoreIdentifiers: Bool { self == .bluetoothCentral || self == .bluetoothPeripheral }

    /// Whether the reason is an event that can be reported from outside. Only the user opens apps, and only the system
    /// itself knows when a session is done, or whose push came.
    public var isEvent: Bool {
        switch self {
        case .user, .urlSession, .voipPush: false
        case .locationUpdate, .locationMonitoring, .remoteNotification, .backgroundFetch, .voip, .externalAccessory,
            .bluetoothCentral, .bluetoothPeripheral, .newsstand:
            true
        }
    }

    /// The mode that an app must declare to be woken for this reason; nil if no mode is needed.
    public var requiredMode: BackgroundMode? {
        switch self {
        case .user, .urlSession, .locationMonitoring: nil
        case .locationUpdate: .location
        case .remoteNotification: .remoteNotification
        case .backgroundFetch: .fetch
        case .voip, .voipPush: .voip
        case .externalAccessory: .externalAccessory
        case .bluetoothCentral: .bluetoothCentral
        case .bluetoothPeripheral: .bluetoothPeripheral
        case .newsstand: .newsstandContent
        }
    }
}
