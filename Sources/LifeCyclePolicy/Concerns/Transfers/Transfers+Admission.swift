import LifeCycleModel

/// The end of an event: transfers to begin, apps to wake, and news to send.
extension Transfers {
    /// Begins the transfers that may begin.
    ///
    /// The foreground app comes first, until it has half of all transfers. Then come the app and the session with the
    /// fewest transfers under way, and in a session the highest priority.
    mutating func admit(policy: Policy, foregroundApp: AppID?, into actions: inout Actions<Transfers>) {
        guard isStarted, !isShutDown else { return }
        mayBegin = false
        beginForced(policy: policy, into: &actions)
        let needs = gates.open
        while Int64(active.count) < policy.transfersAtOnce,
            let next = next(of: needs, foregroundApp: foregroundApp, policy: policy)
        {
            begin(next, into: &actions)
        }
        makeWay(of: needs, foregroundApp: foregroundApp, policy: policy, into: &actions)
        mayBegin = false
    }

    /// Begins the transfers that the user wants at once, before all others. They wait only for the end of an attempt
    /// and for a network. At twice the usual number of transfers under way, they also wait for their turn.
    private mutating func beginForced(policy: Policy, into actions: inout Actions<Transfers>) {
        guard !forced.isEmpty, gates.refusal(of: .nothing) == nil else { return }
        var due: [TransferID] = []
        for (id, _) in forced {
            guard Int64((active.count + due.count) / 2) < policy.transfersAtOnce else { break }
            if let transfer = self[id], closed(to: transfer) == nil { due.append(id) }
        }
        for id in due { begin(id, into: &actions) }
    }

    /// Whether the app has to be woken for a session: all tasks have ended, and the app is suspended or not running
    ///
    mutating func isWakeDue(_ id: TransferSessionID, into actions: inout Actions<Transfers>) -> Bool {
        guard let session = sessions[id], let status = clients[id.app]?.status, status.isAtRest, session.isDone
        else { return false }
        if session.lastPlace > session.lastWokenPlace, !status.isForceQuit {
            sessions.update(id) { session in
                session.record.lastWokenPlace = session.lastPlace
                session.record.areEventsPending = true
                // This launch may have received `didFinishEvents` for an earlier end of all tasks.
                session.isFinishSaid = false
            }
            actions.explain(.sessionDone(id))
            if let record = sessions[id]?.record {
                actions.persist(.session(record))
            }
        }
        guard let session = sessions[id] else { return false }
        return session.record.areEventsPending && session.record.configuration.sendsLaunchEvents
            && session.wakeAt == nil
            && session.eventsCall != .waking && !isShutDown
    }

    /// The app was not woken. Returns whether the reason is new.
    mutating func wakeRefused(_ id: TransferSessionID, _ refusal: WakeRefusal) -> Bool {
        guard sessions[id]?.refusal != refusal else { return false }
        sessions.update(id) { $0.refusal = refusal }
        return true
    }

    /// The app is woken and will be called. If it does not finish, it is woken again later.
    mutating func woken(_ id: TransferSessionID, policy: Policy, into actions: inout Actions<Transfers>) {
        let old = sessions[id]?.wakeAt
        let now = steadyNow
        sessions.update(id) { session in
            session.eventsCall = .waking
            session.refusal = nil
            session.wakes = min(session.wakes + 1, 32)
            session.wakeAt = now + ResumptionDelay.length(afterWakes: session.wakes + 1, policy: policy)
        }
        clients.update(id.app) { $0.delay.woken(policy: policy, at: now) }
        let kept = clients[id.app]?.delay.kept
        sessions.update(id) { $0.record.wakes = kept }
        if let record = sessions[id]?.record { actions.persist(.session(record)) }
        rearrangeWake(id, from: old)
    }

    /// `handleEventsForBackgroundURLSession` was sent.
    mutating func callbackSent(_ app: AppID, _ identifier: SessionIdentifier) {
        guard let id = session(of: app, named: identifier) else { return }
        sessions.update(id) { $0.eventsCall = .sent }
        attend(id)
    }
}
