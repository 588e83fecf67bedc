import LifeCycleModel

/// All background sessions and their tasks. It hears how the apps stand and what the device allows, and never looks.
struct Transfers: Hashable, Sendable, Codable {
    /// A time on one of the clocks at which something is due of a task; of number 0, of the session itself.
    struct Timer: Hashable, Comparable, Sendable, Codable {
        let at: Nanoseconds
        let id: TransferID

        static func < (left: Self, right: Self) -> Bool { (left.at, left.id) < (right.at, right.id) }
    }

    var sessions = SortedMap<TransferSessionID, TransferSession>()
    /// The apps that have sessions, by their numbers.
    var clients = SortedMap<AppID, TransferClient>()
    /// What the engine carries, sorted.
    var active: [TransferID] = []
    var wallTimers = SortedMap<Timer, Present>()
    var steadyTimers = SortedMap<Timer, Present>()
    /// What tasks have in all until they fail or need less: of nearly every task, and on the steady clock too.
    var limitTimers = SortedMap<Timer, Present>()
    /// The sessions of which something may have to be told or done at the end of this event.
    var attention = SortedMap<TransferSessionID, Present>()
    /// Tasks that have come to wait in this event, in their order.
    var waiting: [TransferID] = []
    /// What the device allowed before, where that changed in this event.
    var gatesBefore: TransferGates?
    /// What the user wants at once, and is not under way.
    var forced = SortedMap<TransferID, Present>()
    /// Something may be begun at the end of this event.
    var mayBegin = false
    /// When one that is under way may have to make way, on the steady clock.
    var yieldAt: Nanoseconds?
    /// Counted up with each app's turn.
    var lastTurn: Int64 = 0
    /// Counted up over all attempts, so that none is taken for another's.
    var lastAttempt: Int32 = 0
    /// The clocks' readings at the event that is being handled.
    var clock = TransferClock(steady: .zero, wall: .zero, elapsed: .zero)
    /// When the steady clock was last kept, by itself; nil where that is due.
    var clockKept: Nanoseconds?
    var gates: TransferGates
    /// Since when those are as they are, on the wall clock.
    var gatesSince = Nanoseconds.zero
    /// False after the system's restart, until what was under way is begun anew.
    var isStarted = true
    /// The system is shutting down: nothing is begun any more.
    var isShutDown = false

    /// `Policy.discretionaryPatience`.
    let patience: Nanoseconds
    /// `Policy.partialsKept`.
    let partialsKept: Nanoseconds
    /// `Policy.transferBytesPerApp`.
    let bytesPerApp: Int64

    init(policy: Policy, surroundings: DeviceSurroundings = DeviceSurroundings()) {
        gates = TransferGates(surroundings)
        patience = policy.discretionaryPatience
        partialsKept = policy.partialsKept
        bytesPerApp = policy.transferBytesPerApp
    }

    /// As the store remembers them. Sessions of apps that are not among `apps` are left out, and what belongs to none.
    init(
        policy: Policy, surroundings: DeviceSurroundings, apps: [AppRecord], sessions records: [TransferSessionRecord],
        transfers: [TransferRecord], launches: [LaunchRecord]
    ) {
        self.init(policy: policy, surroundings: surroundings)
        gatesSince = records.compactMap(\.gatesSince).max() ?? .zero
        let known = apps.map(\.app).sorted()
        for record in records {
            let index = known.sortedIndex(of: record.id.app)
            guard index < known.count, known[index] == record.id.app else { continue }
            var session = TransferSession(record)
            session.finishedBy = record.isFinishing ? launches.first { $0.launch.app == record.id.app }?.launch : nil
            sessions.set(session, for: record.id)
            if clients[record.id.app] == nil { clients.set(TransferClient(), for: record.id.app) }
        }
        for app in clients.keys {
            clients.update(app) { $0.delay = ResumptionDelay(records.filter { $0.id.app == app }) }
        }
        for record in transfers where sessions[record.id.session] != nil { restore(record) }
        for id in sessions.keys {
            sessions.update(id) { session in
                session.isGone = session.record.isFinishing && session.isEmpty
                if session.record.toldPlace == nil, session.placeOfForceQuit > 0 {
                    session.record.toldPlace = session.placeOfForceQuit
                }
            }
        }
        isStarted = sessions.isEmpty
    }

