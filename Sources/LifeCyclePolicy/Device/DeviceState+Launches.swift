import LifeCycleModel

/// The beginning and the end of a launch.
extension DeviceState {
    mutating func launch(
        _ slot: Int, for reason: LaunchReason, hasHandler: Bool = false, at now: Nanoseconds,
        into effects: inout [Effect]
    ) {
        rely(on: apps[slot].lifeCycle.launch == nil, else: .launchedTwice, slot, at: now, into: &effects)
        apps[slot].record.lastLaunch += 1
        let usesScenes = apps[slot].record.manifest.usesScenes && !apps[slot].record.manifest.isAdopted
        if usesScenes { _ = apps[slot].record.scenes.open() }
        let record = apps[slot].record
        let launch = LaunchID(app: record.app, number: record.lastLaunch)
        var run = LifeCycle.Run(
            launch: launch, reason: reason, isAdopted: record.manifest.isAdopted,
            exitsOnSuspend: record.manifest.exitsOnSuspend, wantsFront: reason == .user)
        run.usesScenes = usesScenes
        // The app was opened again while it ended. An interruption that began meanwhile still lasts.
        run.isInterrupted = reason == .user && foreground.app == record.app && foreground.interruption != nil
        run.pendingMessages.discardedScenes = record.scenes.nextDiscarded
        run.isEnterBackgroundPending = reason != .user && policy.launchCallsDidEnterBackground
        run.isSlicePending = reason != .user && !hasHandler && !record.manifest.isAdopted
        runningApps += 1
        effects.append(.decided(.launch(launch, .launched(reason))))
        adviseScenes(launch, slot, into: &effects)
        effects.append(.store(.app(record)))
        var signals: [Signal] = []
        apps[slot].lifeCycle.begin(run, into: &signals)
        route(signals, slot, at: now, into: &effects)
        settle(slot, into: &effects)
        effects.append(.launch(launch, .start(reason)))
        effects.append(.launch(launch, .prioritize(reason == .user ? .foreground : .background)))
    }

    /// R-10, in a generation that still launches apps without scenes.
    private func adviseScenes(_ launch: LaunchID, _ slot: Int, into effects: inout [Effect]) {
        let manifest = apps[slot].record.manifest
        guard policy.scenes == .advised, !manifest.usesScenes, !manifest.isAdopted else { return }
        effects.append(.decided(.launch(launch, .scenesAdvised)))
    }

    /// Prewarms the most recently used app in the switcher that is not running: it is the likeliest to be opened (T28).
    /// Its process has no record. Without the search for leftover processes, the process could stay frozen forever.
    mutating func prewarm(at now: Nanoseconds, into effects: inout [Effect]) {
        guard policy.prewarms, endsLeftovers else { return }
        let candidates = apps.indices.filter { slot in
            let app = apps[slot]
            return app.record.switcherPlace > 0 && app.lifeCycle.launch == nil && !app.record.manifest.isAdopted
                && LaunchRules.mayPrewarm(app.record, circumstances: circumstances)
        }
        guard let slot = candidates.max(by: { apps[$0].record.switcherPlace < apps[$1].record.switcherPlace })
        else { return }
        apps[slot].record.lastLaunch += 1
        if apps[slot].record.manifest.usesScenes { _ = apps[slot].record.scenes.open() }
        let record = apps[slot].record
        let launch = LaunchID(app: record.app, number: record.lastLaunch)
        var run = LifeCycle.Run(
            launch: launch, reason: .user, isAdopted: false, exitsOnSuspend: record.manifest.exitsOnSuspend,
            wantsFront: false)
        run.usesScenes = record.manifest.usesScenes
        run.pendingMessages.discardedScenes = record.scenes.nextDiscarded
        runningApps += 1
        effects.append(.decided(.launch(launch, .prewarmed)))
        effects.append(.store(.app(record)))
        var signals: [Signal] = []
        apps[slot].lifeCycle.prewarm(run, into: &signals)
        route(signals, slot, at: now, into: &effects)
        settle(slot, into: &effects)
        effects.append(.launch(launch, .prewarm))
        effects.append(.launch(launch, .prioritize(.background)))
    }

