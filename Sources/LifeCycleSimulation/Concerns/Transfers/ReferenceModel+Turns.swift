import LifeCycleModel
import LifeCyclePolicy

/// The end of an event: times, wakes, news, and the transfers that begin.
extension ReferenceModel {
    mutating func settleSessions() {
        lookAtLaunches()
        guard !sessions.sessions.isEmpty else { return }
        if !sessions.isStarted {
            sessions.isStarted = true
            for task in sessions.tasks(where: { $0.stage == .moving }) {
                sessions.outputs.append(.move(task.record.id))
            }
        }
        passTransferTime()
        for id in sessions.sessions.map(\.id) {
            guard let index = sessions.index(of: id), let place = self.index(of: id.app) else { continue }
            if isWakeDue(index, place) { wake(index, place) }
            deliver(id)
        }
        beginTransfers()
    }

    // MARK: Time

    private mutating func passTransferTime() {
        let (wall, steady, patience) = (wallNow, steadyNow, policy.discretionaryPatience)
        for task in sessions.tasks(where: { $0.isEarly && $0.record.earliestBegin.map { $0 <= wall } ?? false }) {
            begins(task)
        }
        let due = sessions.sessions.flatMap { session in
            session.tasks.compactMap { task -> (at: Nanoseconds, id: TransferID)? in
                guard let at = task.limit(session, patience: patience), at <= steady else { return nil }
                return (at, task.record.id)
            }
        }
        for (_, id) in due.sorted(by: { ($0.at, $0.id) < ($1.at, $1.id) }) { limitPassed(id) }
        for index in sessions.sessions.indices where sessions.sessions[index].wakeAt.map({ $0 <= steadyNow }) ?? false {
            sessions.sessions[index].wakeAt = nil
        }
        for task in sessions.tasks(where: { $0.hold.map { $0.until <= steady } ?? false }) {
            sessions.change(task.record.id) { $0.hold = nil }
            if task.stage == .moving { sessions.outputs.append(.move(task.record.id)) }
        }
    }

    /// The earliest begin date has come. The app is asked, if it can be.
    private mutating func begins(_ task: ReferenceTask) {
        let id = task.record.id
        guard let index = sessions.index(of: id.session), let date = task.record.earliestBegin else { return }
        let listener = task.record.isSuspended ? nil : listener(index)
        let came = steadyNow - max(.zero, wallNow - date)
        let until = steadyNow + policy.delayedTaskAnswer
        sessions.change(id) { task in
            task.isEarly = false
            task.record.made = max(task.record.made, came)
            if listener != nil { task.hold = .answer(until: until) }
        }
        sessions.keep(id)
        guard let listener else { return }
        let name = sessions.sessions[index].record.identifier
        sessions.messages.append(
            ReferenceSessions.Message(launch: listener, session: name, news: .willBegin(id.number)))
    }

    private mutating func limitPassed(_ id: TransferID) {
        guard let task = sessions[id], let index = sessions.index(of: id.session) else { return }
        if task.isKept {
            sessions.remove(id)
            return sessions.removeIfIdle(id.session, onlyGone: true)
        }
        if case .failed(var failure) = task.record.outcome {
            failure.resumable = nil
            sessions.change(id) { task in
                task.record.outcome = .failed(failure)
                (task.record.checkpoint, task.record.keptUntil) = (nil, nil)
            }
            sessions.keep(id)
            return sessions.outputs.append(.discard(id))
        }
        guard task.record.made + sessions.sessions[index].record.configuration.resourceTimeout <= steadyNow else {
            return sessions.change(id) { $0.isRelaxed = true }
        }
        if task.stage == .moving {
            let failure = TransferFailure(
                code: -3003, reason: "its file could not be moved into the app's container in time",
                cancelledReason: .insufficientResources)
            sessions.said.append(.failed(id, failure))
            sessions.change(id) { task in
                (task.stage, task.hold, task.record.outcome) = (.resting, nil, .failed(failure))
            }
            return sessions.keep(id)
        }
        var failure = TransferFailure(
            code: -1001, reason: "it did not finish within the session's timeoutIntervalForResource")
        if case .room = task.hold {
            failure = TransferFailure(
                code: -3003, reason: "the disk had no room for it within the session's timeoutIntervalForResource",
                cancelledReason: .insufficientResources)
        }
        sessions.fail(id, failure, keepsPartial: true, until: steadyNow + policy.partialsKept)
    }

