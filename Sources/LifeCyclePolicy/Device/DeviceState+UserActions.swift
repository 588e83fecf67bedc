import LifeCycleModel

/// Installation, opening, waking, force-quit, shutdown and start.
extension DeviceState {
    mutating func install(
        _ id: AppID, _ manifest: AppManifest, at now: Nanoseconds, into effects: inout [Effect]
    ) {
        if let slot = slot(of: id) {
            // The running launch is of the old version: its own manifest decides how it is ended.
            if apps[slot].lifeCycle.isAdopted {
                terminate(slot, .updated, at: now, into: &effects)
            } else {
                kill(slot, .updated, at: now, into: &effects)
            }
            if apps[slot].isBeingUninstalled { fileKill(slot, under: .updated, into: &effects) }
            apps[slot].record.manifest = manifest
            // The newest request counts: the earlier launch still ends, and the app stays.
            apps[slot].isBeingUninstalled = false
            effects.append(.store(.app(apps[slot].record)))
            return tell(.appReplaced(id), after: effects)
        }
        let record = AppRecord(app: id, manifest: manifest)
        let slot = ids.sortedIndex(of: id)
        ids.insert(id, at: slot)
        apps.insert(App(record: record), at: slot)
        deadlines.insertSlot(at: slot)
        footprints.insertSlot(at: slot)
        effects.append(.store(.app(record)))
    }

    mutating func uninstall(_ id: AppID, at now: Nanoseconds, into effects: inout [Effect]) {
        guard let slot = slot(of: id) else { return effects.append(.decided(.app(id, .unknown))) }
        apps[slot].isBeingUninstalled = true
        // If the app is installed again before its exit, an earlier request does not open it again.
        leftFront(id, into: &effects)
        apps[slot].lifeCycle.stayClosed()
        if apps[slot].lifeCycle.launch == nil {
            remove(slot, into: &effects)
        } else {
            kill(slot, .uninstalled, at: now, into: &effects)
            fileKill(slot, under: .uninstalled, into: &effects)
        }
    }

    /// If a kill is already under way for another reason, the record now has this reason.
    private mutating func fileKill(_ slot: Int, under reason: TerminationReason, into effects: inout [Effect]) {
        guard let launch = apps[slot].lifeCycle.fileKill(under: reason) else { return }
        effects.append(.decided(.launch(launch, .terminating(reason, open: []))))
        settle(slot, into: &effects)
    }

    mutating func remove(_ slot: Int, into effects: inout [Effect]) {
        let id = ids[slot]
        let place = apps[slot].record.switcherPlace
        leftFront(id, into: &effects)
        tell(.appRemoved(id), after: effects)
        ids.remove(at: slot)
        apps.remove(at: slot)
        deadlines.removeSlot(at: slot)
        footprints.removeSlot(at: slot)
        leftSwitcher(from: place)
        effects.append(.store(.appRemoved(id)))
        effects.append(.device(.removeFiles(id)))
    }

    mutating func open(_ id: AppID, at now: Nanoseconds, into effects: inout [Effect]) {
        guard let slot = slot(of: id), !apps[slot].isBeingUninstalled else {
            return effects.append(.decided(.app(id, .unknown)))
        }
        if let refusal = LaunchRules.open(apps[slot].record, circumstances: circumstances) {
            return effects.append(.decided(.app(id, .wakeRefused(.user, refusal))))
        }
        lock.touched(surroundings.settings, at: now)
        let isKept = noteUse(of: slot)
        tell(.appOpened(id), after: effects)
        // A tap on a notification also opens an app: its force-quit flag is cleared.
        tell(.admissionMayDiffer, after: effects)
        endInterruption(isAccepted: true, into: &effects)
        leave(foreground.bring(id), at: now, into: &effects)
        if apps[slot].lifeCycle.launch == nil {
            // The launch stores the record.
            launch(slot, for: .user, at: now, into: &effects)
        } else if apps[slot].lifeCycle.isPrewarmed, apps[slot].lifeCycle.isLive {
            launchPrewarmed(slot, for: .user, at: now, into: &effects)
        } else {
            if !isKept { effects.append(.store(.app(apps[slot].record))) }
            var signals: [Signal] = []
            apps[slot].lifeCycle.open(policy: policy, at: now, into: &signals)
            route(signals, slot, at: now, into: &effects)
            settle(slot, into: &effects)
        }
    }

