import LifeCycleModel
import Testing

@testable import LifeCyclePolicy

/// The suspension of an app: every state by every event.
@Suite struct SuspensionTests {
    enum Input: Sendable {
        case launchBegan, launchEnding, exitAwaited, launchEnded, foundFrozen, foundRunning
        case firstAsserted, lastReleased, stall
        case thawed, thawFailed
        case froze(Int32), failed(Int32), time(Nanoseconds)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let from: Suspension.State
        let input: Input
        let to: Suspension.State
        var signals: [Signal] = []
        var effects: [String] = []
        var testDescription: String { "\(from), \(input)" }
    }

    static let freezing = Suspension.State.freezing(until: at(10))
    static let frozen = Suspension.State.frozen(footprint: 7)
    static let held = Suspension.State.held
    static let thawing = Suspension.State.thawing(againAt: at(2))

    static let rows: [Row] = [
        Row(from: .held, input: .firstAsserted, to: .held),
        Row(
            from: .held, input: .lastReleased, to: .freezing(until: at(11)),
            effects: ["· 1.1 suspending after task 1", "freeze 1.1 (2)"]),
        Row(from: .held, input: .froze(1), to: .held, effects: ["· 1.1 ignored, late"]),
        Row(from: .held, input: .failed(1), to: .held, effects: ["· 1.1 ignored, late"]),
        Row(from: .held, input: .time(at(99)), to: .held),
        Row(from: .held, input: .launchEnding, to: .held),
        Row(from: .held, input: .stall, to: .held),
        Row(from: .held, input: .foundFrozen, to: .frozen(footprint: 0)),
        Row(
            from: freezing, input: .firstAsserted, to: .held, effects: ["thaw 1.1", "· 1.1 resumed for task 1"]),
        Row(from: freezing, input: .lastReleased, to: freezing),
        Row(from: freezing, input: .froze(1), to: frozen, signals: [.suspended]),
        Row(from: freezing, input: .froze(0), to: freezing, effects: ["· 1.1 ignored, late"]),
        Row(from: freezing, input: .froze(2), to: freezing, effects: ["· 1.1 ignored, late"]),
        Row(from: freezing, input: .failed(1), to: .held, signals: [.killDue(.notFreezable)]),
        Row(from: freezing, input: .failed(0), to: freezing, effects: ["· 1.1 ignored, late"]),
        Row(from: freezing, input: .time(at(10) - Nanoseconds(1)), to: freezing),
        Row(from: freezing, input: .time(at(10)), to: .held, signals: [.killDue(.notFreezable)]),
        Row(from: freezing, input: .launchEnding, to: .held),
        Row(from: freezing, input: .stall, to: .freezing(until: at(60))),
        Row(from: freezing, input: .launchBegan, to: .held),
        Row(from: frozen, input: .firstAsserted, to: .held, effects: ["thaw 1.1", "· 1.1 resumed for task 1"]),
        Row(from: frozen, input: .lastReleased, to: frozen),
        Row(from: frozen, input: .froze(1), to: frozen, effects: ["· 1.1 ignored, late"]),
        Row(from: frozen, input: .failed(1), to: frozen, effects: ["· 1.1 ignored, late"]),
        Row(from: frozen, input: .time(at(99)), to: frozen),
        Row(from: frozen, input: .launchEnding, to: frozen),
        Row(from: frozen, input: .launchEnded, to: .held),
        Row(from: frozen, input: .launchBegan, to: .held),
        Row(from: frozen, input: .foundRunning, to: .held),
        Row(from: frozen, input: .stall, to: frozen),
        Row(
            from: frozen, input: .thawed, to: .freezing(until: at(11)),
            effects: ["· 1.1 thawed from outside", "freeze 1.1 (2)"]),
        Row(from: held, input: .thawed, to: held, effects: ["· 1.1 ignored, late"]),
        Row(from: freezing, input: .thawed, to: freezing, effects: ["· 1.1 ignored, late"]),
        Row(from: held, input: .thawFailed, to: .thawing(againAt: at(2)), effects: ["· 1.1 not thawed: 5"]),
        Row(from: freezing, input: .thawFailed, to: freezing, effects: ["· 1.1 ignored, late"]),
        Row(from: frozen, input: .thawFailed, to: frozen, effects: ["· 1.1 ignored, late"]),
        Row(from: thawing, input: .thawFailed, to: thawing, effects: ["· 1.1 ignored, late"]),
        Row(from: thawing, input: .thawed, to: thawing, effects: ["· 1.1 ignored, late"]),
        Row(from: thawing, input: .time(at(2) - Nanoseconds(1)), to: thawing),
        Row(from: thawing, input: .time(at(2)), to: thawing),
        Row(from: thawing, input: .firstAsserted, to: thawing),
        Row(
            from: thawing, input: .lastReleased, to: .freezing(until: at(11)),
            effects: ["· 1.1 suspending after task 1", "freeze 1.1 (2)"]),
        Row(from: thawing, input: .launchEnding, to: .held),
        Row(from: thawing, input: .exitAwaited, to: thawing),
        Row(from: thawing, input: .stall, to: thawing),
    ]

