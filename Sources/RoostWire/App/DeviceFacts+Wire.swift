import LifeCycleModel

/// The wire format of the device facts.
extension DeviceFacts {
    init(_ field: JSONField) throws(WireError) {
        let fields = try field.object()
        self.init()
        isProtectedDataAvailable = try fields["isProtectedDataAvailable"].bool()
        backgroundRefresh = try fields["backgroundRefresh"].choice()
        isLowPowerModeEnabled = try fields["isLowPowerModeEnabled"].bool()
        power = try fields["power"].choice()
        batteryLevel = try fields["batteryLevel"].whole()
        clockChanges = try fields["clockChanges"].whole()
    }

    var json: JSON {
        .object([
            "backgroundRefresh": .string(backgroundRefresh.rawValue), "batteryLevel": .integer(Int64(batteryLevel)),
            "clockChanges": .integer(clockChanges), "isLowPowerModeEnabled": .bool(isLowPowerModeEnabled),
            "isProtectedDataAvailable": .bool(isProtectedDataAvailable), "power": .string(power.rawValue),
        ])
    }
}
