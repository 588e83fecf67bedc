import LifeCycleModel

/// What the app knows of its device: turns a change of the facts into calls and notifications, one of each kind at
/// most, however often a fact has changed since the app last heard of it.
struct DeviceNews: Hashable, Sendable {
    private(set) var facts = DeviceFacts()
    private var isKnown = false

    /// The facts as they are. The first time they are no news.
    mutating func learn(_ new: DeviceFacts, into steps: inout [Step]) {
        let old = facts
        facts = new
        guard isKnown else {
            isKnown = true
            return
        }
        if old.isProtectedDataAvailable != new.isProtectedDataAvailable {
            let isAvailable = new.isProtectedDataAvailable
            steps.append(
                .call(isAvailable ? .protectedDataDidBecomeAvailable : .protectedDataWillBecomeUnavailable))
            steps.append(
                .post(isAvailable ? .protectedDataDidBecomeAvailable : .protectedDataWillBecomeUnavailable))
        }
        if old.clockChanges != new.clockChanges {
            steps.append(.call(.significantTimeChange))
            steps.append(.post(.significantTimeChange))
        }
        if old.batteryState != new.batteryState { steps.append(.post(.batteryStateDidChange)) }
        if old.batteryLevel != new.batteryLevel { steps.append(.post(.batteryLevelDidChange)) }
        if old.isLowPowerModeEnabled != new.isLowPowerModeEnabled { steps.append(.post(.powerStateDidChange)) }
        if old.backgroundRefresh != new.backgroundRefresh { steps.append(.post(.backgroundRefreshStatusDidChange)) }
    }
}
