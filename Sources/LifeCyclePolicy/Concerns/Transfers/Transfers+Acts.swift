import LifeCycleModel

/// Requests of apps about their sessions and tasks.
extension Transfers {
    /// The app that makes a request.
    struct Actor: Hashable, Sendable {
        let launch: LaunchID
        let status: AppStatus
        /// Whether Background App Refresh lets the app's tasks run that were begun in the background.
        let allowsRefresh: Bool
    }

    mutating func act(
        _ act: TransferAct, on identifier: SessionIdentifier, by actor: Actor, policy: Policy,
        into actions: inout Actions<Transfers>
    ) {
        if case .open(let configuration) = act {
            return open(identifier, configuration, by: actor, policy: policy, into: &actions)
        }
        let app = actor.launch.app
        if case .handled = act {
            if let session = session(of: app, named: identifier) { handled(session, into: &actions) }
            return
        }
        guard let session = session(of: app, named: identifier), sessions[session]?.openIn == actor.launch else {
            return refuse(act, on: identifier, by: actor, into: &actions)
        }
        switch act {
        case .open, .handled: return
        case .make(let new): make(new, in: session, by: actor, policy: policy, into: &actions)
        case .list(let after):
            // One answer is enough for several requests for the same list.
            if sessions[session]?.pendingLists.contains(after) == true { return }
            let hasRoom = sessions[session].map { $0.pendingLists.count < 16 } ?? false
            guard hasRoom else { return ignore(.tooManyLists, of: actor, into: &actions) }
            sessions.update(session) { $0.pendingLists.append(after) }
            attend(session)
        case .acknowledge(let numbers):
            for number in numbers {
                acknowledge(
                    TransferID(session: session, number: number), by: actor, policy: policy, into: &actions)
            }
        case .finishTasksAndInvalidate: finish(session, by: actor, into: &actions)
        case .invalidateAndCancel:
            finish(session, by: actor, into: &actions)
            let failure = TransferFailure(code: -999, reason: "its session was invalidated and canceled")
            for id in tasksUnderWay(of: session) { fail(id, failure, into: &actions) }
        case .resume(let number), .suspend(let number), .cancel(let number, _), .setPriority(let number, _),
            .setText(let number, _), .setEarliestBegin(let number, _), .setExpectedToReceive(let number, _),
            .proceed(let number, _):
            let id = TransferID(session: session, number: number)
            // The app may not know yet that the task is over. Its request is then ignored.
            guard let transfer = self[id], transfer.record.outcome == nil else {
                return ignore(.noSuchTask, of: actor, into: &actions)
            }
            self.act(act, on: id, by: actor, policy: policy, into: &actions)
        }
    }

    /// The app has not opened the session, or has too many sessions. The app gets an answer, so that it does not wait.
    private func refuse(
        _ act: TransferAct, on identifier: SessionIdentifier, by actor: Actor, into actions: inout Actions<Transfers>
    ) {
        ignore(.sessionNotOpen, of: actor, into: &actions)
        guard actor.status.isReachable, actor.status.launch == actor.launch else { return }
        let news: TransferNews
        switch act {
        case .make(let new): news = .failed(new.number, .noSession)
        case .list: news = .listed([], isLast: true)
        case .finishTasksAndInvalidate, .invalidateAndCancel: news = .invalidated
        default: return
        }
        actions.send((identifier, news), to: actor.launch)
    }

    func ignore(_ refusal: TransferActRefusal, of actor: Actor, into actions: inout Actions<Transfers>) {
        actions.explain(.actIgnored(actor.launch, refusal))
    }

    // MARK: Sessions

    private mutating func open(
        _ identifier: SessionIdentifier, _ configuration: TransferSessionConfiguration, by actor: Actor,
        policy: Policy, into actions: inout Actions<Transfers>
    ) {
        let app = actor.launch.app
        if clients[app] == nil { clients.set(TransferClient(), for: app) }
        clients.update(app) { $0.status = actor.status }
        let all = sessions(of: app)
        if let id = session(of: app, named: identifier) {
            return reopen(id, configuration.checked(by: policy), by: actor, into: &actions)
        }
        guard Int64(all.count) < policy.sessionsPerApp, let number = (all.last?.number ?? 0).next else {
            return ignore(.tooManySessions, of: actor, into: &actions)
        }
        let id = TransferSessionID(app: app, number: number)
        var session = TransferSession(
            TransferSessionRecord(id: id, identifier: identifier, configuration: configuration.checked(by: policy)))
        session.record.clock = clock
        session.record.gatesSince = gatesSince
        if clockKept == nil, sessions.isEmpty { clockKept = steadyNow }
        session.openIn = actor.launch
        session.isOpenedPending = true
        actions.explain(.sessionOpened(id, isNew: true))
        actions.persist(.session(session.record))
        sessions.set(session, for: id)
        attend(id)
        // The new session's number is the highest now. Sessions that were stored only for their number can be removed.
        for old in all { forgetIfIdle(old, onlyGone: true, into: &actions) }
    }

