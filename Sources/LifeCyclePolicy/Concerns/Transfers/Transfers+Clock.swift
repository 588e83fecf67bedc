import LifeCycleModel

extension Transfers {
    /// The steady clock is persisted at least this often. If the device loses power, it loses at most this much of the
    /// steady clock, unless the wall clock continues.
    private static let longestUnkept = Nanoseconds.seconds(3600)

    /// Persists the steady clock with each session, if that is due.
    mutating func keepClock(into actions: inout Actions<Transfers>) {
        guard clockKept.map({ steadyNow - $0 >= Self.longestUnkept }) ?? true else { return }
        clockKept = steadyNow
        for id in sessions.keys {
            sessions.update(id) { session in
                session.record.clock = clock
                session.record.gatesSince = gatesSince
            }
            if let record = sessions[id]?.record { actions.persist(.session(record)) }
        }
    }
}
