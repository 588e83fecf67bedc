/// A value of `UIBackgroundModes`: permission to be woken for one kind of event.
public enum BackgroundMode: String, Hashable, Comparable, Sendable, Codable, CaseIterable {
    case audio
    case location
    case voip
    case newsstandContent = "newsstand-content"
    case externalAccessory = "external-accessory"
    case bluetoothCentral = "bluetooth-central"
    case bluetoothPeripheral = "bluetooth-peripheral"
    case fetch
    case remoteNotification = "remote-notification"
    case processing
    case nearbyInteraction = "nearby-interaction"
    case networkAuthentication = "network-authentication"
    case pushToTalk = "push-to-talk"

    /// In the order of the names.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