    // MARK: News

    private mutating func deliver(_ id: TransferSessionID) {
        guard let index = sessions.index(of: id), let launch = listener(index) else { return }
        let session = sessions.sessions[index]
        var news: [TransferNews] = []
        if !session.isGone {
            let highest = session.tasks.last?.record.id.number ?? 0
            if session.isOpenedUntold { news.append(.opened(id, lowestFree: highest + 1)) }
            news += session.lists.map { list(session, after: $0) }
            news += session.refused.sorted { $0.number < $1.number }.map { .failed($0.number, $0.failure) }
            var room = Int(policy.transferWindow) - session.pending.count(where: \.isSent)
            for task in session.pending where !task.isSent && room > 0 {
                room -= 1
                sessions.change(task.record.id) { $0.isSent = true }
                let number = task.record.id.number
                switch task.record.outcome {
                case .downloaded(let response, let size, _):
                    news.append(.downloaded(number, file: task.record.file, response, size: size))
                case .failed(let failure): news.append(.failed(number, failure))
                case nil: break
                }
            }
            sessions.sessions[index].isOpenedUntold = false
            sessions.sessions[index].lists = []
            sessions.sessions[index].refused = []
            if session.record.areEventsPending, session.pending.isEmpty, !session.isFinishTold {
                sessions.sessions[index].isFinishTold = true
                news.append(.eventsFinished)
                if session.call == .none { sessions.eventsReported(index) }
            }
        }
        if session.isGone || session.record.isFinishing && session.isEmpty {
            sessions.sessions[index].isGone = true
            sessions.sessions[index].openIn = nil
            sessions.said.append(.sessionInvalidated(id))
            news.append(.invalidated)
            if !session.isGone { sessions.removeIfIdle(id, onlyGone: true) }
        }
        let name = session.record.identifier
        sessions.messages += news.map { ReferenceSessions.Message(launch: launch, session: name, news: $0) }
    }

    private func list(_ session: ReferenceSession, after: Int64) -> TransferNews {
        let all = session.tasks.filter { !$0.isKept && $0.record.id.number > after }
        let page = all.prefix(TransferNews.mostListed).map { task in
            TransferSummary(
                number: task.record.id.number, request: task.record.request, text: task.record.text,
                priority: task.record.priority, earliestBegin: task.record.earliestBegin,
                isSuspended: task.record.isSuspended, received: task.received, expected: task.expected)
        }
        return .listed(page, isLast: page.count == all.count)
    }

    // MARK: Turns

    private var taken: Int { sessions.sessions.reduce(0) { $0 + $1.taken } }
    private func taken(by app: AppID) -> Int {
        sessions.sessions.reduce(0) { $0 + ($1.id.app == app ? $1.taken : 0) }
    }
    private var foregroundShare: Int { max(1, Int(policy.transfersAtOnce) / 2) }

    private mutating func beginTransfers() {
        guard shutdown == .none else { return }
        let forced = sessions.tasks { $0.isForced && $0.stage == .resting && $0.record.outcome == nil }
        var count = taken
        for task in forced where count / 2 < Int(policy.transfersAtOnce) {
            guard deviceWait(task.record.id) == nil else { continue }
            count += 1
            begin(task.record.id)
        }
        while taken < Int(policy.transfersAtOnce), let next = nextTransfer { begin(next) }
        makeWay()
    }