    /// The user opens the app: it moves to the top of the switcher, and its force-quit flag is cleared. Returns
    /// whether the record is unchanged.
    private mutating func noteUse(of slot: Int) -> Bool {
        let isNewest = apps[slot].record.switcherPlace == lastSwitcherPlace && lastSwitcherPlace > 0
        guard apps[slot].record.isForceQuit || !isNewest else { return true }
        apps[slot].record.isForceQuit = false
        lastSwitcherPlace += 1
        apps[slot].record.switcherPlace = lastSwitcherPlace
        return false
    }

    /// Continues to count from the highest place that is left, as a device that is restored from its records does.
    private mutating func leftSwitcher(from place: Int64) {
        if place == lastSwitcherPlace { lastSwitcherPlace = apps.map(\.record.switcherPlace).max() ?? 0 }
    }

    /// The facts that the launch rules need: settings, lock, shutdown and the policy's switches.
    var circumstances: LaunchRules.Circumstances {
        LaunchRules.Circumstances(
            settings: surroundings.settings, isLocked: lock.isLocked,
            wasUnlockedSinceStart: lock.wasUnlockedSinceStart, scenes: policy.scenes, isShuttingDown: shutdown != .none,
            taskSchedulerEndsFetch: policy.taskSchedulerEndsFetch,
            forceQuitBarsWakes: policy.forceQuitBarsWakes, forceQuitBarsLocation: policy.forceQuitBarsLocation,
            pushKitOvercomesForceQuit: policy.pushKitOvercomesForceQuit)
    }

    mutating func leave(_ id: AppID?, at now: Nanoseconds, into effects: inout [Effect]) {
        guard let id, let slot = slot(of: id) else { return }
        var signals: [Signal] = []
        apps[slot].lifeCycle.leaveForeground(into: &signals)
        route(signals, slot, at: now, into: &effects)
        settle(slot, into: &effects)
    }

    mutating func forceQuit(_ id: AppID, at now: Nanoseconds, into effects: inout [Effect]) {
        guard let slot = slot(of: id) else { return effects.append(.decided(.app(id, .unknown))) }
        let before = apps[slot].record
        apps[slot].record.isForceQuit = true
        apps[slot].record.switcherPlace = 0
        apps[slot].record.scenes.discard()
        if apps[slot].record != before { effects.append(.store(.app(apps[slot].record))) }
        leftSwitcher(from: before.switcherPlace)
        tell(.appForceQuit(id), after: effects)
        leftFront(id, into: &effects)
        apps[slot].lifeCycle.stayClosed()
        apps[slot].lifeCycle.discard(apps[slot].record.scenes.nextDiscarded)
        terminate(slot, .forceQuit, at: now, into: &effects)
        settle(slot, into: &effects)
    }

    mutating func wake(
        _ id: AppID, _ reason: LaunchReason, restoring identifiers: [String] = [], at now: Nanoseconds,
        into effects: inout [Effect]
    ) {
        guard let slot = slot(of: id), !apps[slot].isBeingUninstalled else {
            return effects.append(.decided(.app(id, .unknown)))
        }
        let refusal = LaunchRules.admit(
            reason, app: apps[slot].record, isEnding: apps[slot].lifeCycle.isEnding, circumstances: circumstances)
        if let refusal { return effects.append(.decided(.app(id, .wakeRefused(reason, refusal)))) }
        guard reason == .backgroundFetch else {
            return bringToLife(
                slot, for: reason, restoring: restored(identifiers, by: reason), hasHandler: false, at: now,
                into: &effects)
        }
        news.list.append(.input(.fetch(.opportunityOffered(id))))
    }