    /// The app has connected again: it asks for its tasks from the beginning.
    mutating func reconnected(_ app: AppID) {
        for id in sessions(of: app) { sessions.update(id) { $0.pendingLists = [] } }
    }

    private mutating func reopen(
        _ id: TransferSessionID, _ configuration: TransferSessionConfiguration, by actor: Actor,
        into actions: inout Actions<Transfers>
    ) {
        guard let before = sessions[id] else { return }
        let isChanged = before.record.configuration != configuration
        sessions.update(id) { session in
            session.record.configuration = configuration
            // Another launch opens the session again: it is no longer finishing.
            if session.record.isFinishing, session.finishedBy != actor.launch {
                session.record.isFinishing = false
                session.finishedBy = nil
            }
            session.forgetSent()
            // A launch that opens the session twice still waits for the lists that it asked for.
            if session.openIn != actor.launch { session.pendingLists = [] }
            session.openIn = actor.launch
            session.isOpenedPending = true
            session.isFinishSaid = false
        }
        actions.explain(.sessionOpened(id, isNew: false))
        if let session = sessions[id], session.record != before.record {
            actions.persist(.session(session.record))
        }
        if isChanged { reconfigured(id, from: before.record.configuration, into: &actions) }
        attend(id)
    }

    /// The session's configuration changed: its tasks have other needs now.
    private mutating func reconfigured(
        _ id: TransferSessionID, from old: TransferSessionConfiguration, into actions: inout Actions<Transfers>
    ) {
        guard let session = sessions[id] else { return }
        if old.connectionsPerHost != session.record.configuration.connectionsPerHost {
            changeQueue(of: id) { queue in
                queue = TransferQueue(limit: session.record.configuration.connectionsPerHost)
                for (_, transfer) in session.transfers {
                    if transfer.isActive { queue.began(at: transfer.host) }
                    if let queued = transfer.places.queued { queue.insert(queued.place, in: queued.lane) }
                }
            }
        }
        for number in session.transfers.keys { arrange(TransferID(session: id, number: number)) }
        // Attempts on a network that is now forbidden are stopped.
        for task in active where task.session == id { stopIfClosed(task, into: &actions) }
        mayBegin = true
    }

    private mutating func finish(_ id: TransferSessionID, by actor: Actor, into actions: inout Actions<Transfers>) {
        guard sessions[id]?.record.isFinishing == false else { return }
        sessions.update(id) { session in
            session.record.isFinishing = true
            session.finishedBy = actor.launch
        }
        if let session = sessions[id] { actions.persist(.session(session.record)) }
        attend(id)
    }

    private mutating func handled(_ id: TransferSessionID, into actions: inout Actions<Transfers>) {
        guard let session = sessions[id] else { return }
        actions.explain(.sessionHandled(id))
        sessions.update(id) { session in
            session.eventsCall = .none
            session.wakes = 0
            session.wakeAt = nil
        }
        if session.eventsCall == .sent { eventsReported(id, into: &actions) }
        rearrangeWake(id, from: session.wakeAt)
        attend(id)
    }

    /// The tasks without an outcome, in the order of their numbers.
    func tasksUnderWay(of id: TransferSessionID) -> [TransferID] {
        guard let session = sessions[id], session.underWay > 0 else { return [] }
        return session.transfers.compactMap {
            $0.value.record.outcome == nil ? TransferID(session: id, number: $0.key) : nil
        }
    }

    // MARK: Tasks

