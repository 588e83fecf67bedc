import LifeCycleModel

/// Passes signals between the machines, and publishes the results.
extension DeviceState {
    /// Handles each signal, and the signals that it causes before the next. All consequences of a release, for example,
    /// are drawn before the callback after it is sent.
    mutating func route(_ signals: consuming [Signal], _ slot: Int, at now: Nanoseconds, into effects: inout [Effect]) {
        if signals.isEmpty { return }
        // No signal begins or ends a launch: a launch begins and ends before its signals are routed.
        let launch = apps[slot].lifeCycle.launch
        // From here on the next signal is the last one.
        signals.reverse()
        while let signal = signals.popLast() {
            let count = signals.count
            dispatch(signal, of: launch, slot, at: now, into: &signals, effects: &effects)
            if signals.count > count + 1 { signals[count...].reverse() }
        }
    }

    private mutating func dispatch(
        _ signal: Signal, of launch: LaunchID?, _ slot: Int, at now: Nanoseconds, into next: inout [Signal],
        effects: inout [Effect]
    ) {
        switch (signal, launch) {
        case (.launchBegan, _):
            apps[slot].watchdog.launchBegan()
            apps[slot].requests.launchBegan()
            apps[slot].tasks.launchBegan()
            apps[slot].slices.launchBegan()
            apps[slot].handlers.launchBegan()
            apps[slot].transferActs.launchBegan()
            apps[slot].notificationActs.launchBegan()
            apps[slot].assertions.launchBegan()
            apps[slot].suspension.launchBegan()
        case (.launchEnding(let awaitsExit), _):
            apps[slot].watchdog.launchEnding(
                awaitsExit: awaitsExit, isAdopted: apps[slot].lifeCycle.isAdopted, policy: policy, at: now)
            apps[slot].tasks.launchEnding()
            apps[slot].slices.launchEnding()
            apps[slot].handlers.launchEnding()
            tell(.launchEnding(LaunchID(app: ids[slot], number: apps[slot].record.lastLaunch)), after: effects)
            // The rates are not reset while the app can still make requests.
            if !awaitsExit {
                apps[slot].notificationActs.launchEnding()
                apps[slot].requests.launchEnding()
                apps[slot].transferActs.launchEnding()
            }
            apps[slot].assertions.launchEnding()
            apps[slot].suspension.launchEnding(awaitsExit: awaitsExit)
            apps[slot].container.launchEnding()
        case (.lifeCycleHoldsChanged, _):
            apps[slot].assertions.lifeCycleHolds(apps[slot].lifeCycle.holds, into: &next)
        case (.asserted(let assertion), let launch?):
            guard apps[slot].lifeCycle.isLive else { return }
            apps[slot].assertions.asserted(assertion, into: &next)
            if assertion.isUnlimited { apps[slot].tasks.keptRunning(launch: launch, into: &effects) }
        case (.released(let assertion), let launch?):
            guard apps[slot].lifeCycle.isLive else { return }
            apps[slot].assertions.released(assertion, into: &next)
            guard assertion.isUnlimited, !apps[slot].assertions.isUnlimited else { return }
            apps[slot].tasks.notKeptRunning(
                launch: launch, policy: policy, at: now, into: &next, effects: &effects)
        case (.sliceOfTimeDue(let kind), _):
            // An app that was ended meanwhile, for too many tasks for example, gets no time.
            if apps[slot].lifeCycle.isLive { apps[slot].slices.due(kind, policy: policy, at: now, into: &next) }
        case (.expiryDue, _):
            apps[slot].lifeCycle.expiryDue(into: &next)
        case (.scenesDiscarded(let sessions), _):
            apps[slot].record.scenes.reported(sessions)
            effects.append(.store(.app(apps[slot].record)))
        case (.killDue(let reason), _):
            kill(slot, reason, at: now, into: &effects)
        case (.activationWanted, _):
            if foreground.activationWanted(by: ids[slot]) {
                apps[slot].lifeCycle.activationGranted(into: &next)
            } else {
                apps[slot].lifeCycle.activationDenied(into: &next)
            }
        case (.activationReleased, _):
            grant(foreground.activationReleased(by: ids[slot]), at: now, into: &effects)
        case (.recoveryResolved(var isActive), _):
            // The app may have been ended for the state that it reported.
            isActive = isActive && apps[slot].lifeCycle.isLive
            grant(foreground.recoveryResolved(of: ids[slot], isActive: isActive), at: now, into: &effects)
            if isActive {
                apps[slot].lifeCycle.reconnectedActive(isSecond: !foreground.isActive(ids[slot]), into: &next)
            }
        case (.callbackDue(let id, let callback), let launch?):
            // An adopted app is not called, and may have left the foreground already.
            if case .didBecomeActive = callback, !apps[slot].lifeCycle.isAdopted {
                let isAlone = foreground.isActive(ids[slot]) || apps[slot].lifeCycle.isActivationTransient
                rely(on: isAlone, else: .activeTwice, slot, at: now, into: &effects)
            }
            if case .concern(let call) = callback, apps[slot].lifeCycle.isLive {
                let isInBackground = apps[slot].lifeCycle.isInBackground(isSuspended: false)
                tell(.called(launch, call, isInBackground: isInBackground), after: effects)
                handlerGiven(id, call, slot, isInBackground: isInBackground, at: now, into: &next)
            }
            callbackDue(id, callback, of: launch, slot, at: now, into: &effects)
        case (.callbackReturned(let callback), _?):
            apps[slot].watchdog.callbackReturned(at: now)
            if let state = callback.stateAfterwards { apps[slot].publish(state, into: &effects) }
        case (.enteredBackground, let launch?):
            if apps[slot].published != .notRunning { effects.append(.launch(launch, .prioritize(.background))) }
            apps[slot].lifeCycle.dropForegroundCalls()
            tell(.enteredBackground(ids[slot]), after: effects)
            apps[slot].tasks.enteredBackground(
                launch: launch, policy: policy, at: now, into: &next, effects: &effects)
        case (.messageDue(let message), let launch?):
            let isUnreachable = apps[slot].suspension.isSuspendedOrAboutToBe || !apps[slot].lifeCycle.isLive
            if !isUnreachable { effects.append(.launch(launch, .send(message))) }
        case (.leftBackground, let launch?):
            effects.append(.launch(launch, .prioritize(.foreground)))
            apps[slot].tasks.leftBackground(launch: launch, into: &effects)
            apps[slot].slices.leftBackground(into: &next)
            apps[slot].handlers.leftBackground(into: &next)
            tell(.enteredForeground(ids[slot]), after: effects)
        case (.declared(let open), let launch?):
            apps[slot].tasks.declared(
                open, launch: launch, policy: policy, at: now, into: &next, effects: &effects)
        case (.terminationBegan(let reason), let launch?):
            effects.append(.decided(.launch(launch, .terminating(reason, open: apps[slot].tasks.open))))
            apps[slot].tasks.launchEnding()
            // The termination assertion must be there before the task assertions are removed.
            apps[slot].assertions.lifeCycleHolds(apps[slot].lifeCycle.holds, into: &next)
            apps[slot].assertions.tasksForgotten()
        case (.exitRequested, let launch?):
            // An app that was suspended until now runs to its end.
            if apps[slot].published == .suspended { apps[slot].publish(.background, into: &effects) }
            effects.append(.launch(launch, .requestExit))
        case (.firstAsserted(let assertion), let launch?):
            apps[slot].suspension.firstAsserted(assertion, launch: launch, into: &effects)
            apps[slot].container.resumed()
            apps[slot].lifeCycle.awaitReconnection(policy: policy, at: now, into: &next)
            apps[slot].tasks.resumed(into: &next)
            apps[slot].lifeCycle.resumed(into: &next)
            tell(.resumed(launch), after: effects)
        case (.lastReleased(let last), let launch?):
            rely(on: apps[slot].assertions.isEmpty, else: .suspendedWhileHeld, slot, at: now, into: &effects)
            apps[slot].suspension.lastReleased(last, launch: launch, policy: policy, at: now, into: &effects)
        case (.suspended, let launch?):
            apps[slot].tasks.suspended()
            checkContainer(slot, of: launch, at: now, into: &effects)
        // All other signals act on a launch, and there is none.
        case (_, nil): return
        }
    }

