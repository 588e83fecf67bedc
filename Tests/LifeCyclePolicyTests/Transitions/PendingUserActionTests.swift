import LifeCycleModel
import LifeCyclePolicy
import Testing

/// User actions during a pending callback. The newest action replaces the earlier ones; they are not queued.
@Suite struct PendingUserActionTests {
    @Test func homeOpenHomeWhileACallbackIsPending() {
        var bench = Bench.with(.active)
        #expect(bench.does(.device(.homePressed)) == "1.1 #3 willResignActive\nstore 1.1 active")
        #expect(bench.does(.device(.appOpened(app(1)))) == "store 1.1 foreground")
        #expect(bench.does(.device(.homePressed)) == "store 1.1 active")
        #expect(bench.acknowledge(launch(1)).contains("1.1 #4 didEnterBackground"))
        #expect(bench.does(.device(.appOpened(app(1)))) == "store 1.1 foreground")
        #expect(bench.does(.device(.homePressed)) == "store 1.1")
        #expect(bench.does(.device(.appOpened(app(1)))) == "store 1.1 foreground")
        #expect(
            bench.plays() == """
                > 1.1 acknowledged #4
                1.1 #5 willEnterForeground
                > 1.1 acknowledged #5
                · 1.1 background → inactive
                1.1 #6 didBecomeActive
                · 1.1 inactive → active
                > 1.1 acknowledged #6
                """)
    }

    @Test func openedDuringItsLaunchAndSentHomeAgain() {
        var bench = Bench()
        _ = bench.does(.device(.appOpened(app(1))))
        _ = bench.does(.device(.homePressed))
        _ = bench.plays()
        #expect(bench.state(1) == .suspended)
    }

    @Test func quitThenOpenLaunchesItAgain() {
        var bench = Bench.with(.active)
        _ = bench.does(.device(.appForceQuit(app(1))))
        #expect(bench.does(.device(.appOpened(app(1)))) == "store app 1: 1 launched")
        #expect(
            bench.plays() == """
                > 1.1 acknowledged #3
                · 1.1 active → inactive
                1.1 #4 willTerminate
                store 1.1 ending: force-quit
                > 1.1 acknowledged #4
                > 1.1 exited, code 0
                · 1.1 ended: force-quit, code 0
                · 1.1 inactive → not running
                store end of 1.1
                · 1.2 launched for user
                store app 1: 2 launched
                · 1.2 not running → inactive
                store 1.2 foreground
                start 1.2 for user
                > 1.2 started
                > 1.2 attached starting #0
                1.2 #1 launch for user
                > 1.2 acknowledged #1
                1.2 #2 didBecomeActive
                · 1.2 inactive → active
                > 1.2 acknowledged #2
                """)
    }

    @Test func openThenQuitAgainDoesNot() {
        var bench = Bench.with(.active)
        _ = bench.does(.device(.appForceQuit(app(1))))
        _ = bench.does(.device(.appOpened(app(1))))
        #expect(bench.does(.device(.appForceQuit(app(1)))) == "store app 1: 1 launched, force-quit")
        _ = bench.plays()
        #expect(bench.state(1) == .notRunning)
        #expect(bench.device.snapshot(of: app(1))?.record.lastLaunch == 1)
    }

    @Test func quitThenOpenThenHomeDoesNot() {
        var bench = Bench.with(.active)
        _ = bench.does(.device(.appForceQuit(app(1))))
        _ = bench.does(.device(.appOpened(app(1))))
        _ = bench.does(.device(.homePressed))
        _ = bench.plays()
        #expect(bench.state(1) == .notRunning)
    }

    @Test func openedWhileAKillIsOnItsWay() {
        var bench = Bench.with(.suspended)
        _ = bench.does(.device(.memoryRanShort))
        #expect(bench.does(.device(.appOpened(app(1)))) == "")
        let answer = bench.plays()
        #expect(answer.contains("· 1.1 ended: memory, signal 9"))
        #expect(answer.contains("· 1.2 launched for user"))
        #expect(bench.state(1) == .active)
    }

    @Test func anOptOutAppOpenedAgainWhileItGoes() {
        var bench = Bench(.iOS26, [.sample(1, exitsOnSuspend: true)])
        _ = bench.plays(.device(.appOpened(app(1))))
        _ = bench.does(.device(.homePressed))
        _ = bench.acknowledge(launch(1))
        _ = bench.does(.device(.appOpened(app(1))))
        _ = bench.plays()
        #expect(bench.state(1) == .active)
        #expect(bench.device.snapshot(of: app(1))?.launch == launch(1, 2))
    }

    @Test func anOptOutAppReopenedBeforeItsEndStays() {
        var bench = Bench(.iOS26, [.sample(1, exitsOnSuspend: true)])
        _ = bench.plays(.device(.appOpened(app(1))))
        _ = bench.does(.device(.homePressed))
        _ = bench.does(.device(.appOpened(app(1))))
        _ = bench.plays()
        #expect(bench.state(1) == .active)
        #expect(bench.device.snapshot(of: app(1))?.launch == launch(1))
    }

    /// An app never has two pending callbacks, and callbacks are numbered consecutively.
    @Test func callbacksAreCountedUp() {
        var bench = Bench.with(.active)
        for _ in 0..<5 {
            _ = bench.plays(.device(.homePressed))
            _ = bench.plays(.device(.appOpened(app(1))))
        }
        var expected: Int32 = 0
        for case .launch(_, .send(.callback(let id, _))) in bench.effects {
            expected += 1
            #expect(id == callback(expected))
        }
        #expect(expected == 22)
    }
}
