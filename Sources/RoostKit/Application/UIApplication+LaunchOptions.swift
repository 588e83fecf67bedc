import LifeCycleModel

extension UIApplication {
    /// A key of the launch options, which say why the app was launched (section 1.4).
    public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
        /// The name of the key, as on Apple's platforms.
        public let rawValue: String

        /// Creates a key with a name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The URL to open.
        public static let url = Self(rawValue: "UIApplicationLaunchOptionsURLKey")
        /// The app that asked for the launch.
        public static let sourceApplication = Self(rawValue: "UIApplicationLaunchOptionsSourceApplicationKey")
        /// The payload of a remote notification.
        public static let remoteNotification = Self(rawValue: "UIApplicationLaunchOptionsRemoteNotificationKey")
        /// The local notification that the user tapped to launch the app.
        public static let localNotification = Self(rawValue: "UIApplicationLaunchOptionsLocalNotificationKey")
        /// The annotation that came with a URL.
        public static let annotation = Self(rawValue: "UIApplicationLaunchOptionsAnnotationKey")
        /// A location event; the location itself goes to the location manager's delegate.
        public static let location = Self(rawValue: "UIApplicationLaunchOptionsLocationKey")
        /// The identifiers of the Newsstand downloads that have ended, in an array.
        public static let newsstandDownloads = Self(rawValue: "UIApplicationLaunchOptionsNewsstandDownloadsKey")
        /// The restore identifiers of the Bluetooth centrals to recreate, in an array.
        public static let bluetoothCentrals = Self(rawValue: "UIApplicationLaunchOptionsBluetoothCentralsKey")
        /// The restore identifiers of the Bluetooth peripherals to recreate, in an array.
        public static let bluetoothPeripherals = Self(rawValue: "UIApplicationLaunchOptionsBluetoothPeripheralsKey")
        /// A quick action.
        public static let shortcutItem = Self(rawValue: "UIApplicationLaunchOptionsShortcutItemKey")
        /// The user activity to continue, in a dictionary. Never present on Roost.
        public static let userActivityDictionary = Self(
            rawValue: "UIApplicationLaunchOptionsUserActivityDictionaryKey")
        /// The type of the user activity to continue. Never present on Roost.
        public static let userActivityType = Self(rawValue: "UIApplicationLaunchOptionsUserActivityTypeKey")
    }

    /// The launch options for a reason; nil if the event has its own callback (section 1.4).
    nonisolated static func launchOptions(
        for reason: LaunchReason, payload: String? = nil, downloads: [String] = [], restoreIdentifiers: [String] = []
    ) -> [LaunchOptionsKey: Any]? {
        switch reason {
        case .locationUpdate, .locationMonitoring: [.location: true]
        case .remoteNotification: [.remoteNotification: payload.map(userInfo) ?? [:]]
        case .bluetoothCentral: [.bluetoothCentrals: restoreIdentifiers]
        case .bluetoothPeripheral: [.bluetoothPeripherals: restoreIdentifiers]
        // Either a push asks for a download, or downloads have ended.
        case .newsstand: payload.map { [.remoteNotification: userInfo(of: $0)] } ?? [.newsstandDownloads: downloads]
        // The user may have opened the app by tapping a notification.
        case .user: payload.map { [.remoteNotification: userInfo(of: $0)] }
        case .backgroundFetch, .urlSession, .voip, .voipPush, .externalAccessory: nil
        }
    }
}
