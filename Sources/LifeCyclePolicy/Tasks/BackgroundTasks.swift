import LifeCycleModel

/// The finite-length tasks of one launch and the clock that they share.
///
/// ```
///   dormant ──enteredBackground──▶ ready ──a task is open──▶ running ──lead──▶ expiring
///      ▲                             ▲                          │                │ time is up, a task open: killDue
///      └────────leftBackground───────┴────────suspended─────────┴────────────────┘
/// ```
struct BackgroundTasks: Hashable, Sendable, Codable {
    enum Clock: Hashable, Sendable, Codable {
        /// The app is in the foreground: tasks may be open, and no time is counted.
        case dormant
        /// The app is in the background. No task was open since it entered the background or was last suspended.
        case ready
        /// The app's only clock is running: two tasks do not give double time.
        case running(expireAt: Nanoseconds, until: Nanoseconds)
        /// The expiration handlers are called; no further task is granted.
        case expiring(until: Nanoseconds)
    }

    private(set) var clock = Clock.dormant
    /// Whether the app would run also without tasks, so that no time is counted.
    private var isStopped = false
    /// In the order of their ids.
    private(set) var open: [BackgroundTask] = []
    /// The tasks that were not granted and that the app still lists; sorted.
    private var refused: [TaskID] = []
    /// Whether the app knows a clock that ended with its suspension. The app cannot know that it was suspended.
    private var isEndOfClockPending = false

    /// The end of background time; nil if the clock is not running.
    var until: Nanoseconds? {
        switch clock {
        case .dormant, .ready: nil
        case .running(_, let until), .expiring(let until): until
        }
    }

    @inline(__always) func nextDeadline(of launch: LaunchID) -> Deadline? {
        guard !open.isEmpty else { return nil }
        switch clock {
        case .dormant, .ready: return nil
        case .running(let expireAt, _): return Deadline(at: expireAt, reason: .taskExpiry(launch))
        case .expiring(let until): return Deadline(at: until, reason: .backgroundTime(launch))
        }
    }

    mutating func launchBegan() { self = BackgroundTasks() }
    mutating func launchEnding() { self = BackgroundTasks() }

    mutating func enteredBackground(
        launch: LaunchID, policy: Policy, at now: Nanoseconds, into signals: inout [Signal], effects: inout [Effect]
    ) {
        guard clock == .dormant else { return }
        clock = .ready
        startClock(launch: launch, policy: policy, at: now, into: &signals, effects: &effects)
        rely(on: isCounted, else: .taskWithoutClock, into: &signals)
    }

    /// Whether the clock runs for the open tasks whenever it has to.
    private var isCounted: Bool { open.isEmpty || clock != .ready || isStopped }

    /// Before a restart of the system, something kept the app running that has no time limit.
    mutating func keptRunningBefore() { isStopped = true }

    /// Something keeps the app running that has no time limit: the clock stops.
    mutating func keptRunning(launch: LaunchID, into effects: inout [Effect]) {
        isStopped = true
        guard until != nil else { return }
        effects.append(.launch(launch, .send(.backgroundTime(until: nil))))
        clock = .ready
    }

    /// Nothing without a time limit keeps the app running: in the background the time counts again, from its beginning.
    mutating func notKeptRunning(
        launch: LaunchID, policy: Policy, at now: Nanoseconds, into signals: inout [Signal], effects: inout [Effect]
    ) {
        isStopped = false
        startClock(launch: launch, policy: policy, at: now, into: &signals, effects: &effects)
    }

    mutating func leftBackground(launch: LaunchID, into effects: inout [Effect]) {
        if until != nil { effects.append(.launch(launch, .send(.backgroundTime(until: nil)))) }
        clock = .dormant
    }

    mutating func suspended() {
        switch clock {
        case .dormant: break
        case .ready: clock = .ready
        case .running, .expiring:
            clock = .ready
            isEndOfClockPending = true
        }
    }

    /// The app runs again. A task that begins now has a new clock, not the rest of the earlier one.
    mutating func resumed(into signals: inout [Signal]) {
        guard isEndOfClockPending else { return }
        isEndOfClockPending = false
        signals.append(.messageDue(.backgroundTime(until: nil)))
    }