    private mutating func restore(_ record: TransferRecord) {
        var transfer = Transfer(record, since: record.since ?? record.made)
        if case .downloaded(_, _, false) = record.outcome { transfer.state = .moving }
        transfer.isEarly = record.earliestBegin != nil && record.outcome == nil && !transfer.hasBegun
        add(transfer)
    }

    var isEmpty: Bool { sessions.isEmpty }

    /// When it next has to look, on the awake clock.
    func nextDeadline(by clocks: Clocks) -> Deadline? {
        guard let first = sessions.first?.key else { return nil }
        let none = TransferID(session: first, number: 0)
        guard isStarted, clocks.areRead else { return Deadline(at: .zero, reason: .transfer(none)) }
        if isShutDown { return nil }
        let wall = wallTimers.first.map { Deadline(at: clocks.awake(ofWall: $0.key.at), reason: .transfer($0.key.id)) }
        let steady = [steadyTimers.first?.key, limitTimers.first?.key, yieldAt.map { Timer(at: $0, id: none) }]
            .compactMap { timer in
                timer.map { Deadline(at: clocks.awake(ofSteady: $0.at), reason: .transfer($0.id)) }
            }
        return (steady + (wall.map { [$0] } ?? [])).min { $0.at < $1.at }
    }

    /// The wall clock's reading at this event.
    var wallNow: Nanoseconds { clock.wall }
    /// That of the clock which counts how long transfers take and wait.
    var steadyNow: Nanoseconds { clock.steady }
    /// The newest reading that is persisted.
    var persistedClock: TransferClock? { sessions.compactMap(\.value.record.clock).max { $0.steady < $1.steady } }

    // MARK: One task

    subscript(id: TransferID) -> Transfer? { sessions[id.session]?.transfers[id.number] }

    /// The sessions of an app, in the order of their numbers.
    func sessions(of app: AppID) -> [TransferSessionID] {
        var found: [TransferSessionID] = []
        var next = TransferSessionID(app: app, number: .min)
        while let id = sessions.first(from: next)?.key, id.app == app {
            found.append(id)
            guard id.number < .max else { break }
            next = TransferSessionID(app: app, number: id.number + 1)
        }
        return found
    }

    func session(of app: AppID, named identifier: SessionIdentifier) -> TransferSessionID? {
        sessions(of: app).first { sessions[$0].map { $0.record.identifier == identifier && !$0.isGone } ?? false }
    }

    mutating func attend(_ id: TransferSessionID) { attention.insert(id) }

    /// A task that is new here.
    mutating func add(_ transfer: Transfer) {
        let id = transfer.record.id
        sessions.update(id.session) { session in
            session.count(transfer, by: 1)
            session.lastPlace = max(session.lastPlace, transfer.record.place)
            session.transfers.set(transfer, for: id.number)
        }
        clients.update(id.session.app) { client in
            client.count += 1
            client.bytes += transfer.record.weight
        }
        arrange(id)
    }

    /// Whether an app may leave so many bytes more.
    func hasRoom(for bytes: Int64, of app: AppID) -> Bool { (clients[app]?.bytes ?? 0) + bytes <= bytesPerApp }

    /// Changes a task, and puts in order what follows from it.
    mutating func change(_ id: TransferID, _ change: (inout Transfer) -> Void) {
        var heavier: Int64 = 0
        sessions.update(id.session) { session in
            guard let old = session.transfers[id.number] else { return }
            session.transfers.update(id.number, change)
            guard let new = session.transfers[id.number] else { return }
            if !old.record.hasSameWords(as: new.record) { heavier = new.record.weight - old.record.weight }
            let isSame =
                old.isUnderWay == new.isUnderWay && old.isOwed == new.isOwed && old.isKept == new.isKept
                && old.record.isFromBackground == new.record.isFromBackground
            if isSame { return }
            session.count(old, by: -1)
            session.count(new, by: 1)
        }
        if heavier != 0 { clients.update(id.session.app) { $0.bytes += heavier } }
        arrange(id)
    }

    mutating func remove(_ id: TransferID, into effects: inout [Effect]) {
        guard let transfer = self[id] else { return }
        if transfer.isActive { over(id) }
        withdraw(id)
        sessions.update(id.session) { session in
            session.count(transfer, by: -1)
            session.transfers.remove(id.number)
        }
        clients.update(id.session.app) { client in
            client.count -= 1
            client.bytes -= transfer.record.weight
        }
        effects.append(.store(.concern(.transfer(.taskRemoved(id)))))
        effects.append(.concern(.transfer(.discard(id))))
        attend(id.session)
    }