    /// Launches the app of a prewarmed process.
    mutating func launchPrewarmed(
        _ slot: Int, for reason: LaunchReason, hasHandler: Bool = false,
        at now: Nanoseconds, into effects: inout [Effect]
    ) {
        guard let launch = apps[slot].lifeCycle.launch else { return }
        effects.append(.decided(.launch(launch, .launched(reason))))
        adviseScenes(launch, slot, into: &effects)
        effects.append(.store(.app(apps[slot].record)))
        var signals: [Signal] = []
        let isConnected = apps[slot].lifeCycle.launchPrewarmed(
            for: reason, isEnterBackgroundPending: reason != .user && policy.launchCallsDidEnterBackground,
            isSlicePending: reason != .user && !hasHandler, into: &signals)
        route(signals, slot, at: now, into: &effects)
        effects.append(.launch(launch, .prioritize(reason == .user ? .foreground : .background)))
        settle(slot, into: &effects)
        guard isConnected else { return }
        tellDevice(launch, slot, into: &effects)
        tell(.attached(launch, .new), after: effects)
        tellRestoration(slot, into: &effects)
        apps[slot].lifeCycle.repeatPending(into: &effects)
    }

    /// Sends the restore identifiers, which are launch options; an app with scenes has none.
    func tellRestoration(_ slot: Int, into effects: inout [Effect]) {
        let lifeCycle = apps[slot].lifeCycle
        guard let launch = lifeCycle.launch, !apps[slot].record.manifest.usesScenes else { return }
        let identifiers = lifeCycle.restoreIdentifiers
        if !identifiers.isEmpty { effects.append(.launch(launch, .send(.restoreIdentifiers(identifiers)))) }
    }

    mutating func terminate(
        _ slot: Int, _ reason: TerminationReason, at now: Nanoseconds, into effects: inout [Effect]
    ) {
        var signals: [Signal] = []
        let isToBeKilled = apps[slot].lifeCycle.terminate(
            reason, isSuspended: apps[slot].suspension.isFrozen, policy: policy, into: &signals)
        if isToBeKilled {
            kill(slot, reason, at: now, into: &effects)
        } else {
            route(signals, slot, at: now, into: &effects)
            settle(slot, into: &effects)
        }
    }

    mutating func kill(
        _ slot: Int, _ reason: TerminationReason, at now: Nanoseconds, into effects: inout [Effect]
    ) {
        let open = apps[slot].tasks.open
        var signals: [Signal] = []
        guard let launch = apps[slot].lifeCycle.kill(reason, into: &signals) else { return }
        effects.append(.decided(.launch(launch, .terminating(reason, open: open))))
        effects.append(.launch(launch, .kill(reason)))
        tell(.killed(launch, reason), after: effects)
        route(signals, slot, at: now, into: &effects)
        settle(slot, into: &effects)
    }

    mutating func exited(
        _ launch: LaunchID, _ slot: Int, _ status: ExitStatus?, reason failure: TerminationReason? = nil,
        at now: Nanoseconds, into effects: inout [Effect]
    ) {
        var signals: [Signal] = []
        guard let (reason, reopens) = apps[slot].lifeCycle.exited(status ?? .unknown, into: &signals) else { return }
        tell(.exited(launch, failure ?? reason, inBackground: foreground.app != launch.app), after: effects)
        rely(on: runningApps > 0, else: .launchedTwice, slot, at: now, into: &effects)
        runningApps = max(0, runningApps - 1)
        effects.append(.decided(.launch(launch, .ended(failure ?? reason, status))))
        signals.append(.recoveryResolved(isActive: false))
        route(signals, slot, at: now, into: &effects)
        apps[slot].suspension.launchEnded()
        settle(slot, into: &effects)
        if apps[slot].isBeingUninstalled {
            remove(slot, into: &effects)
        } else if reopens, shutdown == .none {
            self.launch(slot, for: .user, at: now, into: &effects)
        } else {
            leftFront(launch.app, into: &effects)
        }
    }
}
