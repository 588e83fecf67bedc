import LifeCycleModel
import Testing

@testable import LifeCyclePolicy

/// The single clock of an app's tasks: every state by every event.
@Suite struct BackgroundTasksTests {
    enum Input: Sendable {
        case entered, left, suspended, launchEnding, stall
        case began(Int64), ended(Int64), declared([Int64]), time(Nanoseconds)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let from: BackgroundTasks.Clock
        let open: [Int64]
        let input: Input
        var now: Nanoseconds = at(10)
        let to: BackgroundTasks.Clock
        let left: [Int64]
        var signals: [Signal] = []
        var effects: [String] = []
        var testDescription: String { "\(from) \(open), \(input)" }
    }

    static let running = BackgroundTasks.Clock.running(expireAt: at(25), until: at(30))
    static let expiring = BackgroundTasks.Clock.expiring(until: at(30))
    static let fresh = BackgroundTasks.Clock.running(expireAt: at(35), until: at(40))
    static let one = Signal.asserted(.task(TaskID(1)))
    static let clockStarts = ["· 1.1 clock until +40 s"]
    static let tellsTime = Signal.messageDue(.backgroundTime(until: at(40)))
    static let tellsRefusal = Signal.messageDue(.taskRefused(TaskID(2)))

    static let rows: [Row] = [
        Row(from: .dormant, open: [], input: .entered, to: .ready, left: []),
        Row(
            from: .dormant, open: [1], input: .entered, to: fresh, left: [1], signals: [tellsTime], effects: clockStarts
        ),
        Row(from: .dormant, open: [1], input: .left, to: .dormant, left: [1]),
        Row(from: .dormant, open: [1], input: .suspended, to: .dormant, left: [1]),
        Row(from: .dormant, open: [1], input: .time(at(999)), to: .dormant, left: [1]),
        Row(
            from: .dormant, open: [], input: .began(1), to: .dormant, left: [1], signals: [one],
            effects: ["· 1.1 task 1 granted"]),
        Row(
            from: .ready, open: [], input: .began(1), to: fresh, left: [1], signals: [one, tellsTime],
            effects: ["· 1.1 task 1 granted"] + clockStarts),
        Row(from: .ready, open: [], input: .left, to: .dormant, left: []),
        Row(from: .ready, open: [], input: .entered, to: .ready, left: []),
        Row(
            from: .ready, open: [], input: .declared([1]), to: fresh, left: [1], signals: [one, tellsTime],
            effects: ["· 1.1 task 1 granted"] + clockStarts),
        Row(from: .ready, open: [], input: .declared([]), to: .ready, left: []),
        Row(
            from: .ready, open: [], input: .ended(1), to: .ready, left: [], effects: ["· 1.1 task 1 unknown"]),
        Row(
            from: running, open: [1], input: .began(2), to: running, left: [1, 2],
            signals: [.asserted(.task(TaskID(2)))], effects: ["· 1.1 task 2 granted"]),
        Row(from: running, open: [1], input: .began(1), to: running, left: [1]),
        Row(
            from: running, open: [1], input: .began(2), now: at(25), to: running, left: [1],
            signals: [tellsRefusal], effects: ["· 1.1 task 2 refused"]),
        Row(
            from: running, open: [1, 2], input: .ended(1), to: running, left: [2],
            signals: [.released(.task(TaskID(1)))], effects: ["· 1.1 task 1 ended, 1 open"]),
        Row(
            from: running, open: [1], input: .declared([2]), to: running, left: [2],
            signals: [.asserted(.task(TaskID(2))), .released(.task(TaskID(1)))],
            effects: ["· 1.1 task 2 granted", "· 1.1 task 1 ended, 1 open"]),
        Row(from: running, open: [], input: .suspended, to: .ready, left: []),
        Row(from: running, open: [], input: .entered, to: running, left: []),
        Row(from: running, open: [1], input: .time(at(25) - Nanoseconds(1)), to: running, left: [1]),
        Row(
            from: running, open: [1, 2], input: .time(at(25)), to: expiring, left: [1, 2], signals: [.expiryDue],
            effects: ["· 1.1 expiring [1 2]"]),
        Row(from: running, open: [], input: .time(at(25)), to: running, left: []),
        Row(from: running, open: [1], input: .left, to: .dormant, left: [1], effects: ["1.1 has no clock"]),
        Row(from: running, open: [1], input: .stall, to: running, left: [1]),
        Row(
            from: running, open: [1], input: .stall, now: at(50),
            to: .running(expireAt: at(50), until: at(55)), left: [1]),
        Row(
            from: expiring, open: [1], input: .began(2), to: expiring, left: [1],
            signals: [tellsRefusal], effects: ["· 1.1 task 2 refused"]),
        Row(
            from: expiring, open: [1], input: .ended(1), to: expiring, left: [],
            signals: [.released(.task(TaskID(1)))], effects: ["· 1.1 task 1 ended, 0 open"]),
        Row(from: expiring, open: [1], input: .time(at(30) - Nanoseconds(1)), to: expiring, left: [1]),
        Row(
            from: expiring, open: [1], input: .time(at(30)), to: expiring, left: [1],
            signals: [.killDue(.tasksNotEnded(.taskNotCompleted))]),
        Row(from: expiring, open: [], input: .time(at(30)), to: expiring, left: []),
        Row(from: expiring, open: [], input: .suspended, to: .ready, left: []),
        Row(from: expiring, open: [1], input: .left, to: .dormant, left: [1], effects: ["1.1 has no clock"]),
        Row(from: expiring, open: [1], input: .stall, now: at(50), to: .expiring(until: at(55)), left: [1]),
        Row(from: expiring, open: [1], input: .launchEnding, to: .dormant, left: []),
    ]

