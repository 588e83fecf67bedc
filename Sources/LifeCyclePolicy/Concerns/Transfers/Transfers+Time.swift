import LifeCycleModel

/// The effects of time and of device changes on tasks.
extension Transfers {
    /// The start after a restart of the system: tasks that were under way begin again, and completed files are moved.
    mutating func start(into actions: inout Actions<Transfers>) {
        guard !isStarted else { return }
        isStarted = true
        mayBegin = true
        if gatesSince == .zero { gatesSince = wallNow }
        for id in sessions.keys {
            attend(id)
            for (_, transfer) in sessions[id]?.transfers ?? SortedMap() where transfer.state == .moving {
                actions.perform(.move(transfer.record.id))
            }
        }
    }

    mutating func timePassed(into actions: inout Actions<Transfers>) {
        while let timer = wallTimers.first?.key, timer.at <= wallNow { wallPassed(timer.id, into: &actions) }
        if let at = yieldAt, at <= steadyNow {
            yieldAt = nil
            mayBegin = true
        }
        while let timer = limitTimers.first?.key, timer.at <= steadyNow { limitPassed(timer.id, into: &actions) }
        while let timer = steadyTimers.first?.key, timer.at <= steadyNow { steadyPassed(timer, into: &actions) }
    }

    private mutating func wallPassed(_ id: TransferID, into actions: inout Actions<Transfers>) {
        if let begin = self[id]?.record.earliestBegin, begin <= wallNow { early(id, into: &actions) }
    }

    private mutating func limitPassed(_ id: TransferID, into actions: inout Actions<Transfers>) {
        guard let transfer = self[id], let session = sessions[id.session]?.record else { return }
        if transfer.isKept { return forgetPartial(id, into: &actions) }
        if case .failed(let failure) = transfer.record.outcome {
            return forgetPendingPartial(id, failure, into: &actions)
        }
        if transfer.record.made + session.configuration.resourceTimeout <= steadyNow {
            if transfer.state == .moving { return giveUpMove(id, into: &actions) }
            let isForRoom = if case .room = transfer.hold { true } else { false }
            return fail(id, isForRoom ? .noRoom : .tookTooLong, keepsPartial: true, into: &actions)
        }
        change(id) { $0.isRelaxed = true }
    }

    private mutating func giveUpMove(_ id: TransferID, into actions: inout Actions<Transfers>) {
        let failure = TransferFailure(
            code: -3003, reason: "its file could not be moved into the app's container in time",
            cancelledReason: .insufficientResources)
        actions.explain(.failed(id, failure))
        change(id) { transfer in
            transfer.state = .resting
            transfer.hold = nil
            transfer.record.outcome = .failed(failure)
        }
        store(id, into: &actions)
        attend(id.session)
    }

    /// The earliest begin date has come. If the app can receive messages, it is asked whether the task may begin
    ///
    private mutating func early(_ id: TransferID, into actions: inout Actions<Transfers>) {
        let isAsked = canSendNews(id.session) && self[id]?.record.isSuspended == false
        let now = steadyNow
        let until = now + limits.delayedTaskAnswer
        // After a restart of the system this runs late, so the date itself says when the time limit began.
        let came = self[id]?.record.earliestBegin.map { now - max(.zero, wallNow - $0) } ?? now
        change(id) { transfer in
            transfer.isEarly = false
            transfer.record.made = max(transfer.record.made, came)
            if isAsked { transfer.hold = .answer(until: until) }
        }
        store(id, into: &actions)
        if isAsked { send(.willBegin(id.number), of: id.session, into: &actions) }
    }

    private mutating func steadyPassed(_ timer: Timer, into actions: inout Actions<Transfers>) {
        let id = timer.id
        if id.number == 0 {
            steadyTimers.remove(timer)
            sessions.update(id.session) { $0.wakeAt = nil }
            return attend(id.session)
        }
        let isMoving = self[id]?.state == .moving
        change(id) { $0.hold = nil }
        // The wait ended at its time, even if the system handles the timer late.
        let late = steadyNow - timer.at
        sessions.update(id.session) { $0.transfers.update(id.number) { $0.since = $0.since - late } }
        if isMoving { actions.perform(.move(id)) }
    }

    /// The time before the next wake for a session changed.
    mutating func rearrangeWake(_ id: TransferSessionID, from old: Nanoseconds?) {
        let timer = TransferID(session: id, number: 0)
        if let old { steadyTimers.remove(Timer(at: old, id: timer)) }
        if let at = sessions[id]?.wakeAt { steadyTimers.insert(Timer(at: at, id: timer)) }
    }

    // MARK: The device

    /// The device's conditions for transfers may have changed.
    mutating func changed(to new: TransferGates, into actions: inout Actions<Transfers>) {
        guard new != gates else { return }
        let hadNetwork = gates.refusal(of: .network) == nil
        gatesBefore = gatesBefore ?? gates
        gates = new
        gatesSince = wallNow
        clockKept = nil
        mayBegin = true
        for id in active { stopIfClosed(id, into: &actions) }
        if !hadNetwork, new.refusal(of: .network) == nil { retryNow(into: &actions) }
    }

    /// Stops an attempt that the present conditions forbid.
    mutating func stopIfClosed(_ id: TransferID, into actions: inout Actions<Transfers>) {
        guard let transfer = self[id], case .active = transfer.state, let wait = closed(to: transfer) else { return }
        stop(id, because: wait, into: &actions)
    }

