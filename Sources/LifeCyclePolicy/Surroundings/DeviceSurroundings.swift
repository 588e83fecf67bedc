import LifeCycleModel

/// The device's settings, clocks, network link and time zone, stored only here. `DeviceState` and the concerns read
/// them.
struct DeviceSurroundings: Hashable, Sendable, Codable {
    /// The time zone of the device's own clocks.
    struct LocalZone: Hashable, Sendable, Codable {
        let name: String
        let rules: ZoneRules
    }

    var settings = DeviceSettings()
    /// The number of times that the clock was set.
    var clockChanges: Int64 = 0
    var clocks = Clocks()
    /// Whether the device has a network link, by the last report; true before the first.
    var isConnected = true
    /// The device's time zone; nil before the body has reported it.
    var zone: LocalZone?

    /// Whether the device runs on a battery that is low.
    func isBatteryLow(by policy: Policy) -> Bool {
        settings.power == .battery && Int64(settings.batteryLevel) < policy.lowBattery
    }

    /// The time that the device's clocks are ahead of UTC.
    var ahead: Nanoseconds {
        let now = clocks.wallNow
        return .seconds((zone?.rules ?? .utc).civil(at: now).seconds - CivilTime(utc: now).seconds)
    }
}
