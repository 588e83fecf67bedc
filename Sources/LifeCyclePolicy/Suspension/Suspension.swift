import LifeCycleModel

/// Whether an app's processes stand still. It follows the assertion table and nothing else (T04, T12, R-46).
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
        /// It is to run, and the kernel did not obey: it is asked again then.
        case thawing(againAt: Nanoseconds)
        /// The kernel is asked; `until` is when it has to have obeyed.
        case freezing(until: Nanoseconds)
        /// `footprint` in bytes ranks the app when memory is short (T15).
        case frozen(footprint: Int64)
    }

    private(set) var state = State.held
    /// Counts the requests to freeze of this launch: an answer to an earlier one means nothing.
    private(set) var attempt: Int32 = 0

    var isFrozen: Bool {
        switch state {
        case .frozen: true
        case .held, .thawing, .freezing: false
        }
    }

    /// Whether an event for the app finds it suspended, or so nearly that it has nothing under way.
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

    /// A kill reaches frozen processes without a thaw; all that ends is the wait for the kernel. SIGTERM does not.
    mutating func launchEnding(awaitsExit: Bool) {
        switch state {
        case .freezing: state = .held
        case .thawing: if !awaitsExit { state = .held }
        case .held, .frozen: break
        }
    }

    /// Its processes are gone.
    mutating func launchEnded() { self = Suspension() }

    /// How the launch was found after the system's restart.
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

    /// How much memory it holds; of one that runs again meanwhile that says nothing.
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

    /// Another process has thawed it. Nothing holds it, so it is frozen again.
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

    /// The kernel's answer may be waiting to be read.
    mutating func loopStoodStill(policy: Policy, at now: Nanoseconds) {
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

    /// Whether a thaw that failed is to be tried again now. It counts as tried.
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