    /// Sends a callback and starts its watchdog. The launch callback is sent later, when the app connects.
    private mutating func callbackDue(
        _ id: CallbackID, _ callback: Callback, of launch: LaunchID, _ slot: Int, at now: Nanoseconds,
        into effects: inout [Effect]
    ) {
        // The app may have been killed by another signal of the same event, or is adopted and was asked to exit.
        guard apps[slot].lifeCycle.isLive else { return }
        switch callback {
        case .launch:
            apps[slot].watchdog.callbackSent(callback, policy: policy, at: now)
        case .didBecomeActive, .willResignActive, .didEnterBackground, .willEnterForeground, .expireTasks,
            .deviceChanged, .memoryWarning, .disconnectScene, .discardScenes, .concern, .willTerminate:
            if apps[slot].lifeCycle.isAdopted { return }
            apps[slot].watchdog.callbackSent(callback, policy: policy, at: now)
            effects.append(.launch(launch, .send(.callback(id, callback))))
        }
    }

    private mutating func grant(_ app: AppID?, at now: Nanoseconds, into effects: inout [Effect]) {
        guard let app else { return }
        guard let slot = slot(of: app) else {
            return grant(foreground.activationReleased(by: app), at: now, into: &effects)
        }
        var signals: [Signal] = []
        apps[slot].lifeCycle.activationGranted(into: &signals)
        route(signals, slot, at: now, into: &effects)
        settle(slot, into: &effects)
    }

