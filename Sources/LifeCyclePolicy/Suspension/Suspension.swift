import LifeCycleModel

/// Whether an app's processes are frozen. Only the assertion table decides that (T04, T12, R-46).
///
/// ```
///   held ──lastReleased──▶ freezing ──froze──▶ frozen
///    ▲                      │    ▲               │ │
///    │                      │    └──thawed by another process
///    ├──────firstAsserted───┴────────────────────┘
///    └─time passed─ thawing ◀─thawFailed─ held
/// ```
struct Suspension: Hashable, Sendable, Codable {
    enum State: Hashable, Sendable, Codable {
        case held
        /// The app is to run, and the kernel did not thaw it. The thaw is retried at this time.
        case thawing(againAt: Nanoseconds)
        /// The kernel is asked to freeze the app; `until` is the deadline.
        case freezing(until: Nanoseconds)
        /// The app is frozen. `footprint`, in bytes, ranks it when memory is short (T15).
        case frozen(footprint: Int64)
    }

    private(set) var state = State.held
    /// The number of freeze requests in this launch. An answer to an earlier request is ignored.
    private(set) var attempt: Int32 = 0

    var isFrozen: Bool {
        switch state {
        case .frozen: true
        case .held, .thawing, .freezing: false
        }
    }

    /// Whether the app is suspended, or is being suspended and so has nothing under way.
    var isSuspendedOrAboutToBe: Bool {
        switch state {
        case .frozen, .freezing: true
        case .held, .thawing: false
        }
    }

    @inline(__always) func nextDeadline(of launch: LaunchID) -> Deadline? {
        switch state {
        case .freezing(let until): Deadline(at: until, reason: .freeze(launch))
        case .thawing(let againAt): Deadline(at: againAt, reason: .thaw(launch))
        case .held, .frozen: nil
        }
    }

    mutating func launchBegan() { self = Suspension() }

    /// A kill reaches frozen processes without a thaw, so only the wait for the kernel ends. SIGTERM needs a thaw.
    mutating func launchEnding(awaitsExit: Bool) {
        switch state {
        case .freezing: state = .held
        case .thawing: if !awaitsExit { state = .held }
        case .held, .frozen: break
        }
    }

    /// The launch's processes are gone.
    mutating func launchEnded() { self = Suspension() }

    /// The launch was found after a restart of the system.
    mutating func found(isFrozen: Bool) { state = isFrozen ? .frozen(footprint: 0) : .held }

    mutating func firstAsserted(_ assertion: Assertion, launch: LaunchID, into effects: inout [Effect]) {
        switch state {
        case .held, .thawing:
            break
        case .freezing, .frozen:
            effects.append(.launch(launch, .thaw))
            effects.append(.decided(.launch(launch, .resumed(because: assertion))))
            state = .held
        }
    }

    mutating func lastReleased(
        _ last: Assertion, launch: LaunchID, policy: Policy, at now: Nanoseconds, into effects: inout [Effect]
    ) {
        switch state {
        case .freezing, .frozen:
            break
        case .held, .thawing:
            attempt += 1
            state = .freezing(until: now + policy.freeze)
            effects.append(.decided(.launch(launch, .suspending(last: last))))
            effects.append(.launch(launch, .freeze(attempt: attempt)))
        }
    }

    mutating func froze(
        attempt: Int32, footprint: Int64, launch: LaunchID, into signals: inout [Signal], effects: inout [Effect]
    ) {
        switch state {
        case .freezing where attempt == self.attempt:
            state = .frozen(footprint: max(0, footprint))
            signals.append(.suspended)
        case .held, .thawing, .freezing, .frozen:
            effects.append(.decided(.launch(launch, .ignoredLate)))
        }
    }

    /// The app's memory was measured. The result is ignored if the app runs again.
    mutating func measured(_ footprint: Int64) {
        switch state {
        case .frozen: state = .frozen(footprint: max(0, footprint))
        case .held, .thawing, .freezing: break
        }
    }

    mutating func freezeFailed(
        attempt: Int32, launch: LaunchID, into signals: inout [Signal], effects: inout [Effect]
    ) {
        switch state {
        case .freezing where attempt == self.attempt:
            state = .held
            signals.append(.killDue(.notFreezable))
        case .held, .thawing, .freezing, .frozen:
            effects.append(.decided(.launch(launch, .ignoredLate)))
        }
    }

    /// Another process has thawed the app. No assertion exists, so it is frozen again.
    mutating func thawedFromOutside(
        launch: LaunchID, policy: Policy, at now: Nanoseconds, into effects: inout [Effect]
    ) {
        switch state {
        case .frozen:
            attempt += 1
            state = .freezing(until: now + policy.freeze)
            effects.append(.decided(.launch(launch, .thawedFromOutside)))
            effects.append(.launch(launch, .freeze(attempt: attempt)))
        case .held, .thawing, .freezing:
            effects.append(.decided(.launch(launch, .ignoredLate)))
        }
    }

    mutating func thawFailed(
        errno: Int32, launch: LaunchID, policy: Policy, at now: Nanoseconds, into effects: inout [Effect]
    ) {
        switch state {
        case .held:
            state = .thawing(againAt: now + policy.thawRetry)
            effects.append(.decided(.launch(launch, .thawFailed(errno: errno))))
        case .thawing, .freezing, .frozen:
            effects.append(.decided(.launch(launch, .ignoredLate)))
        }
    }

    /// The event loop stalled: the kernel's answer may be waiting to be read.
    mutating func loopStalled(policy: Policy, at now: Nanoseconds) {
        switch state {
        case .freezing: state = .freezing(until: now + policy.freeze)
        case .held, .thawing, .frozen: break
        }
    }

    mutating func timePassed(
        of launch: LaunchID, at now: Nanoseconds, into signals: inout [Signal], effects: inout [Effect]
    ) {
        switch state {
        case .freezing(let until) where until <= now:
            state = .held
            signals.append(.killDue(.notFreezable))
        case .held, .thawing, .freezing, .frozen:
            break
        }
    }

    /// Whether a failed thaw is to be retried now. If so, it counts as retried.
    mutating func thawIsDue(at now: Nanoseconds) -> Bool {
        switch state {
        case .thawing(let againAt) where againAt <= now:
            state = .held
            return true
        case .held, .thawing, .freezing, .frozen:
            return false
        }
    }
}
