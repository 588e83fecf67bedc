import LifeCycleModel
import LifeCyclePolicy

/// The requests of apps about their sessions and tasks.
extension ReferenceModel {
    mutating func transfer(_ launch: LaunchID, _ name: SessionIdentifier, _ act: TransferAct) {
        if case .open(let configuration) = act { return open(launch, name, configuration) }
        let found = sessions.index(of: launch.app, name)
        if case .handled = act {
            if let found { handled(found) }
            return
        }
        guard let found, sessions.sessions[found].openIn == launch else { return refuse(launch, name, act) }
        let session = sessions.sessions[found].id
        switch act {
        case .open, .handled: break
        case .make(let new): make(new, found, launch)
        case .list(let after):
            if sessions.sessions[found].lists.contains(after) { return }
            guard sessions.sessions[found].lists.count < 16 else { return ignore(launch, .tooManyLists) }
            sessions.sessions[found].lists.append(after)
        case .acknowledge(let numbers):
            for number in numbers { acknowledge(TransferID(session: session, number: number), launch) }
        case .finishTasksAndInvalidate: finish(found, launch)
        case .invalidateAndCancel:
            finish(found, launch)
            let failure = TransferFailure(code: -999, reason: "its session was invalidated and canceled")
            for id in sessions.open(found) { sessions.fail(id, failure) }
        case .resume(let number), .suspend(let number), .cancel(let number, _), .setPriority(let number, _),
            .setText(let number, _), .setEarliestBegin(let number, _), .setExpectedToReceive(let number, _),
            .proceed(let number, _):
            let id = TransferID(session: session, number: number)
            guard let task = sessions[id], task.record.outcome == nil else { return ignore(launch, .noSuchTask) }
            self.act(act, task, launch)
        }
    }

    private mutating func ignore(_ launch: LaunchID, _ refusal: TransferActRefusal) {
        sessions.said.append(.actIgnored(launch, refusal))
    }

    private mutating func send(_ launch: LaunchID, _ name: SessionIdentifier, _ news: TransferNews) {
        sessions.messages.append(ReferenceSessions.Message(launch: launch, session: name, news: news))
    }

    private static let noSession = TransferFailure(
        code: -1,
        reason: "its session is not open: the app has the maximum number of sessions, or has invalidated this session")

    /// The app has not opened the session in this launch. It gets an answer, so that it does not wait for one.
    private mutating func refuse(_ launch: LaunchID, _ name: SessionIdentifier, _ act: TransferAct) {
        ignore(launch, .sessionNotOpen)
        guard isReachable(launch) else { return }
        switch act {
        case .make(let new): send(launch, name, .failed(new.number, Self.noSession))
        case .list: send(launch, name, .listed([], isLast: true))
        case .finishTasksAndInvalidate, .invalidateAndCancel: send(launch, name, .invalidated)
        default: break
        }
    }

    // MARK: Sessions

    private mutating func open(
        _ launch: LaunchID, _ name: SessionIdentifier, _ asked: TransferSessionConfiguration
    ) {
        var configuration = asked
        configuration.connectionsPerHost = Int32(
            clamping: max(1, min(policy.connectionsPerHost, Int64(asked.connectionsPerHost))))
        configuration.requestTimeout = max(.milliseconds(1), asked.requestTimeout)
        configuration.resourceTimeout = max(.milliseconds(1), asked.resourceTimeout)
        if sessions.client(launch.app) == nil {
            sessions.clients.append(ReferenceSessions.Client(app: launch.app, launch: launch))
            sessions.clients.sort { $0.app < $1.app }
        }
        if let found = sessions.index(of: launch.app, name) { return reopen(found, launch, configuration) }
        let all = sessions.indices(of: launch.app).map { sessions.sessions[$0].id }
        guard Int64(all.count) < policy.sessionsPerApp else { return ignore(launch, .tooManySessions) }
        let id = TransferSessionID(app: launch.app, number: (all.last?.number ?? 0) + 1)
        var session = ReferenceSession(
            TransferSessionRecord(id: id, identifier: name, configuration: configuration))
        session.openIn = launch
        session.isOpenedUntold = true
        if sessions.sessions.isEmpty { lookAtConditions() }
        sessions.sessions.append(session)
        sessions.sessions.sort { $0.id < $1.id }
        sessions.said.append(.sessionOpened(id, isNew: true))
        sessions.keep(id)
        for old in all { sessions.removeIfIdle(old, onlyGone: true) }
    }