    /// Publishes the app's state and record, and updates its deadline and its rank.
    mutating func settle(_ slot: Int, into effects: inout [Effect]) {
        let settled = apps[slot].settle(into: &effects)
        keepAwake(slot, into: &effects)
        if settled.hasNewStatus { tell(.statusChanged(ids[slot]), after: effects) }
        deadlines.set(settled.deadline?.rawValue, at: slot)
        footprints.set(settled.memoryRank, at: slot)
    }
}

extension App {
    fileprivate mutating func publish(_ state: AppState, into effects: inout [Effect]) {
        let launch = LaunchID(app: record.app, number: record.lastLaunch)
        while published != state {
            let next = published.next(toward: state)
            effects.append(.decided(.launch(launch, .stateChanged(from: published, to: next))))
            published = next
        }
    }

    /// Publishes the app's state and its record. Returns the keys by which the app is ranked, and whether its status
    /// changed.
    ///
    /// This is one mutating call, which changes the app in place: a reading call would copy the app out of its array.
    fileprivate mutating func settle(
        into effects: inout [Effect]
    ) -> (deadline: Nanoseconds?, memoryRank: Int64?, hasNewStatus: Bool) {
        let isFrozen = suspension.isFrozen
        let state = lifeCycle.publicState(isFrozen: isFrozen, published: published)
        if let state { publish(state, into: &effects) }
        if !isPlainlyStored(isFrozen: isFrozen) {
            let record = lifeCycle.record(isFrozen: isFrozen)
            if record != stored {
                if let record {
                    effects.append(.store(.launch(record)))
                } else if let old = stored {
                    effects.append(.store(.launchEnded(old.launch)))
                }
                stored = record
            }
        }
        let before = status
        status = currentStatus
        return (nextDeadline?.at, memoryRank, status != before)
    }

    /// Whether the stored record is up to date, decided without making a new record. The result is true after most
    /// events.
    @inline(__always) private func isPlainlyStored(isFrozen: Bool) -> Bool {
        switch lifeCycle.state {
        case .running(let run):
            run.prewarming == .none && run.termination == nil && stored?.ending == nil
                && stored?.launch == run.launch && stored?.reason == run.reason
                && stored?.isInForeground == run.wantsFront
                && stored?.mayBeActive == (run.wantsFront || LifeCycle.mayBeActive(run))
                && stored?.isSuspended == isFrozen
        case .notRunning, .recovering, .ending: false
        }
    }
}

extension Callback {
    /// The app's state once the callback has returned, if the callback itself marks the change. The next callback may
    /// be due at once, and the state in between must not be skipped.
    fileprivate var stateAfterwards: AppState? {
        if case .willResignActive = self { return .inactive }
        if case .willEnterForeground = self { return .inactive }
        return nil
    }
}
