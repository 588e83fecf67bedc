/// Why an app is launched, or a suspended one woken (T01, T02, T11; section 1.4).
public enum LaunchReason: String, Hashable, Sendable, Codable, CaseIterable {
    /// The user opened it. The only reason that leads to the foreground.
    case user
    /// A location event for an app with the `location` mode.
    case location
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

    /// The mode an app must have declared to be woken for this; nil where none is needed.
    public var requiredMode: BackgroundMode? {
        switch self {
        case .user, .urlSession: nil
        case .location: .location
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