    /// Where a task belongs: its place in the queue, its timers, and what it waits for.
    private struct Arrangement {
        let old: Transfer
        let queued: Transfer.Queued?
        let wallTimer: Nanoseconds?
        let steadyTimer: Nanoseconds?
        let limitTimer: Nanoseconds?
    }

    /// Apart from the change it leads to: a session that is looked at is not copied by that.
    private func arrangement(of id: TransferID) -> Arrangement? {
        guard let session = sessions[id.session], let transfer = session.transfers[id.number] else { return nil }
        return Arrangement(
            old: transfer, queued: Self.queued(transfer, in: session),
            wallTimer: transfer.isEarly ? transfer.record.earliestBegin : nil, steadyTimer: transfer.hold?.until,
            limitTimer: limitTimer(of: transfer, in: session))
    }

    /// Brings it where it belongs.
    mutating func arrange(_ id: TransferID) {
        guard let new = arrangement(of: id) else { return }
        let old = new.old
        if old.wallTimer != new.wallTimer {
            if let at = old.wallTimer { wallTimers.remove(Timer(at: at, id: id)) }
            if let at = new.wallTimer { wallTimers.insert(Timer(at: at, id: id)) }
        }
        if old.steadyTimer != new.steadyTimer {
            if let at = old.steadyTimer { steadyTimers.remove(Timer(at: at, id: id)) }
            if let at = new.steadyTimer { steadyTimers.insert(Timer(at: at, id: id)) }
        }
        if old.limitTimer != new.limitTimer {
            if let at = old.limitTimer { limitTimers.remove(Timer(at: at, id: id)) }
            if let at = new.limitTimer { limitTimers.insert(Timer(at: at, id: id)) }
        }
        if old.isForced, old.state == .resting, old.record.outcome == nil {
            forced.insert(id)
            mayBegin = true
        } else if !forced.isEmpty {
            forced.remove(id)
        }
        if new.queued != nil, old.queued != new.queued { mayBegin = true }
        let (wait, now) = (old.ownWait, wallNow)
        let isNew = new.queued != nil && old.queued == nil || wait == .earliestBegin && old.wait != wait
        if isNew, now > .zero { waiting.append(id) }
        sessions.update(id.session) { session in
            if old.queued != new.queued {
                if let place = old.queued { session.queue.remove(place.place, from: place.lane) }
                if let place = new.queued { session.queue.insert(place.place, in: place.lane) }
            }
            session.transfers.update(id.number) { transfer in
                (transfer.wallTimer, transfer.steadyTimer, transfer.limitTimer, transfer.queued) =
                    (new.wallTimer, new.steadyTimer, new.limitTimer, new.queued)
                if transfer.wait != wait, now > .zero { transfer.since = now }
                // It waits for something else first.
                if old.queued != nil, new.queued == nil, transfer.state == .resting { transfer.toldWait = nil }
                transfer.wait = wait
            }
        }
    }

    /// Takes it out of the queue and its timers away.
    private mutating func withdraw(_ id: TransferID) {
        guard let transfer = self[id] else { return }
        forced.remove(id)
        if let at = transfer.wallTimer { wallTimers.remove(Timer(at: at, id: id)) }
        if let at = transfer.steadyTimer { steadyTimers.remove(Timer(at: at, id: id)) }
        if let at = transfer.limitTimer { limitTimers.remove(Timer(at: at, id: id)) }
        if let queued = transfer.queued {
            sessions.update(id.session) { $0.queue.remove(queued.place, from: queued.lane) }
        }
    }

    private static func queued(_ transfer: Transfer, in session: TransferSession) -> Transfer.Queued? {
        guard transfer.record.outcome == nil, transfer.state == .resting, transfer.ownWait == nil,
            !transfer.isForced
        else { return nil }
        return Transfer.Queued(
            place: TransferQueue.Place(rank: -max(0, transfer.record.priority), number: transfer.record.id.number),
            lane: TransferQueue.Lane(host: transfer.host, need: session.need(of: transfer)))
    }

