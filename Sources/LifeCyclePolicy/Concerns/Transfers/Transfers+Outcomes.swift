import LifeCycleModel

/// The end of tasks, and the news that apps receive of their outcomes.
extension Transfers {
    func nextPlace(of session: TransferSessionID) -> Int64 { (sessions[session]?.lastPlace ?? 0) + 1 }

    private mutating func end(_ id: TransferID, _ outcome: TransferOutcome) {
        let place = nextPlace(of: id.session)
        sessions.update(id.session) { $0.lastPlace = place }
        change(id) { transfer in
            transfer.record.outcome = outcome
            transfer.record.place = place
            transfer.hold = nil
            transfer.isEarly = false
            transfer.isForced = false
        }
        attend(id.session)
    }

    /// Fails a task. An attempt under way is stopped first; `keepsPartial` keeps the bytes that have arrived.
    mutating func fail(
        _ id: TransferID, _ failure: TransferFailure, keepsPartial: Bool = false, into actions: inout Actions<Transfers>
    ) {
        guard let transfer = self[id], transfer.record.outcome == nil else { return }
        var failure = failure
        if keepsPartial, let checkpoint = transfer.record.checkpoint, checkpoint.validator != nil {
            failure.resumable = checkpoint
        }
        actions.explain(.failed(id, failure))
        switch transfer.state {
        case .active: stop(id, keepsPartial: keepsPartial, into: &actions)
        case .stopping(let attempt, _): change(id) { $0.state = .stopping(attempt: attempt, partial: keepsPartial) }
        case .resting, .moving: break
        }
        end(id, .failed(failure))
        if keepsPartial {
            // The app may never acknowledge the failure.
            let until = steadyNow + limits.partialsKept
            change(id) { $0.record.keptUntil = until }
        }
        store(id, into: &actions)
    }

    /// The whole resource is on disk.
    mutating func downloaded(
        _ id: TransferID, _ response: TransferResponse, size: Int64, into actions: inout Actions<Transfers>
    ) {
        actions.explain(.completed(id, size: size))
        change(id) { transfer in
            transfer.state = .moving
            (transfer.received, transfer.expected) = (size, size)
            transfer.record.checkpoint = nil
        }
        // A server's header may be as long as a request.
        let isKept = hasRoom(for: response.weight, of: id.session.app)
        let kept = isKept ? response : TransferResponse(url: "", status: response.status, fields: [])
        end(id, .downloaded(kept, size: size, isMoved: false))
        store(id, into: &actions)
        actions.perform(.move(id))
    }

    /// The app's delegate calls have returned.
    mutating func acknowledge(_ id: TransferID, by actor: Actor, policy: Policy, into actions: inout Actions<Transfers>)
    {
        guard let transfer = self[id], transfer.isOutcomePending else {
            return ignore(.noSuchTask, of: actor, into: &actions)
        }
        actions.explain(.delivered(id))
        guard case .failed(let failure) = transfer.record.outcome, failure.resumable != nil else {
            return remove(id, into: &actions)
        }
        let until = steadyNow + limits.partialsKept
        change(id) { transfer in
            transfer.record.place = -1
            transfer.record.keptUntil = until
        }
        store(id, into: &actions)
        attend(id.session)
        keepFewPartials(of: id.session.app, policy: policy, into: &actions)
    }

    /// Removes the partial file that expires first, if the app has too many.
    private mutating func keepFewPartials(of app: AppID, policy: Policy, into actions: inout Actions<Transfers>) {
        let sessions = sessions(of: app).compactMap { self.sessions[$0] }
        guard sessions.reduce(0, { $0 + Int64($1.kept.count) }) > policy.partialsPerApp,
            let first = sessions.compactMap({ $0.kept.first?.key }).min()
        else { return }
        forgetPartial(first.id, into: &actions)
    }

    /// Discards the partial file of a failed task whose outcome is still pending.
    mutating func forgetPendingPartial(
        _ id: TransferID, _ failure: TransferFailure, into actions: inout Actions<Transfers>
    ) {
        var failure = failure
        failure.resumable = nil
        change(id) { transfer in
            transfer.record.outcome = .failed(failure)
            transfer.record.checkpoint = nil
            transfer.record.keptUntil = nil
        }
        store(id, into: &actions)
        actions.perform(.discard(id))
    }

    /// Discards the partial file of a delivered task. The session is also removed, if it is invalidated and empty.
    mutating func forgetPartial(_ id: TransferID, into actions: inout Actions<Transfers>) {
        remove(id, into: &actions)
        forgetIfIdle(id.session, onlyGone: true, into: &actions)
    }

    // MARK: Messages to apps

    func send(_ news: TransferNews, of id: TransferSessionID, into actions: inout Actions<Transfers>) {
        guard let launch = sessions[id]?.openIn, let status = clients[id.app]?.status, status.isReachable,
            status.launch == launch, let identifier = sessions[id]?.record.identifier
        else { return }
        actions.send((identifier, news), to: launch)
    }

