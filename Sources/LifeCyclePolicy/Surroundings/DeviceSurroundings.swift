import LifeCycleModel

/// What the device is like for every machine: its settings, clocks, link and time zone. It is held here once.
struct DeviceSurroundings: Hashable, Sendable, Codable {
    /// The time zone of the device's own clocks.
    struct LocalZone: Hashable, Sendable, Codable {
        let name: String
        let rules: ZoneRules
    }

    /// Below this charge, in percent, a battery is low.
    static let lowBattery: Int32 = 20

    var settings = DeviceSettings()
    /// How often the clock has been set.
    var clockChanges: Int64 = 0
    var clocks = Clocks()
    /// Whether there is a link to other machines, as far as anything has told.
    var isConnected = true
    /// Nil before the body has told it.
    var zone: LocalZone?

    /// Whether the device runs on a battery that is low.
    var isBatteryLow: Bool { settings.power == .battery && settings.batteryLevel < Self.lowBattery }

    /// How far the device's clocks are ahead of UTC.
    var ahead: Nanoseconds {
        let now = clocks.wallNow
        return .seconds((zone?.rules ?? .utc).civil(at: now).seconds - CivilTime(utc: now).seconds)
    }
}
