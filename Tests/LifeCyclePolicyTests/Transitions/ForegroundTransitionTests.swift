import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// T01, T03, T04, T05: the callbacks on the way to the foreground and back.
@Suite struct ForegroundTransitionTests {
    @Test func t01TheUserLaunchesAnApp() {
        var bench = Bench()
        #expect(
            bench.plays(.device(.appOpened(app(1)))) == """
                · 1.1 launched for user
                store app 1: 1 launched
                · 1.1 not running → inactive
                store 1.1 foreground
                start 1.1 for user
                > 1.1 started
                > 1.1 attached starting #0
                1.1 #1 launch for user
                > 1.1 acknowledged #1
                1.1 #2 didBecomeActive
                · 1.1 inactive → active
                > 1.1 acknowledged #2
                """)
        #expect(bench.device.nextDeadline == nil, "an idle foreground app has no deadline")
        #expect(bench.assertions(1) == [.foreground])
    }

    @Test func t03AndT04HomeLeadsToSuspension() {
        var bench = Bench.with(.active)
        #expect(
            bench.plays(.device(.homePressed)) == """
                1.1 #3 willResignActive
                store 1.1 active
                > 1.1 acknowledged #3
                · 1.1 active → inactive
                1.1 #4 didEnterBackground
                · 1.1 inactive → background
                store 1.1
                > 1.1 acknowledged #4
                · 1.1 suspending after foreground
                freeze 1.1 (1)
                > 1.1 froze (1)
                · 1.1 background → suspended
                store 1.1 suspended
                """)
        #expect(bench.device.nextDeadline == nil)
        #expect(bench.assertions(1) == [])
    }

    @Test func t03OpeningAnotherAppSuspendsTheFirst() {
        var bench = Bench.with(.active)
        _ = bench.plays(.device(.appOpened(app(2))))
        #expect(bench.state(1) == .suspended)
        #expect(bench.state(2) == .active)
    }

    @Test func t05ReturnFromSuspension() {
        var bench = Bench.with(.suspended)
        #expect(
            bench.plays(.device(.appOpened(app(1)))) == """
                thaw 1.1
                · 1.1 resumed for foreground
                1.1 #5 willEnterForeground
                · 1.1 suspended → background
                store 1.1 foreground
                > 1.1 acknowledged #5
                · 1.1 background → inactive
                1.1 #6 didBecomeActive
                · 1.1 inactive → active
                > 1.1 acknowledged #6
                """)
    }

    @Test func t05ReturnFromTheBackground() {
        var bench = Bench.with(.background)
        // The freeze was requested, and is still pending.
        #expect(
            bench.plays(.device(.appOpened(app(1)))) == """
                thaw 1.1
                · 1.1 resumed for foreground
                1.1 #5 willEnterForeground
                store 1.1 foreground
                > 1.1 acknowledged #5
                · 1.1 background → inactive
                1.1 #6 didBecomeActive
                · 1.1 inactive → active
                > 1.1 acknowledged #6
                """)
    }

    @Test func t05ReturnWhileATaskRuns() {
        var bench = Bench.with(.active)
        bench.helpers[launch(1)]?.open = [task(1)]
        _ = bench.plays(.device(.homePressed))
        #expect(bench.assertions(1) == [.task(TaskID(1))])
        #expect(
            bench.plays(.device(.appOpened(app(1)))) == """
                1.1 has no clock
                1.1 #5 willEnterForeground
                store 1.1 foreground
                > 1.1 acknowledged #5 [1]
                · 1.1 background → inactive
                1.1 #6 didBecomeActive
                · 1.1 inactive → active
                > 1.1 acknowledged #6 [1]
                """)
    }

    @Test func openingTheForegroundAppChangesNothing() {
        var bench = Bench.with(.active)
        #expect(bench.plays(.device(.appOpened(app(1)))) == "")
        #expect(bench.state(1) == .active)
    }

    @Test func homeOnTheHomeScreenIsRefused() {
        var bench = Bench.with(.suspended)
        let before = bench.device
        #expect(bench.plays(.device(.homePressed)) == "· home refused: nothingInForeground")
        #expect(bench.device == before)
    }

    /// A rise is completed before it is undone.
    @Test func homeWhileRising() {
        var bench = Bench.with(.suspended)
        _ = bench.does(.device(.appOpened(app(1))))
        #expect(bench.does(.device(.homePressed)) == "store 1.1")
        #expect(
            bench.plays() == """
                > 1.1 acknowledged #5
                · 1.1 background → inactive
                1.1 #6 didBecomeActive
                · 1.1 inactive → active
                store 1.1 active
                > 1.1 acknowledged #6
                1.1 #7 willResignActive
                > 1.1 acknowledged #7
                · 1.1 active → inactive
                1.1 #8 didEnterBackground
                · 1.1 inactive → background
                store 1.1
                > 1.1 acknowledged #8
                · 1.1 suspending after foreground
                freeze 1.1 (2)
                > 1.1 froze (2)
                · 1.1 background → suspended
                store 1.1 suspended
                """)
    }

    /// `willResignActive` may be followed by `didBecomeActive`.
    @Test func openedAgainWhileResigning() {
        var bench = Bench.with(.active)
        _ = bench.does(.device(.homePressed))
        #expect(bench.does(.device(.appOpened(app(1)))) == "store 1.1 foreground")
        #expect(
            bench.plays() == """
                > 1.1 acknowledged #3
                · 1.1 active → inactive
                1.1 #4 didBecomeActive
                · 1.1 inactive → active
                > 1.1 acknowledged #4
                """)
    }

    @Test func anAppThatIsNotInstalled() {
        var bench = Bench()
        #expect(bench.does(.device(.appOpened(app(9)))) == "· app 9 unknown")
        #expect(bench.does(.device(.appForceQuit(app(9)))) == "· app 9 unknown")
        #expect(bench.does(.device(.appUninstalled(app(9)))) == "· app 9 unknown")
        #expect(bench.does(.device(.wakeOccurred(app(9), .locationMonitoring))) == "· app 9 unknown")
    }

    @Test func aProcessThatCannotBeStarted() {
        var bench = Bench()
        _ = bench.does(.device(.appOpened(app(1))))
        #expect(
            bench.does(.process(launch(1), .startFailed(errno: 2))) == """
                · 1.1 ended: launch failed, 2
                · 1.1 inactive → not running
                store end of 1.1
                """)
        #expect(bench.device.nextDeadline == nil)
    }
}
