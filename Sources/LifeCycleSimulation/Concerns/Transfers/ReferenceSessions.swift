import LifeCycleModel
import LifeCyclePolicy

/// The wakes of apps by background sessions.
///
/// The model has no network, so the records give the state of each transfer. From these the model derives whether a
/// session is done, whether its app is woken, and when.
struct ReferenceSessions: Hashable, Sendable, Encodable {
    struct Session: Hashable, Sendable, Encodable {
        var record: TransferSessionRecord
        var tasks: [Task] = []
        /// The place of the latest outcome.
        var lastPlace: Int64 = 0
        /// The number of wakes for the session after which the app did not handle its events. Below: the time of the
        /// next allowed wake, on the steady clock.
        var wakes: Int32 = 0
        var wakeAt: Nanoseconds?
    }

    struct Task: Hashable, Sendable, Encodable {
        let number: Int64
        var place: Int64
        var outcome: TransferOutcome?
        /// The attempt that the engine runs or must still stop.
        var attempt: Int32?

        /// Whether the transfer has ended, so that the app can be notified.
        var isOver: Bool {
            switch outcome {
            case .downloaded(_, _, let isMoved): isMoved
            case .failed: attempt == nil
            case nil: false
            }
        }
    }

    /// Sorted by number.
    var sessions: [Session] = []
    /// The sessions that were found done in the event, and those that wake their apps.
    var done: [TransferSessionID] = []
    var woken: [TransferSessionID] = []

    func index(of id: TransferSessionID) -> Int? { sessions.firstIndex { $0.record.id == id } }

    mutating func take(_ change: TransferChange) {
        switch change {
        case .session(let record):
            if let index = index(of: record.id) {
                sessions[index].record = record
            } else {
                sessions.append(Session(record: record))
                sessions.sort { $0.record.id < $1.record.id }
            }
        case .sessionRemoved(let id): sessions.removeAll { $0.record.id == id }
        case .task(let record):
            guard let index = index(of: record.id.session) else { return }
            sessions[index].lastPlace = max(sessions[index].lastPlace, record.place)
            var task = Task(number: record.id.number, place: record.place, outcome: record.outcome)
            if let place = sessions[index].tasks.firstIndex(where: { $0.number == task.number }) {
                task.attempt = sessions[index].tasks[place].attempt
                sessions[index].tasks[place] = task
            } else {
                sessions[index].tasks.append(task)
            }
        case .taskRemoved(let id):
            guard let index = index(of: id.session) else { return }
            sessions[index].tasks.removeAll { $0.number == id.number }
        }
    }

    /// The engine must run a transfer.
    mutating func begins(_ id: TransferID, attempt: Int32) { change(id) { $0.attempt = attempt } }

    /// The engine reports the end of an attempt.
    fileprivate mutating func receive(_ report: TransferReport) {
        switch report {
        case .completed(let id, let attempt, _, _), .failed(let id, let attempt, _), .stopped(let id, let attempt, _):
            change(id) { if $0.attempt == attempt { $0.attempt = nil } }
        case .responded, .progressed, .checkpointed, .moved: break
        }
    }

    private mutating func change(_ id: TransferID, _ change: (inout Task) -> Void) {
        guard let index = index(of: id.session),
            let place = sessions[index].tasks.firstIndex(where: { $0.number == id.number })
        else { return }
        change(&sessions[index].tasks[place])
    }
}

extension ReferenceSessions: ReferenceConcern {
    static var facts: WritableKeyPath<ReferenceModel, Self> { \.sessions }
    static var comparison: any ConcernComparison { SessionComparison() }

    var isIdle: Bool { sessions.isEmpty }
    mutating func begin() { (done, woken) = ([], []) }

    mutating func systemRestarted() {
        for index in sessions.indices {
            let tasks = sessions[index].tasks.map { Task(number: $0.number, place: $0.place, outcome: $0.outcome) }
            sessions[index] = Session(
                record: sessions[index].record, tasks: tasks, lastPlace: tasks.map(\.place).max() ?? 0)
        }
    }

    static func receive(_ news: ReferenceNews, in model: inout ReferenceModel) {
        if case .reported(.transfer(.reported(let report))) = news { model.sessions.receive(report) }
    }

    static func settle(_ model: inout ReferenceModel) { model.settleSessions() }
    static func end(_ model: inout ReferenceModel) {}
    // The network is not modeled, so the times at which transfers progress are unknown.
    static func deadlines(in model: ReferenceModel) -> [Deadline] { [] }
    static func knows(_ reason: DeadlineReason) -> Bool { false }
    static func mayWait(for deadline: Deadline, in model: ReferenceModel) -> Bool { false }
}