    /// The earliest of what is due of it however often it is tried: that it fails, is patient no more, or is forgotten.
    private func limitTimer(of transfer: Transfer, in session: TransferSession) -> Nanoseconds? {
        let timeout = transfer.record.made + session.record.configuration.resourceTimeout
        if transfer.isKept { return transfer.keptUntil }
        if transfer.state == .moving { return transfer.hold == nil ? nil : timeout }
        if case .failed(let failure) = transfer.record.outcome {
            return failure.resumable == nil ? nil : transfer.record.keptUntil
        }
        guard transfer.record.outcome == nil else { return nil }
        // Its time is counted from when it may begin.
        if transfer.isEarly || transfer.record.isSuspended && !transfer.wasTried { return nil }
        if transfer.isRelaxed || session.need(of: transfer) != .discretion { return timeout }
        return min(timeout, transfer.record.made + patience)
    }

    // MARK: Attempts

    mutating func begin(_ id: TransferID, into effects: inout [Effect]) {
        guard let transfer = self[id], transfer.state == .resting, transfer.record.outcome == nil else { return }
        lastAttempt &+= 1
        let (attempt, now, steady) = (lastAttempt, wallNow, steadyNow)
        change(id) { transfer in
            transfer.state = .active(attempt: attempt)
            transfer.since = now
            transfer.begun = steady
            transfer.toldWait = nil
        }
        noteTurn(of: id.session.app)
        sessions.update(id.session) { session in
            session.active += 1
            session.queue.began(at: transfer.host)
        }
        clients.update(id.session.app) { $0.active += 1 }
        active.insert(id, at: active.sortedIndex(of: id))
        effects.append(.decided(.concern(.transfer(.began(id, attempt: attempt)))))
        effects.append(.concern(.transfer(.begin(id, attempt: attempt))))
    }

    /// The attempt under way is to come to an end.
    mutating func stop(_ id: TransferID, keepsPartial: Bool = false, into effects: inout [Effect]) {
        guard case .active(let attempt) = self[id]?.state else { return }
        change(id) { $0.state = .stopping(attempt: attempt, partial: keepsPartial) }
        effects.append(.concern(.transfer(.stop(id))))
    }

    /// The attempt under way is over, one way or another.
    mutating func over(_ id: TransferID) {
        guard let transfer = self[id], transfer.isActive else { return }
        let index = active.sortedIndex(of: id)
        if index < active.count, active[index] == id { active.remove(at: index) }
        sessions.update(id.session) { session in
            session.active -= 1
            session.queue.ended(at: transfer.host)
        }
        clients.update(id.session.app) { $0.active -= 1 }
        mayBegin = true
    }
}

/// How an app with sessions stands.
struct TransferClient: Hashable, Sendable, Codable {
    struct Standing: Hashable, Sendable, Codable {
        var launch: LaunchID?
        /// It runs, and hears what it is told.
        var isHearing = false
        /// It is not running, or suspended: it would have to be woken.
        var isAtRest = true
        var isForeground = false
        /// Swiped away, and not opened since.
        var isForceQuit = false
    }

    var standing = Standing()
    var delay = ResumptionDelay([])
    /// When it was last its turn; zero for never.
    var lastTurn: Int64 = 0
    /// How many of its tasks the engine carries.
    var active: Int32 = 0
    /// How many tasks it has, and what their words take.
    var count = 0
    var bytes: Int64 = 0
}

extension TransferRecord {
    /// Whether what it weighs is the same for certain.
    fileprivate func hasSameWords(as other: TransferRecord) -> Bool {
        request == other.request && text == other.text && outcome == other.outcome
    }
}

extension Transfer {
    /// What it waits for of its own, whatever the device allows; nil where that is nothing.
    var ownWait: TransferWait? {
        switch state {
        case .stopping: return .stop
        case .active: return nil
        case .moving:
            if case .retry = hold { return .retry }
            return hold == nil ? nil : .disk
        case .resting: break
        }
        if record.outcome != nil { return nil }
        if record.isSuspended { return .suspended }
        if record.isPaused { return .paused }
        switch hold {
        case .retry(_, let isAsked): return isAsked ? .server : .retry
        case .room: return .disk
        case .delay: return .resumptionDelay
        case .answer: return .answer
        case nil: return isEarly ? .earliestBegin : nil
        }
    }
}
