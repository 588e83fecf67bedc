import LifeCycleModel

/// All background sessions and their tasks.
struct Transfers: Hashable, Sendable, Codable {
    /// A time at which something is due for a task, on one of the clocks. The number 0 means the session itself.
    struct Timer: Hashable, Comparable, Sendable, Codable {
        let at: Nanoseconds
        let id: TransferID

        static func < (left: Self, right: Self) -> Bool { (left.at, left.id) < (right.at, right.id) }
    }

    var sessions = SortedMap<TransferSessionID, TransferSession>()
    /// The apps that have sessions.
    var clients = SortedMap<AppID, TransferClient>()
    /// The transfers that the engine runs, sorted.
    var active: [TransferID] = []
    /// The sessions with a queued task that has a free connection, sorted.
    private(set) var ready: [TransferSessionID] = []
    var wallTimers = SortedMap<Timer, Present>()
    var steadyTimers = SortedMap<Timer, Present>()
    /// The times at which tasks fail, need less, or are forgotten, on the steady clock. Nearly every task has such a
    /// time.
    var limitTimers = SortedMap<Timer, Present>()
    /// The sessions to look at when the event ends, sorted: their app may have to be notified or woken.
    var attention: [TransferSessionID] = []
    /// The tasks that came to wait in this event, in their order.
    var waiting: [TransferID] = []
    /// The conditions before this event; nil if they have not changed.
    var gatesBefore: TransferGates?
    /// The transfers that the user wants at once and that are not under way.
    var forced = SortedMap<TransferID, Present>()
    /// Whether a transfer may begin at the end of this event.
    var mayBegin = false
    /// The foreground app of the last event, whose transfers come first.
    var foregroundApp: AppID?
    /// The earliest time at which a transfer under way may be preempted, on the steady clock.
    var yieldAt: Nanoseconds?
    /// The number of the last turn, over all apps.
    var lastTurn: Int64 = 0
    /// The number of the last attempt, over all transfers, so that no two attempts have the same number.
    var lastAttempt: Int32 = 0
    /// The clocks' readings while an event is handled; between events, zero.
    var clock = TransferClock(steady: .zero, wall: .zero, elapsed: .zero)
    /// The steady clock's reading when it was last persisted; nil if persisting it is due.
    var clockKept: Nanoseconds?
    var gates = TransferGates()
    /// The time at which the conditions last changed, on the wall clock.
    var gatesSince = Nanoseconds.zero
    /// False after a restart of the system, until the transfers begin again.
    var isStarted = true
    /// Whether the system is shutting down, so that no transfer begins.
    var isShutDown = false

    var limits = Limits()

    /// The limits of the policy that are read very often; zero while there are no sessions.
    struct Limits: Hashable, Sendable, Codable {
        /// `Policy.discretionaryPatience`.
        var patience = Nanoseconds.zero
        /// `Policy.partialsKept`.
        var partialsKept = Nanoseconds.zero
        /// `Policy.transferBytesPerApp`.
        var bytesPerApp: Int64 = 0
        /// `Policy.delayedTaskAnswer`.
        var delayedTaskAnswer = Nanoseconds.zero
        /// `Policy.clockPersistence`.
        var clockPersistence = Nanoseconds.zero
    }

    /// Restores sessions and transfers. A transfer without a session is ignored.
    mutating func restore(_ persisted: [ConcernRecord], on device: DeviceState) {
        let records = persisted.sessions
        if records.isEmpty { return }
        gates = TransferGates(device.surroundings, policy: device.policy)
        limits = Limits(device.policy)
        gatesSince = records.compactMap(\.gatesSince).max() ?? .zero
        for record in records {
            var session = TransferSession(record)
            session.finishedBy = record.isFinishing ? device.status(of: record.id.app)?.launch : nil
            sessions.set(session, for: record.id)
            if clients[record.id.app] == nil { clients.set(TransferClient(), for: record.id.app) }
        }
        for app in clients.keys {
            clients.update(app) { $0.delay = ResumptionDelay(records.filter { $0.id.app == app }) }
        }
        for record in persisted.transfers where sessions[record.id.session] != nil { restore(record) }
        for id in sessions.keys {
            sessions.update(id) { session in
                session.isGone = session.record.isFinishing && session.isEmpty
                if session.record.lastWokenPlace == nil, session.placeOfForceQuit > 0 {
                    session.record.lastWokenPlace = session.placeOfForceQuit
                }
            }
        }
        isStarted = false
        var actions = Actions<Transfers>()
        for app in clients.keys { statusChanged(app, on: device, into: &actions) }
    }

