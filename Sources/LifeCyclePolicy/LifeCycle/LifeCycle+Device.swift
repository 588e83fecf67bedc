import LifeCycleModel

/// The effects of device changes on one app.
extension LifeCycle {
    /// Whether the app is warned when memory is low: it runs, and is not adopted, prewarmed or being ended.
    func receivesMemoryWarnings(isSuspended: Bool) -> Bool {
        guard case .running(let run) = state else { return false }
        return !isSuspended && !run.isAdopted && run.termination == nil && run.prewarming == .none
    }

    /// Whether the app runs in the background, and may be ended there when memory is short (T16).
    func isInBackground(isSuspended: Bool) -> Bool {
        guard case .running(let run) = state else { return false }
        return !isSuspended && run.phase == .background && !run.wantsFront && run.termination == nil
    }

    /// Whether the user's input reaches the app: it is active, uninterrupted, and has not been sent `willResignActive`.
    /// A touch is ignored once the app is to leave, even if another callback delays `willResignActive` (T09).
    var receivesEvents: Bool {
        guard case .running(let run) = state, run.wantsFront, !run.isInterrupted, !run.isActivationTransient,
            !run.isAdopted,
            run.termination == nil
        else { return false }
        switch run.pending?.callback {
        case .willResignActive: return false
        case .didBecomeActive: return true
        case .launch, .didEnterBackground, .willEnterForeground, .expireTasks, .deviceChanged, .memoryWarning,
            .disconnectScene, .discardScenes, .concern, .willTerminate, nil:
            return run.phase == .active
        }
    }

    /// Whether the app prevents auto-lock.
    var isIdleTimerDisabled: Bool {
        guard case .running(let run) = state else { return false }
        return run.isIdleTimerDisabled
    }

    /// Whether the app's scene is connected.
    var isSceneConnected: Bool {
        guard case .running(let run) = state else { return false }
        return run.isSceneConnected
    }

    mutating func idleTimer(isDisabled: Bool) { changeRun { $0.isIdleTimerDisabled = isDisabled } }

    /// An interruption of the app began or ended (T06, T07). If the user leaves the app at the same time (`isLeaving`),
    /// `leaveForeground` sends the next callback.
    mutating func interrupted(_ isInterrupted: Bool, isLeaving: Bool = false, into signals: inout [Signal]) {
        switch state {
        case .notRunning, .ending:
            return
        case .running:
            changeRun { $0.isInterrupted = isInterrupted }
            if !isLeaving { advance(into: &signals) }
        case .recovering(var run, let until):
            run.isInterrupted = isInterrupted
            state = .recovering(run, until: until)
        }
    }

    /// The app was sent these facts when it connected.
    mutating func deviceFactsSent(_ facts: DeviceFacts) {
        changeRun { run in
            run.pendingMessages.knownFacts = facts
            run.pendingMessages.newFacts = nil
            // A callback that is sent again must not have older facts.
            if let pending = run.pending, case .deviceChanged = pending.callback {
                run.pending = PendingCallback(id: pending.id, callback: .deviceChanged(facts))
            }
        }
    }

    /// The device changed. The change does not wake a suspended app: the app receives the newest facts when it next
    /// runs.
    mutating func deviceChanged(_ facts: DeviceFacts, isSuspended: Bool, into signals: inout [Signal]) {
        guard case .running(let run) = state, !run.isAdopted, let known = run.pendingMessages.knownFacts else { return }
        let news = facts == known ? nil : facts
        guard news != run.pendingMessages.newFacts else { return }
        changeRun { $0.pendingMessages.newFacts = news }
        if !isSuspended { advance(into: &signals) }
    }

    /// The app runs again without a callback, for a task or a slice of time. The changes since its suspension are sent
    /// now.
    mutating func resumed(into signals: inout [Signal]) {
        guard case .running(let run) = state, run.pending == nil, run.pendingMessages.isDueWhenItRuns else { return }
        advance(into: &signals)
    }

    /// The app is launched for its Bluetooth managers with these identifiers.
    mutating func restores(_ identifiers: [String]) {
        changeRun { run in
            if !run.isAdopted, !identifiers.isEmpty { run.restoreIdentifiers = identifiers }
        }
    }

    /// The restore identifiers of the launch, until the launch callback has returned.
    var restoreIdentifiers: [String] {
        if case .running(let run) = state { run.restoreIdentifiers } else { [] }
    }

    /// Memory is low (T14).
    mutating func memoryRanLow(into signals: inout [Signal]) {
        changeRun { run in
            run.pendingMessages.memoryWarning = true
            run.pendingMessages.sceneDisconnection = run.isSceneConnected && run.phase == .background && !run.wantsFront
        }
        advance(into: &signals)
    }

    /// The user closed these scene sessions (T18). The sessions in a callback under way are not sent again.
    mutating func discard(_ sessions: SceneSessionRange) {
        changeRun { run in
            if run.isAdopted { return }
            run.pendingMessages.discardedScenes = sessions
            if case .discardScenes(let underWay)? = run.pending?.callback {
                let sent = underWay.sessions
                run.pendingMessages.discardedScenes = SceneSessionRange(sessions.sessions.filter { !sent.contains($0) })
            }
        }
    }
}
