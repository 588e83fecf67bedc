import LifeCycleModel

extension Transfers {
    /// Persists the steady clock with each session, if that is due.
    mutating func keepClock(into actions: inout Actions<Transfers>) {
        guard clockKept.map({ steadyNow - $0 >= limits.clockPersistence }) ?? true else { return }
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