    mutating func began(
        _ task: BackgroundTask, launch: LaunchID, policy: Policy, at now: Nanoseconds, into signals: inout [Signal],
        effects: inout [Effect]
    ) {
        let index = self.index(of: task.id)
        if index < open.count, open[index].id == task.id { return }
        if isTimeUp(at: now) {
            let place = refused.sortedIndex(of: task.id)
            guard place == refused.count || refused[place] != task.id else { return }
            refused.insert(task.id, at: place)
            effects.append(.decided(.launch(launch, .taskRefused(task))))
            signals.append(.messageDue(.taskRefused(task.id)))
            return
        }
        open.insert(task, at: index)
        effects.append(.decided(.launch(launch, .taskGranted(task))))
        signals.append(.asserted(.task(task.id)))
        if let cap = policy.taskCap, open.count > cap { signals.append(.killDue(.tooManyTasks)) }
        startClock(launch: launch, policy: policy, at: now, into: &signals, effects: &effects)
    }

    mutating func ended(_ id: TaskID, launch: LaunchID, into signals: inout [Signal], effects: inout [Effect]) {
        let index = self.index(of: id)
        if index < open.count, open[index].id == id {
            open.remove(at: index)
            effects.append(.decided(.launch(launch, .taskEnded(id, open: open.count))))
            signals.append(.released(.task(id)))
            return
        }
        let place = refused.sortedIndex(of: id)
        if place < refused.count, refused[place] == id {
            refused.remove(at: place)
        } else {
            effects.append(.decided(.launch(launch, .unknownTaskEnded(id))))
        }
    }

    /// Accepts the app's own list of open tasks, which comes with every acknowledgment.
    mutating func declared(
        _ declared: [BackgroundTask], launch: LaunchID, policy: Policy, at now: Nanoseconds,
        into signals: inout [Signal], effects: inout [Effect]
    ) {
        if declared.isEmpty, open.isEmpty, refused.isEmpty { return }
        let ids = declared.map(\.id).sorted()
        func isDeclared(_ id: TaskID) -> Bool {
            let index = ids.sortedIndex(of: id)
            return index < ids.count && ids[index] == id
        }
        // Begun tasks come before ended tasks: an app that swaps one task for another is not suspended in between.
        for task in declared {
            began(task, launch: launch, policy: policy, at: now, into: &signals, effects: &effects)
        }
        for task in open where !isDeclared(task.id) {
            ended(task.id, launch: launch, into: &signals, effects: &effects)
        }
        refused.removeAll { !isDeclared($0) }
    }

    mutating func timePassed(
        launch: LaunchID, policy: Policy, at now: Nanoseconds, into signals: inout [Signal], effects: inout [Effect]
    ) {
        guard !open.isEmpty, rely(on: isCounted, else: .taskWithoutClock, into: &signals) else { return }
        switch clock {
        case .running(let expireAt, let until) where expireAt <= now:
            clock = .expiring(until: until)
            effects.append(.decided(.launch(launch, .tasksExpiring(open))))
            signals.append(.expiryDue)
        case .expiring(let until) where until <= now:
            signals.append(.killDue(.tasksNotEnded(policy.tasksNotEndedCode)))
        case .dormant, .ready, .running, .expiring:
            break
        }
    }

    /// The event loop stalled: expiration handlers are still called before time is up.
    mutating func loopStalled(policy: Policy, at now: Nanoseconds) {
        let earliest = now + policy.expirationLead
        switch clock {
        case .dormant, .ready: break
        case .running(let expireAt, let until):
            clock = .running(expireAt: max(expireAt, now), until: max(until, earliest))
        case .expiring(let until): clock = .expiring(until: max(until, earliest))
        }
    }

    /// Sends the end of background time and the refused tasks again, on a new connection.
    func repeatClock(to launch: LaunchID, into effects: inout [Effect]) {
        if let until { effects.append(.launch(launch, .send(.backgroundTime(until: until)))) }
        for id in refused { effects.append(.launch(launch, .send(.taskRefused(id)))) }
    }

    private mutating func startClock(
        launch: LaunchID, policy: Policy, at now: Nanoseconds, into signals: inout [Signal], effects: inout [Effect]
    ) {
        guard clock == .ready, !open.isEmpty, !isStopped else { return }
        let until = now + policy.backgroundTime
        clock = .running(expireAt: until - policy.expirationLead, until: until)
        effects.append(.decided(.launch(launch, .backgroundTimeGranted(until: until))))
        signals.append(.messageDue(.backgroundTime(until: until)))
    }

    private func isTimeUp(at now: Nanoseconds) -> Bool {
        switch clock {
        case .dormant, .ready: false
        case .running(let expireAt, _): expireAt <= now
        case .expiring: true
        }
    }

    private func index(of id: TaskID) -> Int {
        var low = 0
        var high = open.count
        while low < high {
            let middle = (low + high) / 2
            if open[middle].id < id { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