    private mutating func restore(_ record: TransferRecord) {
        var transfer = Transfer(record, since: record.since ?? record.made)
        if case .downloaded(_, _, false) = record.outcome { transfer.state = .moving }
        transfer.isEarly = record.earliestBegin != nil && record.outcome == nil && !transfer.hasBegun
        add(transfer)
    }

    var isEmpty: Bool { sessions.isEmpty }

    func nextDeadline(on device: DeviceState) -> Deadline? {
        guard let first = sessions.first?.key, device.shutdown == .none else { return nil }
        let clocks = device.surroundings.clocks
        let none = TransferID(session: first, number: 0)
        let steady = { (timer: Timer?) in
            timer.map { Deadline(at: clocks.awake(ofSteady: $0.at), reason: .transfer($0.id)) }
        }
        var earliest = Deadline.earlier(steady(steadyTimers.first?.key), steady(limitTimers.first?.key))
        earliest = .earlier(earliest, steady(yieldAt.map { Timer(at: $0, id: none) }))
        let wall = wallTimers.first.map { Deadline(at: clocks.awake(ofWall: $0.key.at), reason: .transfer($0.key.id)) }
        return .earlier(earliest, wall)
    }

    /// The wall clock's reading at this event.
    var wallNow: Nanoseconds { clock.wall }
    /// The steady clock's reading at this event. It measures how long transfers take and wait.
    var steadyNow: Nanoseconds { clock.steady }
    /// The newest reading that is persisted.
    var persistedClock: TransferClock? { sessions.compactMap(\.value.record.clock).max { $0.steady < $1.steady } }

    // MARK: One task

