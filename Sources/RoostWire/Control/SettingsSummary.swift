public import LifeCycleModel

/// The settings of the device and of single apps, with names and values as users write them.
public struct SettingsSummary: Hashable, Sendable, Codable {
    /// A setting.
    public struct Line: Hashable, Sendable, Codable {
        /// The word for the setting in `roost settings`.
        public var name: String
        /// The value as users write it, such as `on`.
        public var value: String
        /// The app of the setting; nil for the device.
        public var app: BundleIdentifier?

        /// By default a setting of the device.
        public init(name: String, value: String, app: BundleIdentifier? = nil) {
            self.name = name
            self.value = value
            self.app = app
        }
    }

    /// The device's settings, followed by those of single apps.
    public var settings: [Line]

    /// Created by the control server.
    public init(settings: [Line]) { self.settings = settings }
}
