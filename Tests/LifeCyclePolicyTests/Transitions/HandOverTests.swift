import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// The foreground passes from one app to the next. The second app becomes active only after the first has resigned.
@Suite struct HandOverTests {
    /// The first app is active and hangs. The second has launched, and waits for the first.
    private func waiting() -> Bench {
        var bench = Bench.with(.active)
        bench.helpers[launch(1)]?.isHung = true
        _ = bench.plays(.device(.appOpened(app(2))))
        bench.forget()
        return bench
    }

    @Test func theSecondWaitsForTheFirstToResign() {
        var bench = waiting()
        #expect(bench.state(1) == .active)
        #expect(bench.state(2) == .inactive)
        bench.helpers[launch(1)]?.isHung = false
        #expect(
            bench.acknowledge(launch(1)) == """
                · 1.1 active → inactive
                2.1 #2 didBecomeActive
                · 2.1 inactive → active
                1.1 #4 didEnterBackground
                · 1.1 inactive → background
                store 1.1
                """)
    }

    @Test func aHangingFirstAppIsKilledAndTheSecondActivates() {
        var bench = waiting()
        #expect(
            bench.passes(seconds(10)) == """
                > deadline
                · 1.1 terminating: watchdog willResignActive
                kill 1.1: watchdog willResignActive, 0x8badf00d
                2.1 #2 didBecomeActive
                · 2.1 inactive → active
                store 1.1 ending: watchdog willResignActive
                """)
    }

    @Test func aCrashOfTheFirstAppActivatesTheSecond() {
        var bench = waiting()
        #expect(
            bench.does(.process(launch(1), .exited(.signaled(11)))) == """
                · 1.1 ended: by itself, signal 11, signal 11
                2.1 #2 didBecomeActive
                · 2.1 inactive → active
                · 1.1 active → not running
                store end of 1.1
                """)
    }

    @Test func aSecondThatCrashesWhileItWaits() {
        var bench = waiting()
        _ = bench.does(.process(launch(2), .exited(.signaled(11))))
        bench.helpers[launch(1)]?.isHung = false
        #expect(!bench.acknowledge(launch(1)).contains("didBecomeActive"))
        _ = bench.plays()
        #expect(bench.state(1) == .suspended)
    }

    @Test func backToTheFirstBeforeItResigned() {
        var bench = Bench.with(.active)
        _ = bench.does(.device(.appOpened(app(2))))
        _ = bench.does(.device(.appOpened(app(1))))
        _ = bench.acknowledge(launch(1))
        _ = bench.acknowledge(launch(1))
        #expect(bench.state(1) == .active)
        #expect(bench.device.snapshot(of: app(1))?.launch == launch(1))
    }

    /// The second app was opened by mistake. The second app has a transient activation, and is suspended while the
    /// first is active.
    @Test func theSecondAppRisesTransiently() {
        var bench = Bench.with(.active)
        _ = bench.does(.device(.appOpened(app(2))))
        _ = bench.does(.device(.appOpened(app(1))))
        #expect(
            bench.plays() == """
                > 1.1 acknowledged #3
                · 1.1 active → inactive
                1.1 #4 didBecomeActive
                · 1.1 inactive → active
                > 1.1 acknowledged #4
                > 2.1 started
                > 2.1 attached starting #0
                2.1 #1 launch for user
                > 2.1 acknowledged #1
                2.1 #2 didBecomeActive
                store 2.1 active
                > 2.1 acknowledged #2
                2.1 #3 willResignActive
                > 2.1 acknowledged #3
                2.1 #4 didEnterBackground
                · 2.1 inactive → background
                store 2.1
                > 2.1 acknowledged #4
                · 2.1 suspending after foreground
                freeze 2.1 (1)
                > 2.1 froze (1)
                · 2.1 background → suspended
                store 2.1 suspended
                """)
        #expect(bench.state(1) == .active)
    }

    @Test func aWaitingAppRisesTransientlyOnceUnwanted() {
        var bench = Bench.with(.inactive)
        _ = bench.does(.process(launch(1), .started))
        _ = bench.does(.app(launch(1), .attached(.new)))
        _ = bench.acknowledge(launch(1))
        // The first app has not answered didBecomeActive, so the second waits.
        bench.helpers[launch(1)]?.isHung = true
        _ = bench.plays(.device(.appOpened(app(2))))
        #expect(bench.state(2) == .inactive)
        #expect(
            bench.does(.device(.appOpened(app(1))))
                == "2.1 #2 didBecomeActive\nstore 2.1 active\nstore app 1: 1 launched\nstore 1.1 foreground")
        _ = bench.plays()
        #expect(bench.state(2) == .suspended)
        #expect(bench.state(1) == .active)
    }

    @Test func anAppOpenedDuringATransientActivation() {
        var bench = Bench.with(.active)
        _ = bench.does(.device(.appOpened(app(2))))
        _ = bench.does(.device(.appOpened(app(1))))
        _ = bench.acknowledge(launch(1))
        _ = bench.acknowledge(launch(1))
        _ = bench.does(.process(launch(2), .started))
        _ = bench.does(.app(launch(2), .attached(.new)))
        #expect(bench.acknowledge(launch(2)) == "2.1 #2 didBecomeActive\nstore 2.1 active")
        _ = bench.plays(.device(.appOpened(app(2))))
        #expect(bench.state(1) == .suspended)
        #expect(bench.state(2) == .active)
    }

    @Test func threeInARow() {
        var bench = Bench(.iOS26, [.sample(1), .sample(2), .sample(3)])
        _ = bench.plays(.device(.appOpened(app(1))))
        _ = bench.does(.device(.appOpened(app(2))))
        _ = bench.does(.device(.appOpened(app(3))))
        _ = bench.plays()
        #expect(bench.state(1) == .suspended)
        #expect(bench.state(2) == .suspended)
        #expect(bench.state(3) == .active)
    }

    /// Two apps are never active at once, in any order of their answers.
    @Test func atMostOneIsActive() {
        for first in 1...3 as ClosedRange<Int32> {
            var bench = Bench(.iOS26, [.sample(1), .sample(2), .sample(3)])
            for number in [first, first % 3 + 1, first, (first + 1) % 3 + 1] {
                _ = bench.does(.device(.appOpened(app(number))))
                _ = bench.does(.process(launch(number), .started))
                _ = bench.does(.app(launch(number), .attached(.new)))
                for other: Int32 in 1...3 {
                    _ = bench.acknowledge(launch(other))
                    let active = bench.device.snapshots.filter { $0.state == .active }
                    #expect(active.count <= 1)
                }
            }
        }
    }

    /// After a restart of the system, the app waits for another app that may consider itself active. If the app is sent
    /// away or interrupted meanwhile, it no longer waits when the other app reports.
    @Test(arguments: [
        (Event.device(.homePressed), [Callback.didEnterBackground]), (.device(.interruptionBegan(.call)), []),
    ])
    func aFallingAppThatIsStoppedLeavesTheQueue(_ event: Event, expected: [Callback]) {
        let records = [Int32(1), 2].map { AppRecord(app: app($0), manifest: .sample(Int($0))) }
        var device = Device(
            policy: .iOS26, apps: records,
            launches: [
                LaunchRecord(launch: launch(1), reason: .user, isInForeground: true, isSuspended: false),
                LaunchRecord(
                    launch: launch(2), reason: .user, isInForeground: false, mayBeActive: true, isSuspended: false),
            ])
        var effects: [Effect] = []
        for event in [
            Event.process(launch(1), .found(isFrozen: false)), .process(launch(2), .found(isFrozen: false)),
            .app(launch(1), .attached(Attachment(lastCallback: callback(3), phase: .falling, open: []))), event,
            .app(launch(1), .requested(.acknowledge(callback(4), open: []))),
            .app(launch(2), .attached(Attachment(lastCallback: callback(4), phase: .background, open: []))),
        ] {
            device.handle(event, at: .zero.advanced(by: start), into: &effects)
        }
        let received = effects.compactMap { effect -> Callback? in
            if case .launch(launch(1), .send(.callback(_, let due))) = effect { due } else { nil }
        }
        #expect(received == expected)
    }

    @Test func aHomeScreenInBetweenChangesNothing() {
        var bench = waiting()
        _ = bench.does(.device(.homePressed))
        _ = bench.does(.device(.appOpened(app(2))))
        bench.helpers[launch(1)]?.isHung = false
        _ = bench.plays()
        #expect(bench.state(2) == .active)
        #expect(bench.state(1) == .suspended)
    }
}
