import LifeCycleModel

/// The times at which an app's container is measured: each time the app is suspended.
///
/// Walking through many files costs time and power, so there is a pause between two measurements. If a suspension falls
/// into the pause, the container is measured at its end. If the app runs again before that, its next suspension
/// measures the container.
///
/// ```
///   idle ──suspended, in the pause──▶ due ──resumed, launchEnding──▶ idle
///                                      └──timePassed: measured─────▶ idle
/// ```
struct ContainerCheck: Hashable, Sendable, Codable {
    /// The time of the last measurement. A new launch has the same container.
    private var last: Nanoseconds?
    /// The time of a postponed measurement; nil if there is none.
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

    /// The app runs. The next suspension measures the container.
    mutating func resumed() { due = nil }

    /// The launch ends: no app is left that could be ended for its container.
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
