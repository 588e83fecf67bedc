import LifeCycleModel

extension LifeCycle {
    /// With no callback under way: sends the next one on the way to the target, or rests.
    ///
    /// What the app is held for is said before the callback, so that a suspended app is thawed before it is spoken to.
    mutating func advance(into signals: inout [Signal]) {
        guard case .running(var run) = state else { return }
        if run.pending == nil {
            if run.termination != nil {
                advanceToEnd(&run, into: &signals)
            } else {
                advanceToTarget(&run, into: &signals)
            }
            state = .running(run)
        }
        if run.pending == nil {
            signals.append(.lifeCycleHoldsChanged)
        } else if run.isAdopted, run.phase != .starting {
            answerForAdopted(into: &signals)
        }
    }

    private mutating func advanceToTarget(_ run: inout Run, into signals: inout [Signal]) {
        switch run.phase {
        case .starting:
            break
        case .rising:
            // Also when it is to leave again: a rise is always completed, and only then undone.
            if !run.wantsFront { run.awaitsActivation = false }
            wantActivation(&run, into: &signals)
        case .active:
            if !run.wantsFront || run.isPassing { send(.willResignActive, to: &run, into: &signals) }
        case .falling where run.wantsFront:
            wantActivation(&run, into: &signals)
        case .falling where run.exitsOnSuspend:
            run.termination = .exitsOnSuspend
            signals.append(.terminationBegan(.exitsOnSuspend))
            advanceToEnd(&run, into: &signals)
        case .falling:
            if run.awaitsActivation {
                run.awaitsActivation = false
                signals.append(.activationReleased)
            }
            signals.append(.enteredBackground)
            if run.isAdopted { signals.append(.sliceOfTimeDue(.adopted)) }
            send(.didEnterBackground, to: &run, into: &signals)
        case .background where run.wantsFront:
            run.owesEnterBackground = false
            run.owesExpiry = false
            // First it is held, then its slices of time end: else it would be suspended in between.
            signals.append(.lifeCycleHoldsChanged)
            signals.append(.leftBackground)
            send(.willEnterForeground, to: &run, into: &signals)
        case .background where run.owesEnterBackground:
            run.owesEnterBackground = false
            send(.didEnterBackground, to: &run, into: &signals)
        case .background where run.owesExpiry:
            run.owesExpiry = false
            send(.expireTasks, to: &run, into: &signals)
        case .background:
            break
        }
    }

    /// `willTerminate`, for an active app by way of `willResignActive` (R-12, T18, T20).
    private mutating func advanceToEnd(_ run: inout Run, into signals: inout [Signal]) {
        if run.awaitsActivation {
            run.awaitsActivation = false
            signals.append(.activationReleased)
        }
        switch run.phase {
        case .active: send(.willResignActive, to: &run, into: &signals)
        case .starting, .rising, .falling, .background: send(.willTerminate, to: &run, into: &signals)
        }
    }

    private func wantActivation(_ run: inout Run, into signals: inout [Signal]) {
        guard !run.awaitsActivation else { return }
        run.awaitsActivation = true
        signals.append(.activationWanted)
    }

    func send(_ callback: Callback, to run: inout Run, into signals: inout [Signal]) {
        let id = run.nextCallback
        run.nextCallback = id.next
        run.pending = PendingCallback(id: id, callback: callback)
        // An adopted app's callbacks are answered before the signals are routed: what holds it is said at its rest.
        if !run.isAdopted || run.phase == .starting { signals.append(.lifeCycleHoldsChanged) }
        signals.append(.callbackDue(id, callback))
    }

    /// The callback under way has returned: the phase it leads to.
    mutating func callbackReturned(_ run: inout Run, into signals: inout [Signal]) {
        guard let pending = run.pending else { return }
        run.pending = nil
        signals.append(.callbackReturned(pending.callback))
        switch pending.callback {
        case .launch(.user): run.phase = .rising
        case .launch: run.phase = .background
        case .willEnterForeground: run.phase = .rising
        case .didBecomeActive: run.phase = .active
        case .willResignActive:
            run.phase = .falling
            run.isPassing = false
            signals.append(.activationReleased)
        case .didEnterBackground: run.phase = .background
        case .expireTasks, .willTerminate: break
        }
    }

    /// Nobody answers for an adopted app: every callback counts as answered, `willTerminate` as SIGTERM.
    mutating func answerForAdopted(into signals: inout [Signal]) {
        guard case .running(var run) = state, let pending = run.pending else { return }
        switch pending.callback {
        case .willTerminate:
            // What was asked to freeze is thawed first: a signal waits for a process that stands still.
            signals.append(.lifeCycleHoldsChanged)
            signals.append(.exitRequested)
            exitExpected(into: &signals)
        case .launch, .didBecomeActive, .willResignActive, .didEnterBackground, .willEnterForeground, .expireTasks:
            callbackReturned(&run, into: &signals)
            state = .running(run)
            advance(into: &signals)
        }
    }
}
