import LifeCycleModel

/// When an app's container is measured: each time the app is suspended, but walking through many files costs time and
/// power, so that a pause lies between two measurements. One that falls into the pause is made up for at its end; if
/// the app runs again by then, the next suspension is early enough.
///
/// ```
///   idle ──suspended, in the pause──▶ due ──resumed, launchEnding──▶ idle
///                                      └──timePassed: measured─────▶ idle
/// ```
struct ContainerCheck: Hashable, Sendable, Codable {
    /// When the container was last asked after; a new launch finds the same container.
    private var last: Nanoseconds?
    /// When a measurement that was skipped is made up for.
    private var due: Nanoseconds?

    @inline(__always) func nextDeadline(of launch: LaunchID) -> Deadline? {
        due.map { Deadline(at: $0, reason: .containerCheck(launch)) }
    }

    mutating func suspended(
        _ launch: LaunchID, policy: Policy, at now: Nanoseconds, into effects: inout [Effect]
    ) {
        guard policy.containerSize != nil else { return }
        if let last, now - last < policy.containerPause {
            due = last + policy.containerPause
        } else {
            measure(launch, at: now, into: &effects)
        }
    }

    /// It runs: whatever it writes from here on, the next suspension has it measured.
    mutating func resumed() { due = nil }

    /// Nobody is left to pay for what is in the container.
    mutating func launchEnding() { due = nil }

    mutating func timePassed(_ launch: LaunchID, at now: Nanoseconds, into effects: inout [Effect]) {
        if let due, due <= now { measure(launch, at: now, into: &effects) }
    }

    private mutating func measure(_ launch: LaunchID, at now: Nanoseconds, into effects: inout [Effect]) {
        last = now
        due = nil
        effects.append(.launch(launch, .measureContainer))
    }
}
