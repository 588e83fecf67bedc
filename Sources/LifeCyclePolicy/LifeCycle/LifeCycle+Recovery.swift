import LifeCycleModel

/// The system's restart: a launch that was under way is found again, heard from again, or lost.
extension LifeCycle {
    /// A launch as the store remembers it; what it has not heard of its scene sessions it is still to hear.
    init(recovering record: LaunchRecord, of app: AppRecord, isInterrupted: Bool) {
        let manifest = app.manifest
        var run = Run(
            launch: record.launch, reason: record.reason, isAdopted: manifest.isAdopted,
            exitsOnSuspend: manifest.exitsOnSuspend, wantsFront: record.isInFront)
        run.usesScenes = manifest.usesScenes && !manifest.isAdopted
        run.isInterrupted = isInterrupted && record.isInFront
        run.owed.discardedScenes = app.scenes.untold
        // As long as nobody has heard from it, its record has to go on saying what it may think.
        run.phase = record.mayBeActive ? .active : .background
        run.termination = record.ending
        state = .recovering(Boxed(wrappedValue: run), until: nil)
    }

    @inline(__always) func nextDeadline() -> Deadline? {
        guard case .recovering(let run, let until?) = state else { return nil }
        return Deadline(at: until, reason: .reconnection(run.launch))
    }

    /// Its process is there. What was to be ended is ended now, an adopted app by SIGTERM again; an adopted app that was
    /// not goes on; any other has to come back, a frozen one when it is thawed.
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

    /// It runs, or will in a moment: it is held until it has come back, for a limited time.
    mutating func awaitReconnection(policy: Policy, at now: Nanoseconds, into signals: inout [Signal]) {
        guard case .recovering(let run, let until) = state else { return }
        state = .recovering(run, until: until ?? now + policy.reconnect)
        signals.append(.lifeCycleHoldsChanged)
    }

    /// It came back: it goes on from where it says it is. What it is entitled to is the system's own record.
    mutating func reattached(_ attachment: Attachment, policy: Policy, into signals: inout [Signal]) {
        guard case .recovering(var run, _) = state else { return }
        run.phase = attachment.phase
        run.isIdleTimerDisabled = attachment.isIdleTimerDisabled
        run.isSceneConnected = attachment.isSceneConnected
        // Of a launch into the background only the launch callback has been: the rest of it is still to come (T02).
        if run.reason != .user, attachment.lastCallback <= CallbackID(1) {
            run.owesEnterBackground = policy.launchCallsDidEnterBackground
            if !run.reason.hasHandler, !run.wantsFront { run.owesSlice = true }
        }
        run.nextCallback = attachment.lastCallback.next
        // What fired while it was thought to be in front is shown, where it turns out not to be.
        if run.phase == .background || run.phase == .starting && run.reason != .user {
            run.owed.dropForegroundCalls()
        }
        switch run.phase {
        case .starting:
            if run.reason != .user { signals.append(.enteredBackground) }
            send(.launch(run.reason), to: &run.wrappedValue, into: &signals)
        case .background:
            signals.append(.enteredBackground)
        case .rising, .active, .falling:
            break
        }
        state = .running(run)
        signals.append(.heardFrom(isActive: run.phase == .active))
        // One that is active goes on when it is known whether it may be.
        if run.phase != .active { advance(into: &signals) }
    }

    /// It came back active, and goes on from there; where another app has been heard to be active before, it gives way.
    mutating func cameBackActive(isSecond: Bool, into signals: inout [Signal]) {
        guard case .running(var run) = state, run.phase == .active else { return }
        run.isPassing = isSecond
        state = .running(run)
        advance(into: &signals)
    }

    mutating func timePassed(at now: Nanoseconds, into signals: inout [Signal]) {
        guard case .recovering(let run, let until?) = state, until <= now else { return }
        state = .recovering(run, until: nil)
        signals.append(.killDue(.lostContact))
    }

    mutating func loopStoodStill(policy: Policy, at now: Nanoseconds) {
        guard case .recovering(let run, _?) = state else { return }
        state = .recovering(run, until: now + policy.reconnect)
    }
}

extension LaunchReason {
    /// Whether an app that is launched for it is handed an event with a completion handler.
    fileprivate var hasHandler: Bool {
        switch self {
        case .backgroundFetch, .remoteNotification, .newsstand, .urlSession: true
        case .user, .locationUpdate, .locationMonitoring, .voip, .externalAccessory, .bluetoothCentral,
            .bluetoothPeripheral:
            false
        }
    }
}