    /// The device condition that a transfer waits for; nil if it may run.
    func closed(to transfer: Transfer) -> TransferWait? {
        if let wait = gates.refusal(of: transfer.isLocal ? .nothing : .network) { return wait }
        guard !transfer.isForced, let terms = sessions[transfer.record.id.session]?.terms else { return nil }
        return gates.refusal(of: transfer.need(by: terms))
    }

    /// The reasons not to wake an app for its sessions may be gone.
    mutating func attendPendingEvents() {
        for id in sessions.keys where sessions[id]?.record.areEventsPending == true { attend(id) }
    }

    /// The handlers of sessions whose apps may have been called before a restart of the system.
    var assertions: [(app: AppID, assertion: Assertion)] { [] }
    var openHandlers: [OpenHandler] {
        sessions.compactMap { id, session in
            guard session.record.areEventsPending, session.isDone else { return nil }
            return OpenHandler(app: id.app, handler: .session(session.record.identifier))
        }
    }

    /// The network is back: failed attempts are retried at once, unless the server asked for a delay.
    private mutating func retryNow(into actions: inout Actions<Transfers>) {
        for timer in steadyTimers.keys {
            guard let transfer = self[timer.id], transfer.state == .resting,
                case .retry(_, isAsked: false) = transfer.hold
            else { continue }
            change(timer.id) { $0.hold = nil }
            store(timer.id, into: &actions)
        }
    }

    /// Fails the tasks that were begun in the background by apps for which Background App Refresh is off. Their
    /// partial files are kept, as for any failure.
    mutating func refreshMayDiffer(on device: DeviceState, into actions: inout Actions<Transfers>) {
        for app in clients.keys where !device.allowsRefresh(app) {
            for id in sessions(of: app) where sessions[id].map({ $0.fromBackground > 0 }) ?? false {
                for task in tasksUnderWay(of: id) where self[task]?.record.isFromBackground == true {
                    fail(task, .refreshIsOff, keepsPartial: true, into: &actions)
                }
            }
        }
    }

    /// The user opened the app. Its tasks that were begun in the background are no longer discretionary. Tasks
    /// that wait only for the resumption delay continue.
    mutating func opened(_ app: AppID, into actions: inout Actions<Transfers>) {
        clients.update(app) { $0.delay.opened() }
        for id in sessions(of: app) where sessions[id]?.record.wakes != nil {
            sessions.update(id) { $0.record.wakes = nil }
            if let record = sessions[id]?.record { actions.persist(.session(record)) }
        }
        for id in sessions(of: app) where sessions[id].map({ $0.fromBackground > 0 }) ?? false {
            for task in tasksUnderWay(of: id) where self[task]?.record.isFromBackground == true {
                change(task) { transfer in
                    transfer.record.isFromBackground = false
                    if case .delay = transfer.hold { transfer.hold = nil }
                }
                store(task, into: &actions)
            }
        }
    }

    /// The user force-quit the app: all its tasks under way are canceled, and the cancellation does not wake the app
    /// . The partial files are kept. When the user opens the app, it finds resume data with the reason.
    mutating func forceQuit(_ app: AppID, into actions: inout Actions<Transfers>) {
        for id in sessions(of: app) {
            for task in tasksUnderWay(of: id) { fail(task, .forceQuit, keepsPartial: true, into: &actions) }
            sessions.update(id) { session in
                session.record.lastWokenPlace = session.lastPlace
                session.record.areEventsPending = false
                session.refusal = nil
                session.eventsCall = .none
            }
            if let record = sessions[id]?.record { actions.persist(.session(record)) }
        }
    }

    /// The app was removed, with all its tasks.
    mutating func removed(_ app: AppID, into actions: inout Actions<Transfers>) {
        for id in sessions(of: app) {
            for number in sessions[id]?.transfers.keys ?? [] {
                let task = TransferID(session: id, number: number)
                stop(task, into: &actions)
                remove(task, into: &actions)
            }
            if let at = sessions[id]?.wakeAt {
                steadyTimers.remove(Timer(at: at, id: TransferID(session: id, number: 0)))
            }
            sessions.remove(id)
            attention.sortedRemove(id)
            actions.persist(.sessionRemoved(id))
        }
        clients.remove(app)
    }

    /// The system shuts down: attempts under way are stopped, and can resume later.
    mutating func shutDown(into actions: inout Actions<Transfers>) {
        for id in active { stop(id, into: &actions) }
    }

    // MARK: The apps

    mutating func statusChanged(_ app: AppID, on device: DeviceState, into actions: inout Actions<Transfers>) {
        guard let client = clients[app], let status = device.status(of: app), client.status != status else {
            return
        }
        let old = client.status
        clients.update(app) { $0.status = status }
        let isOver = old.launch != nil && status.launch != old.launch
        guard
            isOver || status.isReachable != old.isReachable || status.isAtRest != old.isAtRest
                || status.isForceQuit != old.isForceQuit
        else { return }
        for id in sessions(of: app) {
            if isOver { launchEnded(id, into: &actions) }
            attend(id)
        }
    }

    private mutating func launchEnded(_ id: TransferSessionID, into actions: inout Actions<Transfers>) {
        let isFinishSaid = sessions[id]?.isFinishSaid == true
        sessions.update(id) { session in
            session.forgetSent()
            session.openIn = nil
            session.isOpenedPending = false
            session.pendingLists = []
            session.refused = SortedMap()
            session.isFinishSaid = false
            session.eventsCall = .none
        }
        // The app was sent everything. It is not woken again only because it did not call the handler.
        if isFinishSaid { eventsReported(id, into: &actions) }
        forgetIfIdle(id, onlyGone: false, into: &actions)
    }
}
