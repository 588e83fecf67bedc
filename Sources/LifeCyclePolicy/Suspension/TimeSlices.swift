import LifeCycleModel

/// Slices of time that no callback ends. An event without a completion handler has a new slice each time.
/// An adopted app has a slice after it leaves the foreground.
struct TimeSlices: Hashable, Sendable, Codable {
    enum Kind: Hashable, Sendable, Codable { case wake, adopted }

    private var wakeUntil: Nanoseconds?
    private var adoptedUntil: Nanoseconds?

    @inline(__always) func nextDeadline(of launch: LaunchID) -> Deadline? {
        switch (wakeUntil, adoptedUntil) {
        case (nil, nil): nil
        case (let wake?, let adopted?) where adopted < wake: Deadline(at: adopted, reason: .adopted(launch))
        case (let wake?, _): Deadline(at: wake, reason: .wake(launch))
        case (nil, let adopted?): Deadline(at: adopted, reason: .adopted(launch))
        }
    }

    mutating func launchBegan() { self = TimeSlices() }
    mutating func launchEnding() { self = TimeSlices() }

    mutating func due(_ kind: Kind, policy: Policy, at now: Nanoseconds, into signals: inout [Signal]) {
        switch kind {
        case .wake:
            wakeUntil = now + policy.eventSlice
            signals.append(.asserted(.wake))
        case .adopted:
            adoptedUntil = now + policy.adoptedBackgroundTime
            signals.append(.asserted(.adopted))
        }
    }

    /// The app left the background: its slice ends, because the foreground needs no slice.
    mutating func leftBackground(into signals: inout [Signal]) {
        end(where: { _ in true }, into: &signals)
    }

    mutating func timePassed(at now: Nanoseconds, into signals: inout [Signal]) {
        end(where: { $0 <= now }, into: &signals)
    }

    private mutating func end(where isOver: (Nanoseconds) -> Bool, into signals: inout [Signal]) {
        if let until = wakeUntil, isOver(until) {
            wakeUntil = nil
            signals.append(.released(.wake))
        }
        if let until = adoptedUntil, isOver(until) {
            adoptedUntil = nil
            signals.append(.released(.adopted))
        }
    }
}