    private mutating func make(
        _ new: NewTransfer, in session: TransferSessionID, by actor: Actor, policy: Policy,
        into actions: inout Actions<Transfers>
    ) {
        let id = TransferID(session: session, number: new.number)
        // A request that is repeated on a new connection means the same task.
        guard self[id] == nil else { return ignore(.numberTaken, of: actor, into: &actions) }
        guard sessions[session]?.record.isFinishing == false else {
            return refuse(new, .sessionIsFinishing, .noSession, in: session, by: actor, into: &actions)
        }
        guard new.number > 0, new.number < .max else {
            return refuse(new, .badNumber, .badNumber, in: session, by: actor, into: &actions)
        }
        let count = Int64(clients[session.app]?.count ?? 0)
        // Failures are stored like any outcome, but not without limit for an app that never acknowledges them.
        guard count < 2 * policy.transfersPerApp else {
            let failure = TransferFailure.tooMany(policy.transfersPerApp)
            return refuse(new, .tooManyTasks, failure, in: session, by: actor, into: &actions)
        }
        var record = TransferRecord(id: id, request: new.request, made: steadyNow)
        record.since = wallNow
        if count >= policy.transfersPerApp {
            record.request = TransferRequest(url: String(new.request.url.prefix(200)))
            return addFailed(record, .tooMany(policy.transfersPerApp), into: &actions)
        }
        if !hasRoom(for: record.weight, of: session.app) {
            record.request = TransferRequest(url: String(new.request.url.prefix(200)))
            return addFailed(record, .tooMuch(policy.transferBytesPerApp), into: &actions)
        }
        if let failure = TransferURL.problem(of: new.request) {
            record.request = TransferRequest(url: String(new.request.url.prefix(TransferRequest.longestURL)))
            return addFailed(record, failure, into: &actions)
        }
        if let donor = new.resumes, let checkpoint = partial(of: donor, for: session.app),
            self[donor]?.record.request.url == new.request.url
        {
            record.resumes = donor
            record.checkpoint = checkpoint
        }
        add(Transfer(record, since: wallNow))
        actions.persist(.task(record))
    }

    /// Refuses a task without a record of it: only the launch that asked for it is notified of the failure.
    private mutating func refuse(
        _ new: NewTransfer, _ refusal: TransferActRefusal, _ failure: TransferFailure, in session: TransferSessionID,
        by actor: Actor, into actions: inout Actions<Transfers>
    ) {
        ignore(refusal, of: actor, into: &actions)
        sessions.update(session) { $0.refused.set(failure, for: new.number) }
        attend(session)
    }

    private mutating func addFailed(
        _ record: TransferRecord, _ failure: TransferFailure, into actions: inout Actions<Transfers>
    ) {
        var record = record
        record.outcome = .failed(failure)
        record.place = nextPlace(of: record.id.session)
        add(Transfer(record, since: wallNow))
        actions.explain(.failed(record.id, failure))
        actions.persist(.task(record))
        attend(record.id.session)
    }

    /// The partial file of a failed task of the same app; nil if there is none.
    private func partial(of donor: TransferID, for app: AppID) -> TransferCheckpoint? {
        guard donor.session.app == app, case .failed(let failure) = self[donor]?.record.outcome else { return nil }
        return failure.resumable
    }

    private mutating func act(
        _ act: TransferAct, on id: TransferID, by actor: Actor, policy: Policy, into actions: inout Actions<Transfers>
    ) {
        switch act {
        case .resume: return resume(id, by: actor, policy: policy, into: &actions)
        case .suspend:
            guard self[id]?.record.isSuspended == false else { return }
            change(id) { transfer in
                transfer.record.isSuspended = true
                transfer.hold = nil
                transfer.isForced = false
            }
            stop(id, into: &actions)
        case .cancel(_, let keepsPartial):
            return fail(
                id, TransferFailure(code: -999, reason: "the app canceled it"), keepsPartial: keepsPartial,
                into: &actions)
        case .setPriority(_, let priority):
            change(id) { $0.record.priority = max(0, min(1000, priority)) }
        case .setText(_, let text):
            guard hasRoom(for: Int64(text?.utf8.count ?? 0), of: id.session.app) else {
                return ignore(.tooMuchText, of: actor, into: &actions)
            }
            change(id) { $0.record.text = text.map { $0.prefix(bytes: TransferRequest.longestText) } }
        case .setEarliestBegin(_, let date):
            change(id) { transfer in
                transfer.record.earliestBegin = date
                transfer.isEarly = date != nil && !transfer.hasBegun
                if case .answer = transfer.hold { transfer.hold = nil }
            }
        case .setExpectedToReceive(_, let count): change(id) { $0.record.expectedToReceive = count }
        case .proceed(_, let disposition): return proceed(id, disposition, by: actor, into: &actions)
        default: return
        }
        store(id, into: &actions)
    }

    private mutating func resume(
        _ id: TransferID, by actor: Actor, policy: Policy, into actions: inout Actions<Transfers>
    ) {
        guard let transfer = self[id], transfer.record.isSuspended else { return }
        let isFromBackground = !actor.status.isForeground
        if isFromBackground, !actor.allowsRefresh {
            return fail(id, .refreshIsOff, keepsPartial: true, into: &actions)
        }
        let delay =
            isFromBackground ? clients[id.session.app]?.delay.length(policy: policy, at: steadyNow) ?? .zero : .zero
        let now = steadyNow
        let until = now + delay
        change(id) { transfer in
            if !transfer.wasTried { transfer.record.made = now }
            transfer.record.isSuspended = false
            transfer.record.isFromBackground = isFromBackground
            if delay > .zero { transfer.hold = .delay(until: until) }
        }
        if delay > .zero { actions.explain(.delayed(id, delay)) }
        store(id, into: &actions)
    }