    private mutating func begin(_ id: TransferID) {
        sessions.lastAttempt += 1
        let (attempt, now) = (sessions.lastAttempt, steadyNow)
        sessions.change(id) { ($0.stage, $0.begun) = (.running(attempt: attempt), now) }
        sessions.said.append(.began(id, attempt: attempt))
        sessions.outputs.append(.begin(id, attempt: attempt))
        takeTurn(id.session.app)
    }

    private mutating func takeTurn(_ app: AppID) {
        sessions.lastTurn += 1
        let turn = sessions.lastTurn
        sessions.changeClient(app) { $0.turn = turn }
    }

    /// The next transfer to begin: the foreground app's up to its share, then of the app and the session with the
    /// fewest, and there the highest priority.
    private var nextTransfer: TransferID? {
        var best: (key: [Int64], id: TransferID)?
        for session in sessions.sessions {
            let waiting = session.tasks.filter { task in
                task.isQueued && !session.isFull(task.host) && deviceWait(task.record.id) == nil
            }
            let first = waiting.min {
                (-$0.record.priority, $0.record.id.number) < (-$1.record.priority, $1.record.id.number)
            }
            guard let first, let client = sessions.client(session.id.app) else { continue }
            let own = taken(by: session.id.app)
            let isFirst = session.id.app == foregroundApp && own < foregroundShare
            let key: [Int64] = [
                isFirst ? 0 : 1, Int64(own), client.turn, Int64(session.id.app.rawValue),
                Int64(session.taken), Int64(session.id.number),
            ]
            if best.map({ key.lexicographicallyPrecedes($0.key) }) ?? true { best = (key, first.record.id) }
        }
        return best?.id
    }

    /// The transfers that a waiting app's next transfer may preempt. The least comes first.
    private var preemptible: [(key: [Int64], ends: Nanoseconds, id: TransferID)] {
        guard taken >= Int(policy.transfersAtOnce), let app = nextTransfer?.session.app else { return [] }
        let begun = sessions.tasks { $0.attempt != nil }
        guard begun.allSatisfy(\.isRunning) else { return [] }
        let others = taken(by: app)
        return begun.compactMap { task in
            let owner = task.record.id.session.app
            let own = taken(by: owner)
            var makesWay = owner != app && (others == 0 || own > others + 1)
            if owner == foregroundApp, own <= foregroundShare { makesWay = false }
            if owner != app, app == foregroundApp, others < foregroundShare { makesWay = true }
            guard makesWay, !task.isForced else { return nil }
            let isLost = task.received > 0 && task.record.checkpoint?.validator == nil
            let ends = task.begun + policy.transferTurn
            return ([Int64(-own), isLost ? 1 : 0, ends.rawValue], ends, task.record.id)
        }
    }

    private mutating func makeWay() {
        let first = preemptible.filter { $0.ends <= steadyNow }.min {
            $0.key == $1.key ? $0.id < $1.id : $0.key.lexicographicallyPrecedes($1.key)
        }
        guard let first else { return }
        takeTurn(first.id.session.app)
        sessions.stop(first.id, because: .turn)
    }

    // MARK: Deadlines

    var sessionDeadlines: [Deadline] {
        guard shutdown == .none else { return [] }
        let patience = policy.discretionaryPatience
        var found: [(at: Nanoseconds, id: TransferID)] = []
        for session in sessions.sessions {
            if let at = session.wakeAt { found.append((at, TransferID(session: session.id, number: 0))) }
            for task in session.tasks {
                if let hold = task.hold { found.append((hold.until, task.record.id)) }
                if let limit = task.limit(session, patience: patience) { found.append((limit, task.record.id)) }
            }
        }
        var deadlines = found.map { Deadline(at: $0.at - (steadyNow - now), reason: .transfer($0.id)) }
        for task in sessions.tasks(where: \.isEarly) {
            guard let date = task.record.earliestBegin else { continue }
            deadlines.append(Deadline(at: date - clocks.wallAhead, reason: .transfer(task.record.id)))
        }
        return deadlines
    }
}
