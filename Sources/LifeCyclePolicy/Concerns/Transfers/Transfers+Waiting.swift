import LifeCycleModel

/// Decisions about tasks that wait: one for each change of the condition that a task waits for.
extension Transfers {
    /// Explains each task that came to wait in this event. If the device's conditions changed, one decision covers all
    /// tasks of a session with the same need.
    mutating func explainWaits(into actions: inout Actions<Transfers>) {
        if let before = gatesBefore {
            gatesBefore = nil
            explainChanges(since: before, into: &actions)
        }
        guard !waiting.isEmpty else { return }
        let ids = waiting
        waiting = []
        for id in ids {
            guard let transfer = self[id], let session = sessions[id.session],
                let wait = transfer.isEarly ? transfer.ownWait : wait(of: transfer, in: session),
                wait != transfer.reportedWait
            else { continue }
            sessions.update(id.session) { $0.transfers.update(id.number) { $0.reportedWait = wait } }
            actions.explain(.waits(id, for: wait, others: 0))
        }
    }

    /// The condition that a queued task waits for; nil if the task is not queued.
    private func wait(of transfer: Transfer, in session: TransferSession) -> TransferWait? {
        guard transfer.places.queued != nil else { return nil }
        if let wait = closed(to: transfer) { return wait }
        return session.queue.isFull(transfer.host) ? .connection : .turn
    }

    private mutating func explainChanges(since before: TransferGates, into actions: inout Actions<Transfers>) {
        let needs = TransferNeed.allCases.compactMap { need -> (need: TransferNeed, wait: TransferWait)? in
            let (old, new) = (before.refusal(of: need), gates.refusal(of: need))
            // Tasks whose need is now met begin, or wait for their turn.
            return new == old ? nil : new.map { (need, $0) } ?? (need, .turn)
        }
        for id in sessions.keys {
            for (need, wait) in needs {
                guard let (first, count) = sessions[id]?.queue.waiting(for: need) else { continue }
                let task = TransferID(session: id, number: first)
                actions.explain(.waits(task, for: wait, others: count - 1))
                // Keeps this task from being explained twice in this event.
                sessions.update(id) { $0.transfers.update(first) { $0.reportedWait = wait } }
            }
        }
    }

    /// Stops the attempt under way; the task then waits for `wait`.
    mutating func stop(_ id: TransferID, because wait: TransferWait, into actions: inout Actions<Transfers>) {
        actions.explain(.stopped(id, because: wait))
        stop(id, into: &actions)
        sessions.update(id.session) { $0.transfers.update(id.number) { $0.reportedWait = wait } }
    }
}
