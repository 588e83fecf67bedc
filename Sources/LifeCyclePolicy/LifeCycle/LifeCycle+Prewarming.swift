import LifeCycleModel

/// Prewarming: a process is started before its app is launched. It runs up to `UIApplicationMain` and waits there (T28,
///
extension LifeCycle {
    /// Whether the app has a process that it was never launched in.
    var isPrewarmed: Bool {
        switch state {
        case .running(let run): run.prewarming != .none
        case .ending(let ending): ending.wasPrewarmed
        case .notRunning, .recovering: false
        }
    }

    /// Starts a process. The caller makes sure that the app has no process.
    mutating func prewarm(_ run: Run, into signals: inout [Signal]) {
        var run = run
        run.prewarming = .starting
        state = .running(Boxed(wrappedValue: run))
        signals.append(.launchBegan(run.launch, run.reason))
        signals.append(.lifeCycleHoldsChanged)
        // The time limit is that of a launch.
        signals.append(.callbackDue(.none, .launch(run.reason)))
    }

    /// The process has connected, and waits.
    mutating func prewarmed(into signals: inout [Signal]) {
        guard case .running(let run) = state, run.prewarming == .starting else { return }
        changeRun { $0.prewarming = .waiting }
        signals.append(.callbackReturned(.launch(run.reason)))
        signals.append(.lifeCycleHoldsChanged)
    }

    /// Launches the app. Returns whether it has connected already, so that the callback can be sent at once.
    mutating func launchPrewarmed(
        for reason: LaunchReason, isEnterBackgroundPending: Bool, isSlicePending: Bool, into signals: inout [Signal]
    ) -> Bool {
        guard case .running(let run) = state, run.prewarming != .none else { return false }
        let isConnected = run.prewarming == .waiting
        if reason != .user { signals.append(.enteredBackground) }
        changeRun { run in
            run.prewarming = .none
            run.reason = reason
            run.wantsFront = reason == .user
            run.isEnterBackgroundPending = isEnterBackgroundPending
            run.isSlicePending = isSlicePending
            Self.send(.launch(reason), to: &run, into: &signals)
        }
        return isConnected
    }
}
