import LifeCycleModel

extension LifeCycle {
    /// Whether the app is ended for `reason` without `willTerminate`.
    static func isSilent(_ reason: TerminationReason, run: Run, isSuspended: Bool, policy: Policy) -> Bool {
        if run.phase == .starting { return true }
        if run.isAdopted { return isSilentForAdopted(reason, isSuspended: isSuspended, policy: policy) }
        if isSuspended { return true }
        switch reason {
        case .forceQuit: return !policy.forceQuitCallsWillTerminate
        case .memory, .shutdown, .exitsOnSuspend: return false
        case .deviceShutdown, .systemGone, .tooManyRequests, .tooMuchDisk, .uninstalled, .updated, .exited,
            .launchFailed, .cutOff,
            .watchdog, .didNotExit, .lostContact, .tasksNotEnded, .sessionEventsNotHandled,
            .eventNotHandled, .noCallReported, .wokenTooOften, .tooManyTasks, .notFreezable, .fault:
            return true
        }
    }

    /// Whether an adopted app is ended for `reason` without SIGTERM. Adopted apps do not know that they may be killed
    /// while suspended. A suspended adopted app is therefore thawed and also gets SIGTERM.
    private static func isSilentForAdopted(_ reason: TerminationReason, isSuspended: Bool, policy: Policy) -> Bool {
        switch reason {
        case .forceQuit, .shutdown, .exitsOnSuspend, .updated: return false
        case .memory: return isSuspended && !policy.memorySignalsAdopted
        case .deviceShutdown, .systemGone, .tooManyRequests, .tooMuchDisk, .uninstalled, .exited, .launchFailed,
            .cutOff, .watchdog,
            .didNotExit, .lostContact, .tasksNotEnded, .sessionEventsNotHandled, .eventNotHandled, .noCallReported,
            .wokenTooOften, .tooManyTasks, .notFreezable, .fault:
            return true
        }
    }

    /// Cancels a request to open the app again after its end: the app was force-quit or uninstalled.
    mutating func stayClosed() {
        switch state {
        case .notRunning, .recovering:
            break
        case .running:
            changeRun { $0.reopens = false }
        case .ending(var ending):
            ending.reopens = false
            state = .ending(ending)
        }
    }

    /// Ends the launch: with `willTerminate` if the app runs and the reason allows it, otherwise at once (T15–T18,
    /// Returns whether the process has to be killed now.
    mutating func terminate(
        _ reason: TerminationReason, isSuspended: Bool, policy: Policy, into signals: inout [Signal]
    ) -> Bool {
        switch state {
        case .notRunning, .ending:
            return false
        case .recovering:
            return true
        case .running(let run):
            if Self.isSilent(reason, run: run.wrappedValue, isSuspended: isSuspended, policy: policy) { return true }
            guard run.termination == nil else { return false }
            changeRun { run in
                run.termination = reason
                run.wantsFront = false
            }
            signals.append(.terminationBegan(reason))
            advance(into: &signals)
            return false
        }
    }

    /// The process is to be killed. Returns the launch; nil if there is none or a kill is already under way.
    mutating func kill(_ reason: TerminationReason, into signals: inout [Signal]) -> LaunchID? {
        var ending: Ending
        switch state {
        case .notRunning:
            return nil
        case .running(let run), .recovering(let run, _):
            ending = Ending(
                launch: run.launch, launchReason: run.reason, isAdopted: run.isAdopted, reason: reason, isKilled: true,
                reopens: run.reopens, wasPrewarmed: run.prewarming != .none)
        case .ending(let under):
            guard !under.isKilled else { return nil }
            ending = under.wrappedValue
            ending.isKilled = true
            ending.reason = reason
        }
        state = .ending(Boxed(wrappedValue: ending))
        signals.append(.launchEnding(awaitsExit: false))
        signals.append(.activationReleased)
        return ending.launch
    }

    /// Replaces the reason of a kill that is already under way, so that the record has the new reason. Returns the
    /// launch; nil if the reason is the same.
    mutating func fileKill(under reason: TerminationReason) -> LaunchID? {
        guard case .ending(var ending) = state, ending.reason != reason else { return nil }
        ending.reason = reason
        state = .ending(ending)
        return ending.launch
    }

    /// `willTerminate` has returned, or an adopted app has been sent SIGTERM. Only the app's exit is left.
    mutating func exitExpected(into signals: inout [Signal]) {
        guard case .running(let run) = state, let reason = run.termination else { return }
        let ending = Ending(
            launch: run.launch, launchReason: run.reason, isAdopted: run.isAdopted, reason: reason, isKilled: false,
            reopens: run.reopens)
        state = .ending(Boxed(wrappedValue: ending))
        signals.append(.launchEnding(awaitsExit: true))
        signals.append(.lifeCycleHoldsChanged)
        signals.append(.activationReleased)
    }

    /// The process is gone. Returns why the launch ended, and whether the user wants the app again.
    mutating func exited(_ status: ExitStatus, into signals: inout [Signal]) -> (TerminationReason, reopens: Bool)? {
        let reason: TerminationReason
        let reopens: Bool
        switch state {
        case .notRunning:
            return nil
        case .running(let run):
            // The app exited during `willTerminate`, or exited by itself.
            let isWillTerminatePending = run.pending?.callback == .willTerminate
            reason = isWillTerminatePending ? run.termination ?? .exited(status) : .exited(status)
            reopens = run.reopens
        case .recovering(let run, _):
            // A termination that began before the restart of the system is now complete.
            reason = run.termination ?? .exited(status)
            reopens = run.reopens
        case .ending(let ending):
            reason = ending.reason
            reopens = ending.reopens
        }
        state = .notRunning
        signals.append(.launchEnding(awaitsExit: false))
        signals.append(.activationReleased)
        return (reason, reopens)
    }
}
