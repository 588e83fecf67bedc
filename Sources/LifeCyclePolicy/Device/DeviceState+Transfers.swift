import LifeCycleModel

/// Between the apps and their background sessions: who does what with which, who hears, and whom there is to wake.
extension DeviceState {
    /// Reads the clocks at an event, and tells those whose deadlines are on the wall clock or the steady one.
    mutating func readClocks(_ event: Event, at now: Moment, after effects: [Effect]) {
        let isOtherBoot = if case .device(.deviceStarted) = event { true } else { false }
        let persisted = isOtherBoot || !surroundings.clocks.areRead ? transfers.persistedClock : nil
        let change = surroundings.clocks.read(now, after: persisted, isOtherBoot: isOtherBoot)
        transfers.clock = surroundings.clocks.persisted
        if change == .none { return }
        if change == .set { transfers.clockKept = nil }
        tell(.clocksShifted, after: effects)
    }

    /// What the end of each event brings: time that has passed, apps to be woken, news to be told, tasks to begin.
    mutating func settleTransfers(at now: Nanoseconds, into effects: inout [Effect]) {
        guard !transfers.isEmpty, transfers.isStarted else { return }
        transfers.keepClock(into: &effects)
        transfers.timePassed(into: &effects)
        while let id = transfers.attention.first {
            transfers.attention.removeFirst()
            if transfers.isWakeDue(id, into: &effects) { wake(for: id, at: now, into: &effects) }
            transfers.deliver(id, window: policy.transferWindow, into: &effects)
        }
        // The question comes before the call, because the call copies the policy.
        if transfers.mayBegin { transfers.admit(policy: policy, front: foreground.front, into: &effects) }
        transfers.sayWhatWaits(into: &effects)
        if transfers.isEmpty { forgetTransfers() }
    }

    /// Nothing is left of any, as if none had ever been.
    private mutating func forgetTransfers() {
        let isShutDown = transfers.isShutDown
        transfers = Transfers(policy: policy, surroundings: surroundings)
        transfers.isShutDown = isShutDown
        transfers.clock = surroundings.clocks.persisted
    }

    /// How an app stands, as far as that concerns what it is told. It is inlined, because a call copies the device.
    @inline(__always) func standing(_ slot: Int) -> TransferClient.Standing {
        let lifeCycle = apps[slot].lifeCycle
        let isPrewarmed = lifeCycle.isPrewarmed
        let isSuspended = apps[slot].suspension.isSuspendedOrAboutToBe
        let isRunning = lifeCycle.isLive && !isPrewarmed
        // What is only about to be suspended is let be so first: nobody is frozen and thawed in one go.
        let isFrozen = apps[slot].suspension.isFrozen
        return TransferClient.Standing(
            launch: isPrewarmed ? nil : lifeCycle.launch, isHearing: isRunning && !isSuspended,
            isAtRest: lifeCycle.launch == nil || (lifeCycle.isLive && (isPrewarmed || isFrozen)),
            isForeground: isRunning && apps[slot].published.isForeground,
            isForceQuit: apps[slot].record.isForceQuit)
    }

    /// What an app asks for with a session is counted apart from the rest.
    mutating func allows(_ request: AppRequest, of slot: Int, at now: Nanoseconds) -> Bool {
        switch request {
        case .concern(.transfer):
            apps[slot].transferActs.allows(rate: policy.transferActRate, burst: policy.transferActBurst, at: now)
        case .concern(.notification(.act)):
            apps[slot].notificationActs.allows(
                rate: policy.notificationActRate, burst: policy.notificationActBurst, at: now)
        case .acknowledge, .beginTask, .endTask, .setIdleTimerDisabled, .eventHandled, .concern:
            apps[slot].requests.allows(policy: policy, at: now)
        }
    }

    mutating func act(
        _ act: TransferAct, on session: SessionIdentifier, by launch: LaunchID, _ slot: Int, at now: Nanoseconds,
        into signals: inout [Signal], effects: inout [Effect]
    ) {
        guard !apps[slot].lifeCycle.isPrewarmed, !apps[slot].record.manifest.isAdopted,
            !apps[slot].isBeingUninstalled
        else { return effects.append(.decided(.launch(launch, .ignoredLate))) }
        let actor = Transfers.Actor(
            launch: launch, standing: standing(slot),
            allowsRefresh: LaunchRules.allowsRefresh(apps[slot].record, surroundings.settings))
        transfers.act(act, on: session, by: actor, policy: policy, into: &effects)
        if case .handled = act { _ = apps[slot].handlers.called(.session(session), at: now, into: &signals) }
    }

    /// An app has come back after the system's restart that may have been told of sessions that are done.
    mutating func goOnWithSessionEvents(_ slot: Int, at now: Nanoseconds) -> [Signal] {
        var signals: [Signal] = []
        for identifier in transfers.sessionsOwingEvents(of: ids[slot]) {
            // Nobody knows how far it is.
            apps[slot].handlers.given(
                .session(identifier), isInBackground: true, isBlamed: false, policy: policy, at: now, into: &signals)
        }
        return signals
    }

    /// All of a session is done, and its app is suspended or not running: it is woken, or launched (R-56, T02, T11).
    private mutating func wake(for id: TransferSessionID, at now: Nanoseconds, into effects: inout [Effect]) {
        guard let slot = slot(of: id.app), !apps[slot].isBeingUninstalled, !apps[slot].record.manifest.isAdopted,
            let identifier = transfers.sessions[id]?.record.identifier
        else { return }
        let reason: LaunchReason = identifier == .newsstand ? .newsstand : .urlSession
        let refusal = LaunchRules.admitSessionEvents(
            for: reason, app: apps[slot].record, isEnding: apps[slot].lifeCycle.isEnding, circumstances: circumstances)
        if let refusal {
            if transfers.wakeRefused(id, refusal) {
                effects.append(.decided(.app(id.app, .wakeRefused(reason, refusal))))
            }
            return
        }
        transfers.woken(id, policy: policy, into: &effects)
        effects.append(.decided(.concern(.transfer(.sessionWakes(id)))))
        bringToLife(slot, for: reason, hasHandler: true, at: now, into: &effects)
        owe(.transfer(.handleEvents(identifier)), .atOnce, slot, at: now, into: &effects)
    }

    // MARK: Settings

    mutating func settingChangedForTransfers(into effects: inout [Effect]) {
        guard !transfers.isEmpty else {
            transfers.gates = TransferGates(surroundings)
            return
        }
        transfers.changed(to: TransferGates(surroundings), into: &effects)
        refreshChangedForTransfers(of: ids, into: &effects)
    }

    /// Background App Refresh may be another one for these apps.
    mutating func refreshChangedForTransfers(of apps: [AppID], into effects: inout [Effect]) {
        guard !transfers.isEmpty else { return }
        let without = apps.filter { id in
            slot(of: id).map { !LaunchRules.allowsRefresh(self.apps[$0].record, surroundings.settings) } ?? false
        }
        transfers.refreshSwitchedOff(for: without, into: &effects)
        transfers.attendOwing()
    }
}
