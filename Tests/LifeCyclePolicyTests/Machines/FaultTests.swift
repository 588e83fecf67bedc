import LifeCycleModel
import Testing

@testable import LifeCyclePolicy

/// What the machines rely on: where it is not so, a debug build stops, and a release build ends the app concerned.
@Suite struct FaultTests {
    @Test func aDebugBuildStopsAtAFault() async {
        await #expect(processExitsWith: .failure) {
            var signals: [Signal] = []
            rely(on: false, else: .activeTwice, into: &signals)
        }
    }

    @Test func whatIsSoChangesNothing() {
        var signals: [Signal] = []
        #expect(rely(on: true, else: .activeTwice, into: &signals))
        #expect(signals.isEmpty)
    }

    /// A release build goes on as it does here, once the fault is found.
    @Test(arguments: SystemFault.allCases) func aFaultEndsItsAppAndNoOther(_ fault: SystemFault) throws {
        var bench = Bench()
        _ = bench.plays(.device(.appOpened(app(1))))
        _ = bench.plays(.device(.appOpened(app(2))))
        let slot = try #require(bench.device.state.slot(of: app(1)))
        var effects: [Effect] = []
        bench.device.state.route([.killDue(.fault(fault))], slot, at: bench.now.awake, into: &effects)
        #expect(effects.contains(.launch(launch(1), .kill(.fault(fault)))))
        _ = bench.plays(.process(launch(1), .exited(.signaled(9))))
        #expect(bench.lines.contains { $0.contains("fault \(fault.rawValue)") })
        #expect(bench.state(1) == .notRunning)
        #expect(bench.state(2) == .active)
        _ = bench.plays(.device(.appOpened(app(1))))
        #expect(bench.state(1) == .active, "a new launch begins with a sound state")
    }
}