    /// The restore identifiers that a launch for this reason gets. Their number and length are limited.
    private func restored(_ identifiers: [String], by reason: LaunchReason) -> [String] {
        guard reason.hasRestoreIdentifiers else { return [] }
        let fitting = identifiers.filter { $0.utf8.count <= LaunchReason.longestRestoreIdentifier }
        return Array(fitting.prefix(LaunchReason.mostRestoreIdentifiers))
    }

    /// Launches the app into the background, or wakes its process, for an admitted wake. An event without a completion
    /// handler gives the app a slice of time.
    mutating func bringToLife(
        _ slot: Int, for reason: LaunchReason, restoring identifiers: [String] = [],
        hasHandler: Bool, at now: Nanoseconds, into effects: inout [Effect]
    ) {
        guard let launch = apps[slot].lifeCycle.launch else {
            self.launch(slot, for: reason, hasHandler: hasHandler, at: now, into: &effects)
            return apps[slot].lifeCycle.restores(identifiers)
        }
        if apps[slot].lifeCycle.isPrewarmed, apps[slot].lifeCycle.isLive {
            apps[slot].lifeCycle.restores(identifiers)
            return launchPrewarmed(
                slot, for: reason, hasHandler: hasHandler, at: now, into: &effects)
        }
        effects.append(.decided(.launch(launch, .woken(reason))))
        var signals: [Signal] = []
        apps[slot].lifeCycle.wake(
            isSuspended: apps[slot].suspension.isSuspendedOrAboutToBe, hasHandler: hasHandler, policy: policy, at: now,
            into: &signals)
        route(signals, slot, at: now, into: &effects)
        settle(slot, into: &effects)
    }

    mutating func beginShutdown(at now: Nanoseconds, into effects: inout [Effect]) {
        switch shutdown {
        case .none:
            shutdown = .underWay(until: now + policy.shutdown)
            tell(.shutdownBegan, after: effects)
            endInterruption(isAccepted: false, into: &effects)
            _ = foreground.bring(nil)
            for slot in apps.indices { terminate(slot, .shutdown, at: now, into: &effects) }
        case .underWay:
            // The second request kills the apps at once.
            killForShutdown(.shutdown, at: now, into: &effects)
        case .killing, .done:
            break
        }
    }

    /// Kills all apps that are left, without notice.
    mutating func killForShutdown(_ reason: TerminationReason, at now: Nanoseconds, into effects: inout [Effect]) {
        shutdown = .killing(until: now + policy.shutdownGrace)
        tell(.shutdownBegan, after: effects)
        // No app may become active because an app that was in its way is killed first.
        foreground.forgetWaiting()
        for slot in apps.indices { kill(slot, reason, at: now, into: &effects) }
    }

    mutating func finishShutdown(into effects: inout [Effect]) {
        shutdown = .done
        effects.append(.device(.finishShutdown))
    }

    /// The device was started: force-quit flags are cleared, and VoIP apps are launched once that is allowed
    /// (T27, R-124).
    mutating func start(at now: Nanoseconds, into effects: inout [Effect]) {
        for slot in apps.indices where apps[slot].record.isForceQuit {
            apps[slot].record.isForceQuit = false
            effects.append(.store(.app(apps[slot].record)))
            settle(slot, into: &effects)
        }
        tell(.deviceStarted, after: effects)
        let before = record
        lock.started(hasPasscode: surroundings.settings.hasPasscode)
        foreground.interruption = nil
        if record != before { effects.append(.store(.device(record))) }
        if lock.wasUnlockedSinceStart { launchForCalls(at: now, into: &effects) }
        prewarm(at: now, into: &effects)
    }

    /// T27: this includes apps whose prewarmed process waits (T28).
    mutating func launchForCalls(at now: Nanoseconds, into effects: inout [Effect]) {
        guard policy.launchesVoIPAtStart else { return }
        for id in ids {
            guard let slot = slot(of: id), apps[slot].record.manifest.backgroundModes.contains(.voip),
                apps[slot].lifeCycle.launch == nil || apps[slot].lifeCycle.isLive && apps[slot].lifeCycle.isPrewarmed
            else { continue }
            wake(id, .voip, at: now, into: &effects)
        }
    }
}
