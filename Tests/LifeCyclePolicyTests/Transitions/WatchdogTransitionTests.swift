import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// T21, T22, R-06, R-17: An app that hangs in any callback is killed at the limit, and not before.
@Suite struct WatchdogTransitionTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let limit: Int64
        let bench: @Sendable () -> Bench
        var testDescription: String { name }
    }

    /// A policy by which a thaw calls `didEnterBackground` again (X-03).
    private static let loud = Policy.iOS26.with { $0.wakeCallsDidEnterBackground = true }

    static let rows: [Row] = [
        Row(name: "willResignActive", limit: 10) {
            var bench = Bench.with(.active)
            _ = bench.does(.device(.homePressed))
            return bench
        },
        Row(name: "didEnterBackground", limit: 5) {
            var bench = Bench.with(.active)
            _ = bench.does(.device(.homePressed))
            _ = bench.acknowledge(launch(1))
            return bench
        },
        Row(name: "didEnterBackground", limit: 5) {
            var bench = Bench.with(.suspended, loud)
            _ = bench.does(.device(.wakeOccurred(app(1), .locationMonitoring)))
            return bench
        },
        Row(name: "willEnterForeground", limit: 10) {
            var bench = Bench.with(.suspended)
            _ = bench.does(.device(.appOpened(app(1))))
            return bench
        },
        Row(name: "didBecomeActive", limit: 10) {
            var bench = Bench.with(.suspended)
            _ = bench.does(.device(.appOpened(app(1))))
            _ = bench.acknowledge(launch(1))
            return bench
        },
        Row(name: "willTerminate", limit: 5) {
            var bench = Bench.with(.active)
            _ = bench.does(.device(.appForceQuit(app(1))))
            _ = bench.acknowledge(launch(1))
            return bench
        },
    ]

    @Test(arguments: rows) func aHangIsEndedAtItsLimit(_ row: Row) {
        var bench = row.bench()
        #expect(bench.passes(seconds(row.limit) - Nanoseconds(1)) == "")
        let answer = bench.passes(Nanoseconds(1))
        #expect(answer.contains("kill 1.1: watchdog \(row.name), 0x8badf00d"), "\(answer)")
        #expect(!answer.contains("1.1 #"), "no further message is sent")
        #expect(bench.assertions(1) == [])
        #expect(bench.device.nextDeadline == nil)
    }

    /// T21: The limit counts from the start of the process, whether or not it has connected.
    @Test(arguments: [false, true]) func aLaunchHasTwentySeconds(isConnected: Bool) {
        var bench = Bench.with(.notRunning)
        _ = bench.does(.device(.appOpened(app(1))))
        if isConnected {
            _ = bench.passes(seconds(3))
            _ = bench.does(.process(launch(1), .started))
            #expect(bench.does(.app(launch(1), .attached(.new))) == "1.1 #1 launch for user")
        }
        #expect(bench.passes(at(20) - bench.now.awake - Nanoseconds(1)) == "> deadline\n· 1.1 launches slowly")
        #expect(
            bench.passes(Nanoseconds(1)) == """
                > deadline
                · 1.1 terminating: watchdog launch for user
                kill 1.1: watchdog launch for user, 0x8badf00d
                store 1.1 ending: watchdog launch for user
                """)
    }

    /// R-17: The two callbacks of a rise have ten seconds together.
    @Test func theTwoCallbacksOfARiseShareTheirTime() {
        var bench = Bench.with(.suspended)
        _ = bench.does(.device(.appOpened(app(1))))
        _ = bench.passes(seconds(6))
        _ = bench.acknowledge(launch(1))
        #expect(bench.passes(seconds(4) - Nanoseconds(1)) == "")
        #expect(bench.passes(Nanoseconds(1)).contains("kill 1.1: watchdog didBecomeActive"))
    }

    @Test func aFreezeThatFailsKillsTheApp() {
        var bench = Bench.with(.background)
        #expect(bench.passes(seconds(10)).contains("kill 1.1: not freezable, signal 9"))
        bench = Bench.with(.background)
        #expect(
            bench.does(.process(launch(1), .freezeFailed(attempt: 1, errno: 5))).contains(
                "kill 1.1: not freezable, signal 9"))
    }

    // MARK: Stalls of the event loop

    @Test(arguments: rows) func aStallCausesNoKill(_ row: Row) {
        var bench = row.bench()
        bench.stallLoop(seconds(60))
        #expect(bench.does(.deadlineReached) == "")
        #expect(bench.passes(seconds(row.limit) - Nanoseconds(1)) == "")
        #expect(bench.passes(Nanoseconds(1)).contains("kill 1.1: watchdog \(row.name)"))
    }

    @Test func aSmallDelayIsNoStall() {
        var bench = Self.rows[0].bench()
        bench.stallLoop(seconds(12))
        #expect(bench.does(.deadlineReached).contains("kill 1.1: watchdog willResignActive"))
    }

    /// The policy says how long an event loop must be late for a stall.
    @Test(arguments: [(seconds(5), true), (seconds(1), false)])
    func theLengthOfAStall(_ stall: Nanoseconds, isKilled: Bool) {
        var bench = Bench(Self.loud.with { $0.stall = stall }, [.sample(1)])
        _ = bench.plays(.device(.appOpened(app(1))))
        _ = bench.does(.device(.homePressed))
        bench.stallLoop(seconds(13))
        #expect(bench.does(.deadlineReached).contains("kill 1.1: watchdog willResignActive") == isKilled)
    }

    /// After a stall both apps have their full time again, whichever of them was overdue.
    @Test(arguments: [[Int32(1), 2], [2, 1]]) func aStallRenewsEveryWatchdog(_ order: [Int32]) {
        var bench = Bench(Self.loud, [.sample(1), .sample(2)])
        for number in order {
            _ = bench.plays(.device(.wakeOccurred(app(number), .locationMonitoring)))
            _ = bench.passes(seconds(10))
            _ = bench.plays()
            #expect(bench.state(number) == .suspended)
        }
        _ = bench.does(.device(.wakeOccurred(app(order[0]), .locationMonitoring)))
        _ = bench.passes(seconds(4))
        _ = bench.does(.device(.wakeOccurred(app(order[1]), .locationMonitoring)))
        bench.stallLoop(seconds(4))
        #expect(bench.does(.deadlineReached) == "")
        #expect(bench.device.snapshot(of: app(1))?.nextDeadline?.at == at(33))
        #expect(bench.device.snapshot(of: app(2))?.nextDeadline?.at == at(33))
    }

    /// The app's answer is handled first, and removes the deadline that would have shown the stall.
    @Test func anAnswerDoesNotHideAStall() {
        var bench = Bench(Self.loud, [.sample(1), .sample(2)])
        for number in [Int32(1), 2] { _ = bench.plays(.device(.wakeOccurred(app(number), .locationMonitoring))) }
        _ = bench.passes(seconds(10))
        _ = bench.plays()
        _ = bench.does(.device(.wakeOccurred(app(1), .locationMonitoring)))
        _ = bench.passes(seconds(4))
        _ = bench.does(.device(.wakeOccurred(app(2), .locationMonitoring)))
        bench.stallLoop(seconds(6))
        _ = bench.acknowledge(launch(1))
        #expect(!bench.does(.deadlineReached).contains("kill"), "one second late, during a stall of six")
        #expect(bench.device.snapshot(of: app(2))?.nextDeadline?.at == at(25))
    }

    @Test func aStallLeavesTimeForTheExpirationHandlers() {
        var bench = Bench.with(.active)
        bench.helpers[launch(1)]?.open = [task(1)]
        _ = bench.plays(.device(.homePressed))
        bench.stallLoop(seconds(100))
        #expect(bench.does(.deadlineReached) == "· 1.1 expiring [1]\n1.1 #5 expirationHandlers")
        #expect(bench.plays().hasSuffix("store 1.1 suspended"))
    }

    @Test func aStallRenewsAFreeze() {
        var bench = Bench.with(.background)
        bench.stallLoop(seconds(60))
        #expect(bench.does(.deadlineReached) == "")
        #expect(bench.device.nextDeadline == Deadline(at: at(70), reason: .freeze(launch(1))))
        #expect(bench.plays().hasSuffix("store 1.1 suspended"))
    }

    @Test func aDeadlineBeforeItsTimeDoesNothing() {
        var bench = Self.rows[0].bench()
        _ = bench.passes(seconds(1))
        #expect(bench.does(.deadlineReached) == "")
    }
}
