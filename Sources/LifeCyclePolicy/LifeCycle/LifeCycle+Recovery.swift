import LifeCycleModel

/// Recovery after a restart of the system: a launch is found again, connects again, or is lost.
extension LifeCycle {
    /// Restores a launch from the store. The app is still notified of discarded scene sessions.
    init(recovering record: LaunchRecord, of app: AppRecord, isInterrupted: Bool) {
        let manifest = app.manifest
        var run = Run(
            launch: record.launch, reason: record.reason, isAdopted: record.isAdopted,
            exitsOnSuspend: manifest.exitsOnSuspend, wantsFront: record.isInForeground)
        run.usesScenes = manifest.usesScenes && !record.isAdopted
        run.isInterrupted = isInterrupted && record.isInForeground
        run.pendingMessages.discardedScenes = app.scenes.nextDiscarded
        // Until the app connects again, its record must say that it may be active.
        run.phase = record.mayBeActive ? .active : .background
        run.termination = record.ending
        state = .recovering(Boxed(wrappedValue: run), until: nil)
    }

    @inline(__always) func nextDeadline() -> Deadline? {
        guard case .recovering(let run, let until?) = state else { return nil }
        return Deadline(at: until, reason: .reconnection(run.launch))
    }

    /// The launch's process was found. A launch that was to be ended is ended now, an adopted app by SIGTERM again. Any
    /// other adopted app continues. Any other app has to connect again, a frozen app once it is thawed.
    mutating func found(isFrozen: Bool, policy: Policy, at now: Nanoseconds, into signals: inout [Signal]) {
        guard case .recovering(var run, _) = state else { return }
        if let reason = run.termination {
            guard run.isAdopted, !Self.isSilent(reason, run: run.wrappedValue, isSuspended: isFrozen, policy: policy)
            else {
                return signals.append(.killDue(reason))
            }
            run.phase = .background
            run.wantsFront = false
            state = .running(run)
            signals.append(.terminationBegan(reason))
            advance(into: &signals)
        } else if run.isAdopted {
            run.phase = run.wantsFront && !isFrozen ? .rising : .background
            state = .running(run)
            if run.phase == .background { signals.append(.enteredBackground) }
            advance(into: &signals)
        } else if !isFrozen || run.wantsFront {
            awaitReconnection(policy: policy, at: now, into: &signals)
        }
    }

    /// The app runs, or will in a moment. For a limited time, it is not suspended until it has connected again.
    mutating func awaitReconnection(policy: Policy, at now: Nanoseconds, into signals: inout [Signal]) {
        guard case .recovering(let run, let until) = state else { return }
        state = .recovering(run, until: until ?? now + policy.reconnect)
        signals.append(.lifeCycleHoldsChanged)
    }

    /// The app connected again, and continues from the phase that it reports. Its permissions come from the system's
    /// own record.
    mutating func reattached(_ attachment: Attachment, policy: Policy, into signals: inout [Signal]) {
        guard case .recovering(var run, _) = state else { return }
        run.phase = attachment.phase
        run.isIdleTimerDisabled = attachment.isIdleTimerDisabled
        run.isSceneConnected = attachment.isSceneConnected
        // A launch into the background has only had its launch callback: the rest of the launch follows (T02).
        if run.reason != .user, attachment.lastCallback <= CallbackID(1) {
            run.isEnterBackgroundPending = policy.launchCallsDidEnterBackground
            if !run.reason.hasHandler, !run.wantsFront { run.isSlicePending = true }
        }
        run.nextCallback = attachment.lastCallback.next
        // The app turns out not to be in the foreground. Notifications that were to be delivered to it there are
        // displayed.
        if run.phase == .background || run.phase == .starting && run.reason != .user {
            run.pendingMessages.dropForegroundCalls()
        }
        switch run.phase {
        case .starting:
            if run.reason != .user { signals.append(.enteredBackground) }
            Self.send(.launch(run.reason), to: &run.wrappedValue, into: &signals)
        case .background:
            signals.append(.enteredBackground)
        case .rising, .active, .falling:
            break
        }
        state = .running(run)
        signals.append(.recoveryResolved(isActive: run.phase == .active))
        // An active app continues once it is known whether it may be active.
        if run.phase != .active { advance(into: &signals) }
    }

    /// The app reconnected as active, and continues. If another active app reconnected first, this app gives way.
    mutating func reconnectedActive(isSecond: Bool, into signals: inout [Signal]) {
        guard case .running(let run) = state, run.phase == .active else { return }
        changeRun { $0.isActivationTransient = isSecond }
        advance(into: &signals)
    }

    mutating func timePassed(at now: Nanoseconds, into signals: inout [Signal]) {
        guard case .recovering(let run, let until?) = state, until <= now else { return }
        state = .recovering(run, until: nil)
        signals.append(.killDue(.lostContact))
    }

    mutating func loopStalled(policy: Policy, at now: Nanoseconds) {
        guard case .recovering(let run, _?) = state else { return }
        state = .recovering(run, until: now + policy.reconnect)
    }
}

extension LaunchReason {
    /// Whether a launch for this reason delivers an event with a completion handler.
    fileprivate var hasHandler: Bool {
        switch self {
        case .backgroundFetch, .remoteNotification, .newsstand, .urlSession: true
        case .user, .locationUpdate, .locationMonitoring, .voip, .voipPush, .externalAccessory, .bluetoothCentral,
            .bluetoothPeripheral:
            false
        }
    }
}