    func canSendNews(_ id: TransferSessionID) -> Bool {
        guard let session = sessions[id], let launch = session.openIn, let client = clients[id.app] else {
            return false
        }
        return client.status.isReachable && client.status.launch == launch && session.eventsCall != .waking
    }

    /// Sends pending news to an app that can receive it. At most `window` outcomes are sent and not acknowledged.
    mutating func deliver(_ id: TransferSessionID, window: Int64, into actions: inout Actions<Transfers>) {
        guard canSendNews(id), let session = sessions[id] else { return }
        if session.isGone { return sayInvalidated(id, into: &actions) }
        if session.isOpenedPending {
            sessions.update(id) { $0.isOpenedPending = false }
            let highest = session.transfers.last?.key ?? 0
            send(.opened(id, lowestFree: highest + 1), of: id, into: &actions)
        }
        if !session.pendingLists.isEmpty {
            sessions.update(id) { $0.pendingLists = [] }
            for after in session.pendingLists { sendList(after: after, of: id, into: &actions) }
        }
        if !session.refused.isEmpty {
            sessions.update(id) { $0.refused = SortedMap() }
            for (number, failure) in session.refused { send(.failed(number, failure), of: id, into: &actions) }
        }
        sendOutcomes(of: id, window: window, into: &actions)
        guard let session = sessions[id] else { return }
        if session.record.areEventsPending, session.pendingOutcomes.isEmpty, !session.isFinishSaid {
            sessions.update(id) { $0.isFinishSaid = true }
            send(.eventsFinished, of: id, into: &actions)
            if session.eventsCall == .none { eventsReported(id, into: &actions) }
        }
        if session.record.isFinishing, session.isEmpty { invalidate(id, into: &actions) }
    }

    private mutating func sendOutcomes(of id: TransferSessionID, window: Int64, into actions: inout Actions<Transfers>)
    {
        guard let session = sessions[id], session.sentCount < session.pendingOutcomes.count else { return }
        var next = Int64.min
        while let sent = sessions[id]?.sentCount, sent < window,
            let (place, pending) = sessions[id]?.pendingOutcomes.first(from: next)
        {
            next = place + 1
            guard !pending.isSent, let record = session.transfers[pending.number]?.record, let outcome = record.outcome
            else {
                continue
            }
            sessions.update(id) { session in
                session.sentCount += 1
                session.pendingOutcomes.update(place) { $0.isSent = true }
            }
            switch outcome {
            case .downloaded(let response, let size, _):
                send(.downloaded(pending.number, file: record.file, response, size: size), of: id, into: &actions)
            case .failed(let failure): send(.failed(pending.number, failure), of: id, into: &actions)
            }
        }
    }

    private func sendList(after: Int64, of id: TransferSessionID, into actions: inout Actions<Transfers>) {
        var page: [TransferSummary] = []
        var next = after < .max ? after + 1 : .max
        while page.count < TransferNews.mostListed, let (number, transfer) = sessions[id]?.transfers.first(from: next) {
            next = number + 1
            if !transfer.isKept { page.append(transfer.summary) }
        }
        var isLast = true
        while isLast, let (number, transfer) = sessions[id]?.transfers.first(from: next) {
            next = number + 1
            isLast = transfer.isKept
        }
        send(.listed(page, isLast: isLast), of: id, into: &actions)
    }

    /// The app was notified that all tasks have ended, or will not be notified again.
    mutating func eventsReported(_ id: TransferSessionID, into actions: inout Actions<Transfers>) {
        guard let session = sessions[id], session.record.areEventsPending else { return }
        sessions.update(id) { session in
            session.record.areEventsPending = false
            session.refusal = nil
        }
        if let record = sessions[id]?.record { actions.persist(.session(record)) }
    }

    // MARK: The end of a session

    private mutating func invalidate(_ id: TransferSessionID, into actions: inout Actions<Transfers>) {
        // Only partial files are left. The app has resume data for them, which another session may use.
        sessions.update(id) { $0.isGone = true }
        sayInvalidated(id, into: &actions)
        forgetIfIdle(id, onlyGone: true, into: &actions)
    }

    private mutating func sayInvalidated(_ id: TransferSessionID, into actions: inout Actions<Transfers>) {
        actions.explain(.sessionInvalidated(id))
        send(.invalidated, of: id, into: &actions)
        sessions.update(id) { $0.openIn = nil }
    }

    /// Removes a session that has no tasks left. The session with the highest number stays, so that its number is not
    /// reused.
    mutating func forgetIfIdle(_ id: TransferSessionID, onlyGone: Bool, into actions: inout Actions<Transfers>) {
        guard let session = sessions[id], session.transfers.isEmpty, !session.record.areEventsPending,
            session.isGone || !onlyGone, session.isGone || session.openIn == nil,
            sessions(of: id.app).last != id
        else { return }
        sessions.remove(id)
        attention.sortedRemove(id)
        if let at = session.wakeAt { steadyTimers.remove(Timer(at: at, id: TransferID(session: id, number: 0))) }
        actions.persist(.sessionRemoved(id))
    }
}
