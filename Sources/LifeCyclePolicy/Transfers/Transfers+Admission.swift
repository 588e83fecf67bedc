import LifeCycleModel

/// What is begun, whom there is to wake, and what is to be said: what the end of each event brings.
extension Transfers {
    /// Begins what may be begun: the front's before others' until it has half of all, then of the app and of the session
    /// that have the least under way, by priority.
    mutating func admit(policy: Policy, front: AppID?, into effects: inout [Effect]) {
        guard isStarted, !isShutDown else { return }
        mayBegin = false
        beginForced(policy: policy, into: &effects)
        let needs = gates.open
        while Int64(active.count) < policy.transfersAtOnce, let next = next(of: needs, front: front, policy: policy) {
            begin(next, into: &effects)
        }
        makeWay(of: needs, front: front, policy: policy, into: &effects)
        mayBegin = false
    }

    /// What the user wants at once waits only for the end of an attempt, for a network, and, where twice as many are under
    /// way as else may be, for its turn: before all others.
    private mutating func beginForced(policy: Policy, into effects: inout [Effect]) {
        guard !forced.isEmpty, gates.refusal(of: .nothing) == nil else { return }
        var due: [TransferID] = []
        for (id, _) in forced {
            guard Int64((active.count + due.count) / 2) < policy.transfersAtOnce else { break }
            if let transfer = self[id], closed(to: transfer) == nil { due.append(id) }
        }
        for id in due { begin(id, into: &effects) }
    }

    /// Whether the app is to be woken for a session: all of it is done, and the app would not hear of it.
    mutating func isWakeDue(_ id: TransferSessionID, into effects: inout [Effect]) -> Bool {
        guard let session = sessions[id], let standing = clients[id.app]?.standing, standing.isAtRest, session.isDone
        else { return false }
        if session.lastPlace > session.toldPlace, !standing.isForceQuit {
            sessions.update(id) { session in
                session.record.toldPlace = session.lastPlace
                session.record.owesEvents = true
                // For what was done before the app may have been told so, in this very launch.
                session.isFinishSaid = false
            }
            effects.append(.decided(.concern(.transfer(.sessionDone(id)))))
            if let record = sessions[id]?.record {
                effects.append(.store(.concern(.transfer(.session(record)))))
            }
        }
        guard let session = sessions[id] else { return false }
        return session.record.owesEvents && session.record.configuration.sendsLaunchEvents && session.wakeAt == nil
            && session.telling != .waking && !isShutDown
    }

    /// The app was not woken; gives whether that is news.
    mutating func wakeRefused(_ id: TransferSessionID, _ refusal: WakeRefusal) -> Bool {
        guard sessions[id]?.refusal != refusal else { return false }
        sessions.update(id) { $0.refusal = refusal }
        return true
    }

    /// The app is woken, and will be told. If it does not come to the end of it, it is woken again later.
    mutating func woken(_ id: TransferSessionID, policy: Policy, into effects: inout [Effect]) {
        let old = sessions[id]?.wakeAt
        let now = steadyNow
        sessions.update(id) { session in
            session.telling = .waking
            session.refusal = nil
            session.wakes = min(session.wakes + 1, 32)
            session.wakeAt = now + ResumptionDelay.length(afterWakes: session.wakes + 1, policy: policy)
        }
        clients.update(id.app) { $0.delay.woken(policy: policy, at: now) }
        let kept = clients[id.app]?.delay.kept
        sessions.update(id) { $0.record.wakes = kept }
        if let record = sessions[id]?.record { effects.append(.store(.concern(.transfer(.session(record))))) }
        rearrangeWake(id, from: old)
    }

    /// `handleEventsForBackgroundURLSession` was sent.
    mutating func callbackSent(_ app: AppID, _ identifier: SessionIdentifier) {
        guard let id = session(of: app, named: identifier) else { return }
        sessions.update(id) { $0.telling = .told }
        attend(id)
    }
}

extension Transfers {
    // MARK: To look at

    /// What the engine needs for the attempt under way; also for one that is to be stopped already: a body that does in
    /// one turn what several events have brought begins it, then stops it, and tells that it has.
    func order(of id: TransferID) -> TransferJob? {
        guard let session = sessions[id.session]?.record, let transfer = self[id], let attempt = transfer.attempt else {
            return nil
        }
        var request = transfer.record.request
        request.networks = request.networks.and(session.configuration.networks)
        let names = request.fields.map { $0.name.lowercased() }
        request.fields += session.configuration.fields.filter { !names.contains($0.name.lowercased()) }
        return TransferJob(
            id: id, attempt: attempt, request: request, checkpoint: transfer.record.checkpoint,
            resumes: donors(of: transfer.record),
            requestTimeout: request.timeout ?? session.configuration.requestTimeout, isSuspect: transfer.deaths > 0)
    }

    /// The tasks from whose resume data a task was made, the first of all first: one that never began leaves the bytes
    /// with the one before it, and nobody knows how far the engine was with that.
    func donors(of record: TransferRecord) -> [TransferID] {
        var donors: [TransferID] = []
        var next = record.resumes
        while let donor = next, donor != record.id, !donors.contains(donor),
            case .failed(let failure) = self[donor]?.record.outcome, failure.resumable != nil
        {
            donors.insert(donor, at: 0)
            next = self[donor]?.record.resumes
        }
        return donors
    }

    func snapshot(of transfer: Transfer, in session: TransferSession, isFull: Bool) -> TransferSnapshot {
        let state: TransferState =
            switch transfer.state {
            case .active: .running
            case .stopping: .waiting
            case .moving: .moving
            case .resting: transfer.isKept ? .kept : transfer.record.outcome == nil ? .waiting : .delivering
            }
        var wait = transfer.ownWait
        var since = transfer.since
        if state == .waiting, wait == nil {
            wait = closed(to: transfer)
            if wait != nil {
                since = max(since, gatesSince)
            } else {
                wait = isFull || !session.queue.isFull(transfer.host) ? .turn : .connection
            }
        }
        var until: Nanoseconds?
        if let hold = transfer.hold {
            until = wallNow + (hold.until - steadyNow)
        } else if wait == .earliestBegin {
            until = transfer.record.earliestBegin
        }
        return TransferSnapshot(
            record: transfer.record, session: session.record.identifier, state: state, wait: wait, since: since,
            until: until, attempt: transfer.attempt, received: transfer.received, expected: transfer.expected)
    }
}
