import LifeCycleModel
import Testing

@testable import LifeCyclePolicy

/// Statements that the state machines rely on and that are false. A release build ends the app concerned.
@Suite struct FaultTests {
    @Test func aTrueStatementHasNoEffect() {
        var signals: [Signal] = []
        #expect(rely(on: true, else: .activeTwice, into: &signals))
        #expect(signals.isEmpty)
    }

    @Test func aConcernsFaultEndsTheAppConcerned() {
        var actions = Actions<Fetches>()
        let isSo = actions.rely(on: true, else: .fetchNotWanted, about: app(2))
        #expect(isSo && actions.list.isEmpty)
        let isToo = actions.rely(on: false, else: .fetchNotWanted, about: app(2))
        #expect(!isToo && actions.list.count == 1)
        guard case .fail(app(2), .fetchNotWanted)? = actions.list.first else {
            Issue.record("\(actions.list)")
            return
        }
    }

    /// A release build continues as this test does, once it has found the fault.
    @Test(arguments: SystemFault.allCases) func aFaultEndsItsAppAndNoOther(_ fault: SystemFault) throws {
        var bench = Bench()
        _ = bench.plays(.device(.appOpened(app(1))))
        _ = bench.plays(.device(.appOpened(app(2))))
        var device = bench.device
        let slot = try #require(device.state.slot(of: app(1)))
        var effects: [Effect] = []
        device.state.route([.killDue(.fault(fault))], slot, at: bench.now.awake, into: &effects)
        #expect(effects.contains(.launch(launch(1), .kill(.fault(fault)))))
        device.handle(.process(launch(1), .exited(.signaled(9))), at: bench.now, into: &effects)
        #expect(effects.contains(.decided(.launch(launch(1), .ended(.fault(fault), .signaled(9))))))
        #expect(device.snapshot(of: app(1))?.state == .notRunning)
        #expect(device.snapshot(of: app(2))?.state == .active)
    }
}
