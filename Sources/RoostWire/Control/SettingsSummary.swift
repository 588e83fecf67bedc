public import LifeCycleModel

/// What is set on the device, and for single apps: names and values as people write them.
public struct SettingsSummary: Hashable, Sendable, Codable {
    /// A setting.
    public struct Line: Hashable, Sendable, Codable {
        /// Its name.
        public var name: String
        /// Its value.
        public var value: String
        /// The app it is set for; nil for the device.
        public var app: BundleIdentifier?

        /// A line with these values.
        public init(name: String, value: String, app: BundleIdentifier? = nil) {
            self.name = name
            self.value = value
            self.app = app
        }
    }

    /// The device's settings, then those of single apps.
    public var settings: [Line]

    /// A summary of these lines.
    public init(settings: [Line]) { self.settings = settings }
}
