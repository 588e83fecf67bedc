import LifeCycleModel
import LifeCyclePolicy

/// At rest an active app knows the current device facts.
enum NewsIsDelivered {
    static func note(_ effects: [Effect], in sentFacts: inout [LaunchID: DeviceFacts]) {
        for effect in effects {
            switch effect {
            case .launch(let launch, .send(.device(let facts))),
                .launch(let launch, .send(.callback(_, .deviceChanged(let facts)))):
                sentFacts[launch] = facts
            case .decided(.launch(let launch, .ended(_, _))): sentFacts[launch] = nil
            default: break
            }
        }
    }

    static func check(_ sentFacts: [LaunchID: DeviceFacts], device: Device) -> String? {
        for app in device.snapshots where app.state == .active && !app.record.manifest.isAdopted {
            guard let launch = app.launch else { continue }
            let record = device.record
            let isRefreshed = record.settings.backgroundRefresh && app.record.allowsBackgroundRefresh
            var facts = DeviceFacts()
            facts.isProtectedDataAvailable = !record.isLocked || !record.settings.hasPasscode
            facts.backgroundRefresh = isRefreshed ? .available : .denied
            facts.isLowPowerModeEnabled = record.settings.lowPowerMode
            facts.power = record.settings.power
            facts.batteryLevel = record.settings.batteryLevel
            facts.clockChanges = record.clockChanges
            if sentFacts[launch] != facts {
                return "\(launch) was sent \(String(describing: sentFacts[launch])), not \(facts)"
            }
        }
        return nil
    }
}
