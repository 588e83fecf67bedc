import LifeCycleModel
import LifeCyclePolicy

/// Background sessions in the reference model: plain facts, by session.
///
/// The engine and the network are outside: the model receives the engine's reports, like the brain.
struct ReferenceSessions: Hashable, Sendable, Encodable {
    /// An app that has, or had, a session.
    struct Client: Hashable, Sendable, Encodable {
        let app: AppID
        /// The launch that was last seen, without a prewarmed one.
        var launch: LaunchID?
        /// The wakes in a row, by which resumptions in the background are delayed.
        var wakes: Int32 = 0
        var lastWake = Nanoseconds.zero
        /// The number of the app's last turn.
        var turn: Int64 = 0
    }

    struct Message: Hashable, Sendable, Encodable {
        let launch: LaunchID
        let session: SessionIdentifier
        let news: TransferNews
    }

    /// Sorted by id.
    var sessions: [ReferenceSession] = []
    var clients: [Client] = []
    var lastTurn: Int64 = 0
    var lastAttempt: Int32 = 0
    var conditions = ReferenceConditions()
    /// False after a restart of the system, until the transfers go on.
    var isStarted = true
    var wasShutDown = false
    // The output that the event must lead to.
    var done: [TransferSessionID] = []
    var woken: [TransferSessionID] = []
    var said: [TransferDecision] = []
    var outputs: [TransferOutput] = []
    var messages: [Message] = []
    /// The records that were written in the event; the number 0 means the session itself.
    var touched: [TransferID] = []

    func index(of id: TransferSessionID) -> Int? { sessions.firstIndex { $0.id == id } }
    func index(of app: AppID, _ name: SessionIdentifier) -> Int? {
        sessions.firstIndex { $0.id.app == app && $0.record.identifier == name && !$0.isGone }
    }
    func indices(of app: AppID) -> [Int] { sessions.indices.filter { sessions[$0].id.app == app } }

    subscript(id: TransferID) -> ReferenceTask? {
        index(of: id.session).flatMap { index in
            sessions[index].index(id.number).map { sessions[index].tasks[$0] }
        }
    }

    func client(_ app: AppID) -> Client? { clients.first { $0.app == app } }
    mutating func changeClient(_ app: AppID, _ change: (inout Client) -> Void) {
        if let index = clients.firstIndex(where: { $0.app == app }) { change(&clients[index]) }
    }

    mutating func change(_ id: TransferID, _ change: (inout ReferenceTask) -> Void) {
        guard let index = index(of: id.session), let place = sessions[index].index(id.number) else { return }
        change(&sessions[index].tasks[place])
    }

    /// The task's record is written to disk.
    mutating func keep(_ id: TransferID) {
        change(id) { task in
            task.record.hold = task.hold
            // After a restart of the system the app is asked again.
            if case .answer = task.hold { task.record.hold = nil }
        }
        touched.append(id)
    }

    /// The newest reading of the steady clock on disk. When it is stored is not modeled, so the records give it.
    var storedClock: TransferClock? { sessions.compactMap(\.record.clock).max { $0.steady < $1.steady } }
    mutating func take(clocksIn effects: [Effect]) {
        for case .store(.concern(.transfer(.session(let record)))) in effects {
            if let index = index(of: record.id) { sessions[index].record.clock = record.clock }
        }
    }

    mutating func keep(_ id: TransferSessionID) { touched.append(TransferID(session: id, number: 0)) }

    mutating func remove(_ id: TransferID) {
        guard let index = index(of: id.session) else { return }
        sessions[index].tasks.removeAll { $0.record.id == id }
        touched.append(id)
        outputs.append(.discard(id))
    }

    /// The tasks that are so, by their ids.
    func tasks(where isSo: (ReferenceTask) -> Bool) -> [ReferenceTask] {
        sessions.flatMap { $0.tasks.filter(isSo) }
    }

    /// The tasks of a session without an outcome.
    func open(_ index: Int) -> [TransferID] {
        sessions[index].tasks.filter { $0.record.outcome == nil }.map(\.record.id)
    }

    // MARK: Outcomes

    mutating func stop(_ id: TransferID, partial: Bool = false) {
        guard case .running(let attempt) = self[id]?.stage else { return }
        change(id) { $0.stage = .stopping(attempt: attempt, partial: partial) }
        outputs.append(.stop(id))
    }

    mutating func stop(_ id: TransferID, because wait: TransferWait) {
        said.append(.stopped(id, because: wait))
        stop(id)
    }

    mutating func end(_ id: TransferID, _ outcome: TransferOutcome) {
        guard let index = index(of: id.session) else { return }
        sessions[index].lastPlace += 1
        let place = sessions[index].lastPlace
        change(id) { task in
            (task.record.outcome, task.record.place) = (outcome, place)
            (task.hold, task.isEarly, task.isForced) = (nil, false, false)
        }
    }

