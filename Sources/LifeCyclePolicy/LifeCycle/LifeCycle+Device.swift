import LifeCycleModel

/// What happens to the device, as far as it concerns one app.
extension LifeCycle {
    /// Whether the app is warned when memory is low: it runs, and somebody answers for it.
    func hearsWarnings(isSuspended: Bool) -> Bool {
        guard case .running(let run) = state else { return false }
        return !isSuspended && !run.isAdopted && run.termination == nil && run.prewarming == .none
    }

    /// Whether it runs off the foreground, and may be ended there when memory is short (T16).
    func isInBackground(isSuspended: Bool) -> Bool {
        guard case .running(let run) = state else { return false }
        return !isSuspended && run.phase == .background && !run.wantsFront && run.termination == nil
    }

    /// Whether what the user does now reaches it: it is active, the user looks at it, and it has not been told
    /// otherwise. Where another callback is under way, `willResignActive` is still to come, and the touch is off (T09).
    var receivesEvents: Bool {
        guard case .running(let run) = state, run.wantsFront, !run.isInterrupted, !run.isPassing, !run.isAdopted,
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

    /// Whether it keeps the device from locking itself.
    var isIdleTimerDisabled: Bool {
        guard case .running(let run) = state else { return false }
        return run.isIdleTimerDisabled
    }

    /// Whether its scene is connected.
    var isSceneConnected: Bool {
        guard case .running(let run) = state else { return false }
        return run.isSceneConnected
    }

    mutating func idleTimer(isDisabled: Bool) {
        guard case .running(var run) = state else { return }
        run.isIdleTimerDisabled = isDisabled
        state = .running(run)
    }

    /// Something takes the user's attention from it, or does so no more (T06, T07). A front that the user leaves at
    /// the same time is not waited for: `leaveFront` is what moves it on.
    mutating func interrupted(_ isInterrupted: Bool, isLeaving: Bool = false, into signals: inout [Signal]) {
        switch state {
        case .notRunning, .ending:
            return
        case .running(var run):
            run.isInterrupted = isInterrupted
            state = .running(run)
            if !isLeaving { advance(into: &signals) }
        case .recovering(var run, let until):
            run.isInterrupted = isInterrupted
            state = .recovering(run, until: until)
        }
    }

    /// What it was told when it connected.
    mutating func told(_ facts: DeviceFacts) {
        guard case .running(var run) = state else { return }
        state = .notRunning
        run.wrappedValue.owed.told = facts
        run.wrappedValue.owed.news = nil
        // What is repeated to it is no older than that.
        if let pending = run.pending, case .deviceChanged = pending.callback {
            run.pending = PendingCallback(id: pending.id, callback: .deviceChanged(facts))
        }
        state = .running(run)
    }

    /// The device is not as it was. One that is suspended is not woken for that: it hears the newest when it next runs.
    mutating func deviceChanged(_ facts: DeviceFacts, isSuspended: Bool, into signals: inout [Signal]) {
        guard case .running(var run) = state, !run.isAdopted, let told = run.owed.told else { return }
        let news = facts == told ? nil : facts
        guard news != run.owed.news else { return }
        state = .notRunning
        run.wrappedValue.owed.news = news
        state = .running(consume run)
        if !isSuspended { advance(into: &signals) }
    }

    /// It was suspended, or about to be, and goes on for a reason that no callback stands for, a task or a slice of
    /// time: what happened meanwhile is told now.
    mutating func resumed(into signals: inout [Signal]) {
        guard case .running(let run) = state, run.pending == nil, run.owed.isDueWhenItRuns else { return }
        advance(into: &signals)
    }

    /// It is launched for these Bluetooth managers of its.
    mutating func restores(_ identifiers: [String]) {
        guard !identifiers.isEmpty, case .running(var run) = state, !run.isAdopted else { return }
        run.restoreIdentifiers = identifiers
        state = .running(run)
    }

    /// The Bluetooth managers it is launched for and has not heard of.
    var restoreIdentifiers: [String] {
        if case .running(let run) = state { run.restoreIdentifiers } else { [] }
    }

    /// Memory is low (T14).
    mutating func memoryRanLow(into signals: inout [Signal]) {
        guard case .running(var run) = state else { return }
        run.owed.memoryWarning = true
        run.owed.sceneDisconnection = run.isSceneConnected && run.phase == .background && !run.wantsFront
        state = .running(run)
        advance(into: &signals)
    }

    /// The user has closed these scene sessions (T18). Those it is being told of already it is not told of again.
    mutating func discard(_ sessions: SceneSessionRange) {
        guard case .running(var run) = state, !run.isAdopted else { return }
        if case .discardScenes(let underWay)? = run.pending?.callback {
            let told = underWay.sessions
            run.owed.discardedScenes = SceneSessionRange(sessions.sessions.filter { !told.contains($0) })
        } else {
            run.owed.discardedScenes = sessions
        }
        state = .running(run)
    }
}
