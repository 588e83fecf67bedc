import LifeCycleModel

/// The background sessions of which a launch was told that all is done, off the foreground: it has so long to take the
/// events and to call the completion handler of each.
///
/// ```
///   none ──callbackSent──▶ open ──handled, leftBackground──▶ none
///                            │ time is up: killDue
/// ```
struct SessionEvents: Hashable, Sendable, Codable {
    struct Entry: Hashable, Sendable, Codable {
        let session: SessionIdentifier
        var until: Nanoseconds
    }

    /// In the order they were told.
    private(set) var open: [Entry] = []

    func nextDeadline(of launch: LaunchID) -> Deadline? {
        open.map(\.until).min().map { Deadline(at: $0, reason: .sessionEvents(launch)) }
    }

    mutating func launchBegan() { self = SessionEvents() }
    mutating func launchEnding() { self = SessionEvents() }

    mutating func callbackSent(
        _ session: SessionIdentifier, policy: Policy, at now: Nanoseconds, into signals: inout [Signal]
    ) {
        open.removeAll { $0.session == session }
        open.append(Entry(session: session, until: now + policy.sessionEvents))
        signals.append(.asserted(.sessionEvents))
    }

    mutating func handled(_ session: SessionIdentifier, into signals: inout [Signal]) {
        let wasOpen = !open.isEmpty
        open.removeAll { $0.session == session }
        if wasOpen, open.isEmpty { signals.append(.released(.sessionEvents)) }
    }

    /// In the foreground nobody waits for it.
    mutating func leftBackground(into signals: inout [Signal]) {
        guard !open.isEmpty else { return }
        open = []
        signals.append(.released(.sessionEvents))
    }

    mutating func loopStoodStill(policy: Policy, at now: Nanoseconds) {
        for index in open.indices { open[index].until = now + policy.sessionEvents }
    }

    mutating func timePassed(at now: Nanoseconds, into signals: inout [Signal]) {
        guard open.contains(where: { $0.until <= now }) else { return }
        open = []
        signals.append(.killDue(.sessionEventsNotHandled))
    }
}
