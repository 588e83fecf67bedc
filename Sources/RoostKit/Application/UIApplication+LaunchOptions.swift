import LifeCycleModel

extension UIApplication {
    /// A key of the launch options: why the app was launched (section 1.4).
    public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
        /// The key's name, as Apple has it.
        public let rawValue: String

        /// Wraps a name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A URL to open.
        public static let url = Self(rawValue: "UIApplicationLaunchOptionsURLKey")
        /// The app that asked for the launch.
        public static let sourceApplication = Self(rawValue: "UIApplicationLaunchOptionsSourceApplicationKey")
        /// A remote notification's payload.
        public static let remoteNotification = Self(rawValue: "UIApplicationLaunchOptionsRemoteNotificationKey")
        /// A local notification.
        public static let localNotification = Self(rawValue: "UIApplicationLaunchOptionsLocalNotificationKey")
        /// What came with a URL.
        public static let annotation = Self(rawValue: "UIApplicationLaunchOptionsAnnotationKey")
        /// A location event; the location itself comes to the location manager's delegate.
        public static let location = Self(rawValue: "UIApplicationLaunchOptionsLocationKey")
        /// The identifiers of the Newsstand downloads that have come to an end, in an array.
        public static let newsstandDownloads = Self(rawValue: "UIApplicationLaunchOptionsNewsstandDownloadsKey")
        /// The restore identifiers of the Bluetooth centrals to make again, in an array.
        public static let bluetoothCentrals = Self(rawValue: "UIApplicationLaunchOptionsBluetoothCentralsKey")
        /// The restore identifiers of the Bluetooth peripherals to make again, in an array.
        public static let bluetoothPeripherals = Self(rawValue: "UIApplicationLaunchOptionsBluetoothPeripheralsKey")
        /// A quick action.
        public static let shortcutItem = Self(rawValue: "UIApplicationLaunchOptionsShortcutItemKey")
        /// A user activity.
        public static let userActivityDictionary = Self(
            rawValue: "UIApplicationLaunchOptionsUserActivityDictionaryKey")
        /// A user activity's type.
        public static let userActivityType = Self(rawValue: "UIApplicationLaunchOptionsUserActivityTypeKey")
    }

    /// The launch options for a reason; nil for those the event's own callback tells of (section 1.4).
    nonisolated static func launchOptions(
        for reason: LaunchReason, payload: String? = nil, downloads: [String] = [], restoreIdentifiers: [String] = []
    ) -> [LaunchOptionsKey: Any]? {
        switch reason {
        case .locationUpdate, .locationMonitoring: [.location: true]
        case .remoteNotification: [.remoteNotification: payload.map(userInfo) ?? [:]]
        case .bluetoothCentral: [.bluetoothCentrals: restoreIdentifiers]
        case .bluetoothPeripheral: [.bluetoothPeripherals: restoreIdentifiers]
        // By a push, to begin a download; else because some have come to an end.
        case .newsstand: payload.map { [.remoteNotification: userInfo(of: $0)] } ?? [.newsstandDownloads: downloads]
        // The user may have opened it by one.
        case .user: payload.map { [.remoteNotification: userInfo(of: $0)] }
        case .backgroundFetch, .urlSession, .voip, .externalAccessory: nil
        }
    }
}
