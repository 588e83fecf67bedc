import LifeCycleModel

/// The time limits of an app's callbacks and its exit.
///
/// ```
///   idle ──callbackSent──▶ running ──callbackReturned──▶ idle
///    ▲                        │ time is up: killDue
///    └────── exited ───── exiting
/// ```
struct Watchdog: Hashable, Sendable, Codable {
    enum State: Hashable, Sendable, Codable {
        /// `left` is the time that `willEnterForeground` did not use. `didBecomeActive` has only that time, because
        /// both callbacks share a limit.
        case idle(left: Nanoseconds?)
        case running(Callback, length: Nanoseconds, until: Nanoseconds, remarkAt: Nanoseconds?)
        /// `willTerminate` has returned: the process has the rest of its time to exit. An adopted app has its own
        /// limit, from its SIGTERM on.
        case exiting(length: Nanoseconds, until: Nanoseconds, isAdopted: Bool)
    }

    private(set) var state = State.idle(left: nil)

    @inline(__always) func nextDeadline(of launch: LaunchID) -> Deadline? {
        switch state {
        case .idle:
            nil
        case .running(let callback, _, let until, let remarkAt):
            if let remarkAt {
                Deadline(at: remarkAt, reason: .slowLaunch(launch))
            } else {
                Deadline(at: until, reason: .callback(launch, callback))
            }
        case .exiting(_, let until, _):
            Deadline(at: until, reason: .exit(launch))
        }
    }

    mutating func launchBegan() { state = .idle(left: nil) }

    mutating func callbackSent(_ callback: Callback, policy: Policy, at now: Nanoseconds) {
        let length: Nanoseconds
        var remarkAt: Nanoseconds?
        switch callback {
        case .launch:
            length = policy.launch
            if policy.launchWarning < policy.launch { remarkAt = now + policy.launchWarning }
        case .willResignActive: length = policy.resignActive
        case .didEnterBackground: length = policy.enterBackground
        case .willEnterForeground: length = policy.enterForeground
        case .didBecomeActive:
            if case .idle(let left?) = state { length = left } else { length = policy.otherCallback }
        case .expireTasks: length = policy.expirationHandlers
        case .deviceChanged, .memoryWarning, .disconnectScene, .discardScenes, .concern:
            length = policy.otherCallback
        case .willTerminate: length = policy.terminate
        }
        state = .running(callback, length: length, until: now + length, remarkAt: remarkAt)
    }

    /// Updates the facts in a callback that is sent again.
    mutating func deviceFactsSent(_ facts: DeviceFacts) {
        guard case .running(.deviceChanged, let length, let until, let remarkAt) = state else { return }
        state = .running(.deviceChanged(facts), length: length, until: until, remarkAt: remarkAt)
    }

    mutating func callbackReturned(at now: Nanoseconds) {
        let left: Nanoseconds?
        switch state {
        case .running(.willEnterForeground, _, let until, _): left = max(.milliseconds(1), until - now)
        case .running, .idle, .exiting: left = nil
        }
        state = .idle(left: left)
    }

    /// Only the exit of the launch is left. The exit has the rest of the limit of `willTerminate`. A launch that is
    /// being killed is not watched.
    mutating func launchEnding(awaitsExit: Bool, isAdopted: Bool, policy: Policy, at now: Nanoseconds) {
        switch state {
        case .running(.willTerminate, let length, let until, _) where awaitsExit:
            state = .exiting(length: length, until: until, isAdopted: isAdopted)
        case .running, .idle, .exiting:
            let length = isAdopted ? policy.adoptedExit : policy.terminate
            state =
                awaitsExit ? .exiting(length: length, until: now + length, isAdopted: isAdopted) : .idle(left: nil)
        }
    }

    /// The event loop stalled, so no app is to blame: open limits get their full length again.
    mutating func loopStalled(at now: Nanoseconds) {
        switch state {
        case .idle: break
        case .running(let callback, let length, _, _):
            state = .running(callback, length: length, until: now + length, remarkAt: nil)
        case .exiting(let length, _, let isAdopted):
            state = .exiting(length: length, until: now + length, isAdopted: isAdopted)
        }
    }

    mutating func timePassed(
        of launch: LaunchID, at now: Nanoseconds, into signals: inout [Signal], effects: inout [Effect]
    ) {
        switch state {
        case .running(let callback, _, let until, _) where until <= now:
            state = .idle(left: nil)
            signals.append(.killDue(.watchdog(callback)))
        case .running(let callback, let length, let until, let remarkAt?) where remarkAt <= now:
            state = .running(callback, length: length, until: until, remarkAt: nil)
            effects.append(.decided(.launch(launch, .launchIsSlow)))
        case .exiting(_, let until, let isAdopted) where until <= now:
            state = .idle(left: nil)
            signals.append(.killDue(isAdopted ? .didNotExit : .watchdog(.willTerminate)))
        case .idle, .running, .exiting:
            break
        }
    }
}