/// Compares the sessions that are done and those that wake their apps.
private struct SessionComparison: ConcernComparison {
    func check(_ effects: [Effect], _ device: Device, _ model: ReferenceModel) -> String? {
        var (done, woken): ([TransferSessionID], [TransferSessionID]) = ([], [])
        for case .decided(.concern(.transfer(let decision))) in effects {
            switch decision {
            case .sessionDone(let id): done.append(id)
            case .sessionWakes(let id): woken.append(id)
            default: break
            }
        }
        let (theirs, others) = (model.sessions.done, model.sessions.woken)
        if done.sorted() != theirs.sorted() {
            return ReferenceComparison.differ("sessions that are done", done, theirs)
        }
        return woken.sorted() == others.sorted()
            ? nil : ReferenceComparison.differ("sessions that wake", woken, others)
    }

    func systemRestarted() {}
}

extension ReferenceSessions.Session {
    /// Whether every transfer has ended, and the app has not been notified of every outcome.
    var isDone: Bool {
        let open = tasks.filter { $0.place >= 0 }
        return !open.isEmpty && open.allSatisfy(\.isOver)
    }
}

extension ReferenceModel {
    /// Each session that is done wakes its app, if the app is suspended or not running.
    fileprivate mutating func settleSessions() {
        for index in sessions.sessions.indices where sessions.sessions[index].wakeAt.map({ $0 <= steadyNow }) ?? false {
            sessions.sessions[index].wakeAt = nil
        }
        for index in sessions.sessions.indices {
            if let place = place(of: sessions.sessions[index].record.id.app), isWakeDue(index, place) {
                wake(index, place)
            }
        }
    }

    private mutating func isWakeDue(_ index: Int, _ place: Int) -> Bool {
        let session = sessions.sessions[index]
        guard session.isDone, isAtRest(place) else { return false }
        if session.lastPlace > session.record.lastWokenPlace ?? 0, !apps[place].isForceQuit {
            sessions.sessions[index].record.lastWokenPlace = session.lastPlace
            sessions.sessions[index].record.areEventsPending = true
            sessions.done.append(session.record.id)
        }
        let isCallPending = apps[place].launch?.pendingCalls.contains {
            $0.call == .transfer(.handleEvents(session.record.identifier))
        }
        return sessions.sessions[index].record.areEventsPending && session.record.configuration.sendsLaunchEvents
            && session.wakeAt == nil && isCallPending != true && shutdown == .none && !apps[place].manifest.isAdopted
    }

    /// Whether the app cannot receive messages, because it does not run or is frozen.
    private func isAtRest(_ index: Int) -> Bool {
        guard let launch = apps[index].launch else { return true }
        return !launch.isGoing && (launch.isEarly || launch.isFrozen)
    }

    private mutating func wake(_ index: Int, _ place: Int) {
        let session = sessions.sessions[index]
        let reason: LaunchReason = session.record.identifier == .newsstand ? .newsstand : .urlSession
        guard mayWake(place, for: reason) else { return }
        sessions.woken.append(session.record.id)
        let count = min(session.wakes + 1, 32)
        sessions.sessions[index].wakes = count
        // If the app does not finish the events, it is woken again, after longer and longer pauses.
        var pause = policy.resumptionDelay
        for _ in 1..<max(1, count) { pause = min(pause + pause + pause + pause, policy.resumptionDelayMost) }
        sessions.sessions[index].wakeAt = steadyNow + min(pause, policy.resumptionDelayMost)
        requests.append(.wake(apps[place].id, reason, .transfer(.handleEvents(session.record.identifier))))
    }

    /// Whether the app may be woken. Sessions need no mode, but the user's settings apply.
    func mayWake(_ place: Int, for reason: LaunchReason) -> Bool {
        guard reason == .urlSession else { return obstacles(place, reason).isEmpty }
        let obstacles = obstacles(place, reason).filter { $0 != .notAWake }
        return obstacles.isEmpty && !apps[place].isForceQuit && facts(for: place).backgroundRefresh == .available
    }

    /// The steady clock, which does not stop while the device sleeps.
    private var steadyNow: Nanoseconds { now + clocks.sleep }

    /// The app has handled the session's events.
    mutating func handled(_ identifier: SessionIdentifier, of app: AppID) {
        for index in sessions.sessions.indices
        where sessions.sessions[index].record.identifier == identifier && sessions.sessions[index].record.id.app == app
        {
            sessions.sessions[index].wakes = 0
            sessions.sessions[index].wakeAt = nil
        }
    }
}