    /// A suspension that has reached `state` after one request to freeze.
    static func suspension(_ state: Suspension.State) -> Suspension {
        var suspension = Suspension()
        var effects: [Effect] = []
        var signals: [Signal] = []
        suspension.lastReleased(.callback, launch: launch(1), policy: .iOS26, at: at(0), into: &effects)
        switch state {
        case .freezing: break
        case .held: suspension.firstAsserted(.callback, launch: launch(1), into: &effects)
        case .thawing:
            suspension.firstAsserted(.callback, launch: launch(1), into: &effects)
            suspension.thawFailed(errno: 5, launch: launch(1), policy: .iOS26, at: at(1), into: &effects)
        case .frozen(let footprint):
            suspension.froze(
                attempt: 1, footprint: footprint, launch: launch(1), into: &signals, effects: &effects)
        }
        return suspension
    }

    @Test(arguments: rows) func everyStateByEveryEvent(_ row: Row) {
        var machine = Self.suspension(row.from)
        #expect(machine.state == row.from)
        var signals: [Signal] = []
        var effects: [Effect] = []
        switch row.input {
        case .launchBegan: machine.launchBegan()
        case .launchEnding: machine.launchEnding(awaitsExit: false)
        case .exitAwaited: machine.launchEnding(awaitsExit: true)
        case .launchEnded: machine.launchEnded()
        case .foundFrozen: machine.found(isFrozen: true)
        case .foundRunning: machine.found(isFrozen: false)
        case .firstAsserted: machine.firstAsserted(.task(TaskID(1)), launch: launch(1), into: &effects)
        case .lastReleased:
            machine.lastReleased(.task(TaskID(1)), launch: launch(1), policy: .iOS26, at: at(1), into: &effects)
        case .stall: machine.loopStalled(policy: .iOS26, at: at(50))
        case .froze(let attempt):
            machine.froze(attempt: attempt, footprint: 7, launch: launch(1), into: &signals, effects: &effects)
        case .failed(let attempt):
            machine.freezeFailed(attempt: attempt, launch: launch(1), into: &signals, effects: &effects)
        case .time(let now): machine.timePassed(of: launch(1), at: now, into: &signals, effects: &effects)
        case .thawed: machine.thawedFromOutside(launch: launch(1), policy: .iOS26, at: at(1), into: &effects)
        case .thawFailed:
            machine.thawFailed(errno: 5, launch: launch(1), policy: .iOS26, at: at(1), into: &effects)
        }
        #expect(machine.state == row.to)
        #expect(signals == row.signals)
        #expect(effects.map(Lines.of) == row.effects)
    }

    @Test func aFailedThawIsDueOnceAndNotBeforeItsTime() {
        var machine = Self.suspension(Self.thawing)
        let times = [at(2) - Nanoseconds(1), at(2), at(3)]
        #expect(times.map { machine.thawIsDue(at: $0) } == [false, true, false])
        #expect(machine.state == .held)
    }

    @Test func aFootprintIsNeverNegative() {
        var machine = Self.suspension(Self.freezing)
        var signals: [Signal] = []
        var effects: [Effect] = []
        machine.froze(attempt: 1, footprint: -5, launch: launch(1), into: &signals, effects: &effects)
        #expect(machine.state == .frozen(footprint: 0))
    }

    @Test func anEndedLaunchResetsTheSuspension() {
        for state in [Suspension.State.held, Self.freezing, Self.frozen] {
            var machine = Self.suspension(state)
            machine.launchEnded()
            #expect(machine == Suspension())
        }
    }

    @Test func onlyAFreezeUnderWayHasADeadline() {
        #expect(Self.suspension(.held).nextDeadline(of: launch(1)) == nil)
        #expect(Self.suspension(Self.frozen).nextDeadline(of: launch(1)) == nil)
        #expect(
            Self.suspension(Self.freezing).nextDeadline(of: launch(1))
                == Deadline(at: at(10), reason: .freeze(launch(1))))
    }
}