    @inline(__always) subscript(id: TransferID) -> Transfer? { sessions[id.session]?.transfers[id.number] }

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
        var next = TransferSessionID(app: app, number: .min)
        while let id = sessions.first(from: next)?.key, id.app == app {
            if sessions[id]?.record.identifier == identifier, sessions[id]?.isGone == false { return id }
            guard id.number < .max else { break }
            next = TransferSessionID(app: app, number: id.number + 1)
        }
        return nil
    }

    mutating func attend(_ id: TransferSessionID) { attention.sortedInsert(id) }

    /// Adds a task that is new or restored.
    mutating func add(_ transfer: Transfer) {
        let id = transfer.record.id
        sessions.update(id.session) { session in
            session.count(transfer.tally, by: 1)
            session.lastPlace = max(session.lastPlace, transfer.record.place)
            session.transfers.set(transfer, for: id.number)
        }
        clients.update(id.session.app) { client in
            client.count += 1
            client.bytes += transfer.record.weight
        }
        arrange(id)
    }

    /// Whether the app's tasks may hold this many more bytes.
    func hasRoom(for bytes: Int64, of app: AppID) -> Bool { (clients[app]?.bytes ?? 0) + bytes <= limits.bytesPerApp }

    /// Changes a task, and updates its session's counts, its queue and its timers.
    mutating func change(_ id: TransferID, _ change: (inout Transfer) -> Void) {
        let heavier = sessions.update(id.session) { session in
            let changed = session.transfers.update(id.number) { transfer in
                let old = transfer.tally
                change(&transfer)
                return (old, transfer.tally)
            }
            guard let (old, new) = changed, old != new else { return Int64(0) }
            session.count(old, by: -1)
            session.count(new, by: 1)
            return new.weight - old.weight
        }
        if let heavier, heavier != 0 { clients.update(id.session.app) { $0.bytes += heavier } }
        arrange(id)
    }

    mutating func remove(_ id: TransferID, into actions: inout Actions<Transfers>) {
        guard let transfer = self[id] else { return }
        if transfer.isActive { over(id, into: &actions) }
        withdraw(id)
        sessions.update(id.session) { session in
            session.count(transfer.tally, by: -1)
            session.transfers.remove(id.number)
        }
        clients.update(id.session.app) { client in
            client.count -= 1
            client.bytes -= transfer.record.weight
        }
        actions.persist(.taskRemoved(id))
        actions.perform(.discard(id))
        attend(id.session)
    }

    /// Updates the task's place in the queue and its timers.
    mutating func arrange(_ id: TransferID) {
        let (now, patience) = (wallNow, limits.patience)
        let moved = sessions.update(id.session) { session in
            let terms = session.terms
            return session.transfers.update(id.number) { $0.arrange(by: terms, patience: patience, at: now) }
        }
        guard case let (old, new, isForced)?? = moved else { return }
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
        if isForced {
            forced.insert(id)
            mayBegin = true
        } else if !forced.isEmpty {
            forced.remove(id)
        }
        if new.queued != nil, old.queued != new.queued { mayBegin = true }
        let isNew = new.queued != nil && old.queued == nil || new.wait == .earliestBegin && old.wait != new.wait
        if isNew, now > .zero { waiting.append(id) }
        if old.queued != new.queued {
            changeQueue(of: id.session) { queue in
                if let place = old.queued { queue.remove(place.place, from: place.lane) }
                if let place = new.queued { queue.insert(place.place, in: place.lane) }
            }
        }
    }

    /// Removes the task from the queue, and its timers.
    private mutating func withdraw(_ id: TransferID) {
        guard let places = self[id]?.places else { return }
        forced.remove(id)
        if let at = places.wallTimer { wallTimers.remove(Timer(at: at, id: id)) }
        if let at = places.steadyTimer { steadyTimers.remove(Timer(at: at, id: id)) }
        if let at = places.limitTimer { limitTimers.remove(Timer(at: at, id: id)) }
        if let queued = places.queued {
            changeQueue(of: id.session) { $0.remove(queued.place, from: queued.lane) }
        }
    }

    /// Changes the queue of a session, and updates `ready`.
    mutating func changeQueue(of id: TransferSessionID, _ change: (inout TransferQueue) -> Void) {
        let isReady = sessions.update(id) { session in
            change(&session.queue)
            return session.queue.hasFirst
        }
        if isReady == true { ready.sortedInsert(id) } else { ready.sortedRemove(id) }
    }

    // MARK: Attempts

    mutating func begin(_ id: TransferID, into actions: inout Actions<Transfers>) {
        guard let transfer = self[id], transfer.state == .resting, transfer.record.outcome == nil else { return }
        actions.rely(on: !active.contains(id), else: .transferNotCounted, about: id.session.app)
        lastAttempt &+= 1
        let (attempt, now, steady) = (lastAttempt, wallNow, steadyNow)
        change(id) { transfer in
            transfer.state = .active(attempt: attempt)
            transfer.since = now
            transfer.begun = steady
            transfer.reportedWait = nil
        }
        noteTurn(of: id.session.app)
        sessions.update(id.session) { $0.active += 1 }
        changeQueue(of: id.session) { $0.began(at: transfer.host) }
        clients.update(id.session.app) { $0.active += 1 }
        active.sortedInsert(id)
        actions.explain(.began(id, attempt: attempt))
        actions.perform(.begin(id, attempt: attempt))
    }

    /// Stops the attempt under way.
    mutating func stop(_ id: TransferID, keepsPartial: Bool = false, into actions: inout Actions<Transfers>) {
        guard case .active(let attempt) = self[id]?.state else { return }
        change(id) { $0.state = .stopping(attempt: attempt, partial: keepsPartial) }
        actions.perform(.stop(id))
    }

    /// The attempt under way is over, with any result.
    mutating func over(_ id: TransferID, into actions: inout Actions<Transfers>) {
        guard let transfer = self[id], transfer.isActive else { return }
        actions.rely(on: active.contains(id), else: .transferNotCounted, about: id.session.app)
        active.sortedRemove(id)
        sessions.update(id.session) { $0.active -= 1 }
        changeQueue(of: id.session) { $0.ended(at: transfer.host) }
        clients.update(id.session.app) { $0.active -= 1 }
        mayBegin = true
    }
}

/// An app that has sessions.
struct TransferClient: Hashable, Sendable, Codable {
    var status = AppStatus()
    var delay = ResumptionDelay([])
    /// The number of the app's last turn; zero before the first turn.
    var lastTurn: Int64 = 0
    /// The number of the app's tasks that the engine runs.
    var active: Int32 = 0
    /// The number of the app's tasks, and the bytes of their strings.
    var count = 0
    var bytes: Int64 = 0
}

extension Transfers.Limits {
    init(_ policy: Policy) {
        patience = policy.discretionaryPatience
        partialsKept = policy.partialsKept
        bytesPerApp = policy.transferBytesPerApp
        delayedTaskAnswer = policy.delayedTaskAnswer
        clockPersistence = policy.clockPersistence
    }
}
