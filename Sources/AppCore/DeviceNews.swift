import LifeCycleModel

/// The device facts that the app knows. A change of the facts becomes calls and notifications: at most one of each
/// kind, no matter how often a fact has changed.
struct DeviceNews: Hashable, Sendable {
    private(set) var facts = DeviceFacts()
    private var isKnown = false

    /// Sets the current facts. The first facts cause no calls.
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