    mutating func fail(
        _ id: TransferID, _ failure: TransferFailure, keepsPartial: Bool = false, until: Nanoseconds = .zero
    ) {
        guard let task = self[id], task.record.outcome == nil else { return }
        var failure = failure
        if keepsPartial, task.record.checkpoint?.validator != nil { failure.resumable = task.record.checkpoint }
        said.append(.failed(id, failure))
        if case .stopping(let attempt, _) = task.stage {
            change(id) { $0.stage = .stopping(attempt: attempt, partial: keepsPartial) }
        }
        stop(id, partial: keepsPartial)
        end(id, .failed(failure))
        if keepsPartial { change(id) { $0.record.keptUntil = until } }
        keep(id)
    }

    /// The app was told of the end of its events, or will not be told any more.
    mutating func eventsReported(_ index: Int) {
        guard sessions[index].record.areEventsPending else { return }
        sessions[index].record.areEventsPending = false
        keep(sessions[index].id)
    }

    /// Removes a session without tasks. The newest session of an app stays, so that its number is not given again.
    mutating func removeIfIdle(_ id: TransferSessionID, onlyGone: Bool) {
        guard let index = index(of: id) else { return }
        let session = sessions[index]
        guard session.tasks.isEmpty, !session.record.areEventsPending, session.isGone || !onlyGone,
            session.isGone || session.openIn == nil, sessions.last(where: { $0.id.app == id.app })?.id != id
        else { return }
        sessions.remove(at: index)
        keep(id)
    }

    /// The launch that had the app's sessions open is over.
    mutating func launchEnded(_ app: AppID) {
        for id in indices(of: app).map({ sessions[$0].id }) {
            guard let index = index(of: id) else { continue }
            let wasTold = sessions[index].isFinishTold
            for task in sessions[index].tasks.indices { sessions[index].tasks[task].isSent = false }
            sessions[index].openIn = nil
            sessions[index].isOpenedUntold = false
            sessions[index].lists = []
            sessions[index].refused = []
            sessions[index].isFinishTold = false
            sessions[index].call = .none
            if wasTold { eventsReported(index) }
            removeIfIdle(id, onlyGone: false)
        }
    }
}

extension ReferenceSessions: ReferenceConcern {
    static var facts: WritableKeyPath<ReferenceModel, Self> { \.sessions }
    static var comparison: any ConcernComparison { SessionComparison() }

    var isIdle: Bool { sessions.isEmpty }
    mutating func begin() {
        (done, woken) = ([], [])
        said.removeAll(keepingCapacity: true)
        outputs.removeAll(keepingCapacity: true)
        messages.removeAll(keepingCapacity: true)
        touched.removeAll(keepingCapacity: true)
    }

    /// The records remain. Attempts, the news for apps and the user's haste are lost.
    mutating func systemRestarted() {
        (lastTurn, lastAttempt, isStarted, wasShutDown) = (0, 0, sessions.isEmpty, false)
        clients = []
        for index in sessions.indices {
            var session = ReferenceSession(sessions[index].record)
            session.tasks = sessions[index].tasks.map { ReferenceTask(restored: $0.record) }
            session.lastPlace = max(0, session.tasks.map(\.record.place).max() ?? 0)
            session.isGone = session.record.isFinishing && session.isEmpty
            sessions[index] = session
            if client(session.id.app) == nil { clients.append(Client(app: session.id.app)) }
        }
        for session in sessions {
            guard let wakes = session.record.wakes else { continue }
            changeClient(session.id.app) { client in
                let isNewer = (wakes.last, wakes.count) > (client.lastWake, client.wakes)
                if isNewer { (client.lastWake, client.wakes) = (wakes.last, wakes.count) }
            }
        }
    }

    static func receive(_ news: ReferenceNews, in model: inout ReferenceModel) { model.handleSessionNews(news) }
    static func settle(_ model: inout ReferenceModel) { model.settleSessions() }
    /// Without sessions, everything is as if there had never been any.
    static func end(_ model: inout ReferenceModel) {
        guard model.sessions.isIdle else { return }
        (model.sessions.clients, model.sessions.lastTurn, model.sessions.lastAttempt) = ([], 0, 0)
    }
    static func deadlines(in model: ReferenceModel) -> [Deadline] { model.sessionDeadlines }
    static func knows(_ reason: DeadlineReason) -> Bool { if case .transfer = reason { true } else { false } }
    /// The brain also waits for the end of turns. The model looks at turns in every event. Such deadlines have the
    /// number 0, like those of wakes, so a wake's deadline that is left over is not noticed here.
    static func mayWait(for deadline: Deadline, in model: ReferenceModel) -> Bool {
        if case .transfer(let id) = deadline.reason { id.number == 0 } else { false }
    }
}