    private mutating func reopen(_ index: Int, _ launch: LaunchID, _ configuration: TransferSessionConfiguration) {
        let before = sessions.sessions[index]
        sessions.sessions[index].record.configuration = configuration
        if before.record.isFinishing, before.finishedBy != launch {
            sessions.sessions[index].record.isFinishing = false
            sessions.sessions[index].finishedBy = nil
        }
        for task in before.tasks.indices { sessions.sessions[index].tasks[task].isSent = false }
        if before.openIn != launch { sessions.sessions[index].lists = [] }
        sessions.sessions[index].openIn = launch
        sessions.sessions[index].isOpenedUntold = true
        sessions.sessions[index].isFinishTold = false
        sessions.said.append(.sessionOpened(before.id, isNew: false))
        if sessions.sessions[index].record != before.record { sessions.keep(before.id) }
        guard before.record.configuration != configuration else { return }
        for id in runningTransfers where id.session == before.id {
            if let wait = deviceWait(id) { sessions.stop(id, because: wait) }
        }
    }

    private mutating func finish(_ index: Int, _ launch: LaunchID) {
        guard !sessions.sessions[index].record.isFinishing else { return }
        sessions.sessions[index].record.isFinishing = true
        sessions.sessions[index].finishedBy = launch
        sessions.keep(sessions.sessions[index].id)
    }

    /// The app has handled the session's events.
    private mutating func handled(_ index: Int) {
        let call = sessions.sessions[index].call
        sessions.said.append(.sessionHandled(sessions.sessions[index].id))
        sessions.sessions[index].call = .none
        sessions.sessions[index].wakes = 0
        sessions.sessions[index].wakeAt = nil
        if call == .made { sessions.eventsReported(index) }
    }

    // MARK: Tasks

    private mutating func make(_ new: NewTransfer, _ index: Int, _ launch: LaunchID) {
        let session = sessions.sessions[index]
        let id = TransferID(session: session.id, number: new.number)
        guard sessions[id] == nil else { return ignore(launch, .numberTaken) }
        let count = Int64(sessions.indices(of: launch.app).reduce(0) { $0 + sessions.sessions[$1].tasks.count })
        let most = policy.transfersPerApp
        let tooMany = TransferFailure(code: -1, reason: "its app already has \(most) tasks, the maximum")
        var refusal: (TransferActRefusal, TransferFailure)?
        if session.record.isFinishing {
            refusal = (.sessionIsFinishing, Self.noSession)
        } else if new.number <= 0 || new.number == .max {
            refusal = (.badNumber, TransferFailure(code: -1, reason: "invalid task identifier"))
        } else if count >= 2 * most {
            refusal = (.tooManyTasks, tooMany)
        }
        if let (why, failure) = refusal {
            ignore(launch, why)
            sessions.sessions[index].refused.removeAll { $0.number == new.number }
            sessions.sessions[index].refused.append(ReferenceSession.Refused(number: new.number, failure: failure))
            return
        }
        var record = TransferRecord(id: id, request: new.request, made: steadyNow)
        if count >= most {
            record.request = TransferRequest(url: String(new.request.url.prefix(200)))
            return addFailed(record, tooMany, index)
        }
        if let failure = Self.problem(of: new.request) {
            record.request = TransferRequest(url: new.request.url)
            return addFailed(record, failure, index)
        }
        if let donor = new.resumes, let old = sessions[donor], donor.session.app == launch.app,
            case .failed(let failure) = old.record.outcome, let checkpoint = failure.resumable,
            old.record.request.url == new.request.url
        {
            (record.resumes, record.checkpoint) = (donor, checkpoint)
        }
        var task = ReferenceTask(record)
        (task.received, task.expected) = (record.checkpoint?.received ?? 0, record.checkpoint?.expected)
        add(task, index)
    }

    private mutating func add(_ task: ReferenceTask, _ index: Int) {
        sessions.sessions[index].tasks.append(task)
        sessions.sessions[index].tasks.sort { $0.record.id < $1.record.id }
        sessions.touched.append(task.record.id)
    }

    private mutating func addFailed(_ record: TransferRecord, _ failure: TransferFailure, _ index: Int) {
        sessions.sessions[index].lastPlace += 1
        var task = ReferenceTask(record)
        (task.record.outcome, task.record.place) = (.failed(failure), sessions.sessions[index].lastPlace)
        sessions.said.append(.failed(record.id, failure))
        add(task, index)
    }

    /// Why the engine need not try the request. The histories ask only for addresses of a scheme that is not supported.
    private static func problem(of request: TransferRequest) -> TransferFailure? {
        let scheme = request.url.prefix { $0 != ":" }
        if scheme == "http" || scheme == "https" { return nil }
        return TransferFailure(
            code: -1002, reason: "a background session downloads by http and https, not by \(scheme)")
    }

    private mutating func acknowledge(_ id: TransferID, _ launch: LaunchID) {
        guard let task = sessions[id], task.isPending else { return ignore(launch, .noSuchTask) }
        sessions.said.append(.delivered(id))
        guard case .failed(let failure) = task.record.outcome, failure.resumable != nil else {
            return sessions.remove(id)
        }
        let until = steadyNow + policy.partialsKept
        sessions.change(id) { task in
            task.record.place = -1
            task.record.keptUntil = until
        }
        sessions.keep(id)
        let kept = sessions.indices(of: launch.app).flatMap { sessions.sessions[$0].tasks.filter(\.isKept) }
        guard Int64(kept.count) > policy.partialsPerApp,
            let first = kept.min(by: {
                ($0.record.keptUntil ?? .zero, $0.record.id) < ($1.record.keptUntil ?? .zero, $1.record.id)
            })
        else { return }
        sessions.remove(first.record.id)
        sessions.removeIfIdle(first.record.id.session, onlyGone: true)
    }

