import LifeCycleModel

/// Memory, disk space, and keeping the device awake.
extension DeviceState {
    /// Memory is low: running apps are warned, and background apps lose their scenes (T14, T25, R-122).
    mutating func warnOfMemory(at now: Nanoseconds, into effects: inout [Effect]) {
        for slot in apps.indices {
            let isSuspended = apps[slot].suspension.isSuspendedOrAboutToBe
            guard apps[slot].lifeCycle.receivesMemoryWarnings(isSuspended: isSuspended),
                let launch = apps[slot].lifeCycle.launch
            else { continue }
            effects.append(.decided(.launch(launch, .memoryWarning)))
            if apps[slot].lifeCycle.isSceneConnected, apps[slot].lifeCycle.isInBackground(isSuspended: false) {
                effects.append(.decided(.launch(launch, .sceneReclaimed)))
            }
            var signals: [Signal] = []
            apps[slot].lifeCycle.memoryRanLow(into: &signals)
            route(signals, slot, at: now, into: &effects)
            settle(slot, into: &effects)
        }
    }

    /// Memory is short. The largest suspended app is killed without notice (T15). If no app is suspended, the least
    /// recently used background app is ended, with notice (T16). The foreground app is only warned.
    mutating func makeRoom(at now: Nanoseconds, into effects: inout [Effect]) {
        if let largest = footprints.best { return terminate(largest.slot, .memory, at: now, into: &effects) }
        let background = apps.indices.filter {
            apps[$0].lifeCycle.isInBackground(isSuspended: apps[$0].suspension.isSuspendedOrAboutToBe)
        }
        if let slot = background.min(by: { apps[$0].record.switcherPlace < apps[$1].record.switcherPlace }) {
            terminate(slot, .memory, at: now, into: &effects)
        } else {
            warnOfMemory(at: now, into: &effects)
        }
    }

    /// The app was suspended: measures its container, unless the same event ends or resumes the app.
    mutating func checkContainer(
        _ slot: Int, of launch: LaunchID, at now: Nanoseconds, into effects: inout [Effect]
    ) {
        guard apps[slot].suspension.isFrozen, apps[slot].lifeCycle.isLive else { return }
        apps[slot].container.suspended(launch, policy: policy, at: now, into: &effects)
    }

    /// In some generations, finite-length tasks keep the device awake.
    mutating func keepAwake(_ slot: Int, into effects: inout [Effect]) {
        guard policy.tasksKeepDeviceAwake else { return }
        let isKeeping = apps[slot].tasks.until != nil && !apps[slot].tasks.open.isEmpty
        guard isKeeping != apps[slot].keepsDeviceAwake else { return }
        apps[slot].keepsDeviceAwake = isKeeping
        let before = appsKeepingAwake
        appsKeepingAwake += isKeeping ? 1 : -1
        if (before == 0) != (appsKeepingAwake == 0) { effects.append(.device(.keepAwake(isKeeping))) }
    }
}