    private mutating func proceed(
        _ id: TransferID, _ disposition: DelayedRequestDisposition, by actor: Actor,
        into actions: inout Actions<Transfers>
    ) {
        guard case .answer = self[id]?.hold else { return ignore(.notAsked, of: actor, into: &actions) }
        change(id) { $0.hold = nil }
        switch disposition {
        case .continueLoading: return
        case .cancel:
            fail(id, TransferFailure(code: -999, reason: "the app canceled it before it began"), into: &actions)
        case .useNewRequest(let request):
            if let failure = TransferURL.problem(of: request) { return fail(id, failure, into: &actions) }
            guard hasRoom(for: request.weight, of: id.session.app) else {
                return fail(id, .tooMuch(limits.bytesPerApp), into: &actions)
            }
            use(request, for: id, into: &actions)
        }
    }

    /// Replaces the request. If it asks for another resource, the bytes that have arrived are discarded.
    private mutating func use(_ request: TransferRequest, for id: TransferID, into actions: inout Actions<Transfers>) {
        guard let old = self[id]?.record else { return }
        let isOther = !old.request.asksForTheSame(as: request)
        change(id) { transfer in
            transfer.record.request = request
            transfer.host = TransferURL.host(of: request.url) ?? ""
            guard isOther else { return }
            transfer.record.checkpoint = nil
            transfer.record.resumes = nil
            (transfer.received, transfer.expected) = (0, nil)
        }
        store(id, into: &actions)
        if isOther, old.checkpoint != nil { actions.perform(.discard(id)) }
    }

    mutating func store(_ id: TransferID, into actions: inout Actions<Transfers>) {
        // `keep` changes no list that the task is in, so the task need not be arranged again.
        let kept = sessions.update(id.session) { $0.transfers.update(id.number) { $0.keep() } }
        guard let record = kept ?? nil else { return }
        actions.persist(.task(record))
    }
}

/// Why an app's request about a background session is ignored.
public enum TransferActRefusal: String, Hashable, Sendable, Codable, CaseIterable {
    /// The app has not opened the session in this launch.
    case sessionNotOpen
    /// The app has as many sessions as it may have.
    case tooManySessions
    /// The session was invalidated.
    case sessionIsFinishing
    /// A task with this number exists already.
    case numberTaken
    /// The task number is invalid.
    case badNumber
    /// The task does not exist, or has ended.
    case noSuchTask
    /// The app has twice as many tasks as it may have.
    case tooManyTasks
    /// The app asks for more lists without waiting for the earlier ones.
    case tooManyLists
    /// The app's tasks would hold more bytes than they may.
    case tooMuchText
    /// The app answers a question that it was not asked.
    case notAsked
}

extension TransferFailure {
    ///
    static let refreshIsOff = TransferFailure(
        code: -999, reason: "Background App Refresh is off, and it was begun in the background",
        cancelledReason: .backgroundUpdatesDisabled)
    ///
    static let forceQuit = TransferFailure(
        code: -999, reason: "the user swiped the app away", cancelledReason: .userForceQuit)
    /// `NSURLErrorUnknown`: Apple names no code for it.
    static func tooMany(_ most: Int64) -> TransferFailure {
        TransferFailure(code: -1, reason: "its app already has \(most) tasks, the maximum")
    }
    static func tooMuch(_ most: Int64) -> TransferFailure {
        TransferFailure(
            code: -1, reason: "its app's tasks would hold more than \(most) bytes of requests, texts and answers")
    }
    static let badNumber = TransferFailure(code: -1, reason: "invalid task identifier")
    static let noSession = TransferFailure(
        code: -1,
        reason: "its session is not open: the app has the maximum number of sessions, or has invalidated this session")
    ///
    static let noRoom = TransferFailure(
        code: -3003, reason: "the disk had no room for it within the session's timeoutIntervalForResource",
        cancelledReason: .insufficientResources)
    ///
    static let tookTooLong = TransferFailure(
        code: -1001, reason: "it did not finish within the session's timeoutIntervalForResource")
}

extension TransferSessionConfiguration {
    /// Brings an app's numbers within their bounds.
    fileprivate func checked(by policy: Policy) -> TransferSessionConfiguration {
        var copy = self
        copy.connectionsPerHost = Int32(clamping: max(1, min(policy.connectionsPerHost, Int64(connectionsPerHost))))
        copy.requestTimeout = max(.milliseconds(1), requestTimeout)
        copy.resourceTimeout = max(.milliseconds(1), resourceTimeout)
        return copy
    }
}