    private mutating func act(_ act: TransferAct, _ task: ReferenceTask, _ launch: LaunchID) {
        let id = task.record.id
        switch act {
        case .resume:
            if task.record.isSuspended { resume(task, launch) }
            return
        case .suspend:
            guard !task.record.isSuspended else { return }
            sessions.change(id) { task in
                task.record.isSuspended = true
                (task.hold, task.isForced) = (nil, false)
            }
            sessions.stop(id)
        case .cancel(_, let keepsPartial):
            return sessions.fail(
                id, TransferFailure(code: -999, reason: "the app canceled it"), keepsPartial: keepsPartial,
                until: steadyNow + policy.partialsKept)
        case .setPriority(_, let priority): sessions.change(id) { $0.record.priority = max(0, min(1000, priority)) }
        case .setText(_, let text): sessions.change(id) { $0.record.text = text }
        case .setEarliestBegin(_, let date):
            sessions.change(id) { task in
                task.record.earliestBegin = date
                task.isEarly = date != nil && !task.hasBegun
                if case .answer = task.hold { task.hold = nil }
            }
        case .setExpectedToReceive(_, let count): sessions.change(id) { $0.record.expectedToReceive = count }
        case .proceed(_, let disposition): return proceed(task, disposition, launch)
        default: return
        }
        sessions.keep(id)
    }

    private mutating func resume(_ task: ReferenceTask, _ launch: LaunchID) {
        let id = task.record.id
        guard let place = index(of: launch.app) else { return }
        let isFromBackground = !isRunningInForeground(place)
        if isFromBackground, !allowsRefresh(launch.app) {
            let failure = TransferFailure(
                code: -999, reason: "Background App Refresh is off, and it was begun in the background",
                cancelledReason: .backgroundUpdatesDisabled)
            return sessions.fail(id, failure, keepsPartial: true, until: steadyNow + policy.partialsKept)
        }
        var delay = Nanoseconds.zero
        if isFromBackground, let client = sessions.client(launch.app), client.wakes > 0,
            steadyNow - client.lastWake < pause(afterWakes: client.wakes + 1)
        {
            delay = pause(afterWakes: client.wakes)
        }
        let now = steadyNow
        sessions.change(id) { task in
            if !task.wasTried { task.record.made = now }
            task.record.isSuspended = false
            task.record.isFromBackground = isFromBackground
            if delay > .zero { task.hold = .delay(until: now + delay) }
        }
        if delay > .zero { sessions.said.append(.delayed(id, delay)) }
        sessions.keep(id)
    }

    ///
    private mutating func proceed(
        _ task: ReferenceTask, _ disposition: DelayedRequestDisposition, _ launch: LaunchID
    ) {
        let id = task.record.id
        guard case .answer = task.hold else { return ignore(launch, .notAsked) }
        sessions.change(id) { $0.hold = nil }
        switch disposition {
        case .continueLoading: break
        case .cancel: sessions.fail(id, TransferFailure(code: -999, reason: "the app canceled it before it began"))
        case .useNewRequest(let request):
            if let failure = Self.problem(of: request) { return sessions.fail(id, failure) }
            let isOther = !task.record.request.asksForTheSame(as: request)
            sessions.change(id) { task in
                task.record.request = request
                guard isOther else { return }
                (task.record.checkpoint, task.record.resumes) = (nil, nil)
                (task.received, task.expected) = (0, nil)
            }
            sessions.keep(id)
            if isOther, task.record.checkpoint != nil { sessions.outputs.append(.discard(id)) }
        }
    }

    // MARK: The user

    mutating func userAction(_ id: TransferID, _ action: TransferUserAction) {
        guard let task = sessions[id], task.record.outcome == nil, action != .now || !task.record.isSuspended else {
            return sessions.said.append(.userActionIgnored(id, action))
        }
        switch action {
        case .pause:
            guard !task.record.isPaused else { return }
            sessions.change(id) { ($0.record.isPaused, $0.isForced) = (true, false) }
            sessions.stop(id)
        case .resume:
            guard task.record.isPaused else { return }
            sessions.change(id) { $0.record.isPaused = false }
        case .cancel: return sessions.fail(id, TransferFailure(code: -999, reason: "the user canceled it"))
        case .now:
            sessions.change(id) { task in
                (task.record.isPaused, task.hold, task.isEarly, task.isForced) = (false, nil, false, true)
            }
        }
        sessions.keep(id)
    }
}
