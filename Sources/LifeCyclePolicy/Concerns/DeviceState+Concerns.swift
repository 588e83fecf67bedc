import LifeCycleModel

/// The questions that a concern may ask of the device.
extension DeviceState {
    var wallNow: Nanoseconds { surroundings.clocks.wallNow }

    /// The manifest of the app; nil where the app is not installed, or is about to be removed.
    func manifest(of app: AppID) -> AppManifest? {
        slot(of: app).flatMap { apps[$0].isBeingUninstalled ? nil : apps[$0].record.manifest }
    }

    /// Whether the app is in the foreground, or on its way there.
    func isForeground(_ app: AppID) -> Bool {
        guard let slot = slot(of: app) else { return false }
        return foreground.front == app || apps[slot].lifeCycle.isLive && apps[slot].published.isForeground
    }

    /// Whether the app is about to be suspended. A concern waits until the app is frozen, so that one event does not freeze
    /// and thaw it.
    func isBeingFrozen(_ app: AppID) -> Bool {
        guard let slot = slot(of: app) else { return false }
        return apps[slot].suspension.isSuspendedOrAboutToBe && !apps[slot].suspension.isFrozen
    }

    /// Why the launch rules do not let the app be woken; nil where they do. That it is being ended `mayPass` by the time of
    /// the wake.
    func refusal(to wake: AppID, for reason: LaunchReason, endMayPass: Bool = false) -> WakeRefusal? {
        guard let slot = slot(of: wake), !apps[slot].isBeingUninstalled else { return .ending }
        return LaunchRules.admit(
            reason, app: apps[slot].record, isEnding: !endMayPass && apps[slot].lifeCycle.isEnding,
            circumstances: circumstances)
    }
}

/// The actions of concerns.
extension DeviceState {
    /// Tells the concerns of a change, where any of them listens.
    mutating func tell(_ change: DeviceChange) {
        if isHeard { news.list.append(.change(change)) }
    }

    mutating func perform(_ action: ConcernAction, at now: Nanoseconds, into effects: inout [Effect]) {
        switch action {
        case .effect(let effect): effects.append(effect)
        case .wake(let app, let reason, let event):
            if let refusal = refusal(to: app, for: reason) {
                return effects.append(.decided(.app(app, .wakeRefused(reason, refusal))))
            }
            guard let slot = slot(of: app) else { return }
            handOver(event, for: reason, slot, at: now, into: &effects)
        }
    }
}