    /// Tasks whose clock has reached the state `clock` by its usual path, with `open` still open.
    static func tasks(_ clock: BackgroundTasks.Clock, _ open: [Int64]) -> BackgroundTasks {
        var tasks = BackgroundTasks()
        var signals: [Signal] = []
        var effects: [Effect] = []
        func begin(_ ids: [Int64]) {
            for id in ids {
                tasks.began(
                    task(id), launch: launch(1), policy: .iOS26, at: start, into: &signals, effects: &effects)
            }
        }
        switch clock {
        case .dormant: begin(open)
        case .ready:
            tasks.enteredBackground(
                launch: launch(1), policy: .iOS26, at: start, into: &signals, effects: &effects)
        case .running, .expiring:
            tasks.enteredBackground(
                launch: launch(1), policy: .iOS26, at: start, into: &signals, effects: &effects)
            begin(open + [77])
            if case .expiring = clock {
                tasks.timePassed(
                    launch: launch(1), policy: .iOS26, at: at(25), into: &signals, effects: &effects)
            }
            tasks.ended(TaskID(77), launch: launch(1), into: &signals, effects: &effects)
        }
        return tasks
    }

    @Test(arguments: rows) func everyStateByEveryEvent(_ row: Row) {
        var machine = Self.tasks(row.from, row.open)
        #expect(machine.clock == row.from)
        #expect(machine.open == row.open.map(task))
        var signals: [Signal] = []
        var effects: [Effect] = []
        let (one, policy) = (launch(1), Policy.iOS26)
        switch row.input {
        case .entered:
            machine.enteredBackground(
                launch: one, policy: policy, at: row.now, into: &signals, effects: &effects)
        case .left: machine.leftBackground(launch: one, into: &effects)
        case .suspended: machine.suspended()
        case .launchEnding: machine.launchEnding()
        case .stall: machine.loopStalled(policy: policy, at: row.now)
        case .began(let id):
            machine.began(task(id), launch: one, policy: policy, at: row.now, into: &signals, effects: &effects)
        case .ended(let id): machine.ended(TaskID(id), launch: one, into: &signals, effects: &effects)
        case .declared(let ids):
            machine.declared(
                ids.map(task), launch: one, policy: policy, at: row.now, into: &signals, effects: &effects)
        case .time(let now):
            machine.timePassed(launch: one, policy: policy, at: now, into: &signals, effects: &effects)
        }
        #expect(machine.clock == row.to)
        #expect(machine.open == row.left.map(task))
        #expect(signals == row.signals)
        #expect(effects.map(Lines.of) == row.effects)
    }

    @Test func deadlinesAreOnlyForOpenTasks() {
        #expect(Self.tasks(.dormant, [1]).nextDeadline(of: launch(1)) == nil)
        #expect(Self.tasks(.ready, []).nextDeadline(of: launch(1)) == nil)
        #expect(Self.tasks(Self.running, []).nextDeadline(of: launch(1)) == nil)
        #expect(
            Self.tasks(Self.running, [1]).nextDeadline(of: launch(1))
                == Deadline(at: at(25), reason: .taskExpiry(launch(1))))
        #expect(
            Self.tasks(Self.expiring, [1]).nextDeadline(of: launch(1))
                == Deadline(at: at(30), reason: .backgroundTime(launch(1))))
    }

    @Test func endingARefusedTaskIsNoMistake() {
        var machine = Self.tasks(Self.expiring, [1])
        var signals: [Signal] = []
        var effects: [Effect] = []
        for _ in 0..<2 {
            machine.began(task(2), launch: launch(1), policy: .iOS26, at: at(26), into: &signals, effects: &effects)
        }
        #expect(effects.count == 1, "once")
        #expect(signals == [Self.tellsRefusal], "signaled once")
        machine.ended(TaskID(2), launch: launch(1), into: &signals, effects: &effects)
        #expect(effects.count == 1)
        machine.ended(TaskID(2), launch: launch(1), into: &signals, effects: &effects)
        #expect(effects.last == .decided(.launch(launch(1), .unknownTaskEnded(TaskID(2)))))
        #expect(signals == [Self.tellsRefusal])
    }

    @Test func theCapKillsOneAboveIt() {
        let policy = Policy.iOS26.with { $0.taskCap = 2 }
        var machine = BackgroundTasks()
        var signals: [Signal] = []
        var effects: [Effect] = []
        for id: Int64 in 1...2 {
            machine.began(task(id), launch: launch(1), policy: policy, at: start, into: &signals, effects: &effects)
        }
        #expect(!signals.contains(.killDue(.tooManyTasks)))
        machine.began(task(3), launch: launch(1), policy: policy, at: start, into: &signals, effects: &effects)
        #expect(signals.last == .killDue(.tooManyTasks))
    }

    @Test func openTasksAreSortedByID() {
        var machine = BackgroundTasks()
        var signals: [Signal] = []
        var effects: [Effect] = []
        for id: Int64 in [4, 1, 3] {
            machine.began(task(id), launch: launch(1), policy: .iOS26, at: start, into: &signals, effects: &effects)
        }
        #expect(machine.open == [task(1), task(3), task(4)])
    }
}
