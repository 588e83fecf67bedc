import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// T06, T07, T08: interruptions of the foreground app, which the user ignores or accepts.
@Suite struct InterruptionTests {
    private static func interrupted(_ kind: Interruption = .call, _ manifests: [AppManifest]? = nil) -> Bench {
        var bench = Bench.with(.active, .iOS26, manifests)
        _ = bench.plays(.device(.interruptionBegan(kind)))
        bench.forget()
        return bench
    }

    @Test(arguments: Interruption.allCases) func t06AnInterruptionMakesTheForegroundAppInactive(_ kind: Interruption) {
        var bench = Bench.with(.active)
        #expect(
            bench.plays(.device(.interruptionBegan(kind))) == """
                store device
                · 1.1 interrupted by \(kind)
                1.1 #3 willResignActive
                > 1.1 acknowledged #3
                · 1.1 active → inactive
                """)
        #expect(bench.assertions(1) == [.foreground], "the app keeps running")
        #expect(bench.device.foregroundApp == app(1))
        #expect(bench.device.nextDeadline == nil)
    }

    @Test func t07TheUserIgnoresIt() {
        var bench = Self.interrupted()
        #expect(
            bench.plays(.device(.interruptionDismissed)) == """
                store device
                · 1.1 call over
                1.1 #4 didBecomeActive
                · 1.1 inactive → active
                > 1.1 acknowledged #4
                """, "without willEnterForeground")
    }

    @Test func t07AnInterruptionIsDismissedBeforeTheCallback() {
        var bench = Bench.with(.active)
        _ = bench.does(.device(.interruptionBegan(.message)))
        #expect(bench.does(.device(.interruptionDismissed)) == "store device\n· 1.1 message over")
        #expect(
            bench.plays() == """
                > 1.1 acknowledged #3
                · 1.1 active → inactive
                1.1 #4 didBecomeActive
                · 1.1 inactive → active
                > 1.1 acknowledged #4
                """)
    }

    @Test func t08TheUserAcceptsTheInterruption() {
        var bench = Self.interrupted()
        #expect(
            bench.plays(.device(.interruptionAccepted(nil))) == """
                store device
                · 1.1 call accepted
                1.1 #4 didEnterBackground
                · 1.1 inactive → background
                store 1.1
                > 1.1 acknowledged #4
                · 1.1 suspending after foreground
                freeze 1.1 (1)
                > 1.1 froze (1)
                · 1.1 background → suspended
                store 1.1 suspended
                """, "willResignActive is not repeated")
        #expect(bench.device.foregroundApp == nil)
    }

    @Test func t08ByItTheUserOpensAnotherApp() {
        var bench = Self.interrupted(.message)
        let answer = bench.plays(.device(.interruptionAccepted(app(2))))
        #expect(answer.hasPrefix("store device\n· 1.1 message accepted\n1.1 #4 didEnterBackground"))
        #expect(bench.state(1) == .suspended)
        #expect(bench.state(2) == .active)
        #expect(bench.device.record.interruption == nil)
    }

    @Test func t08AcceptingReturnsToTheSameApp() {
        var bench = Self.interrupted(.appSwitcher)
        let answer = bench.plays(.device(.interruptionAccepted(app(1))))
        #expect(answer.contains("1.1 #4 didBecomeActive"))
        #expect(!answer.contains("didEnterBackground"))
        #expect(bench.state(1) == .active)
    }

    @Test func anAppThatCannotBeOpenedIsNotAccepted() {
        var bench = Self.interrupted()
        let before = bench.device
        #expect(bench.does(.device(.interruptionAccepted(app(9)))) == "· app 9 unknown")
        #expect(bench.device == before, "the interruption remains")
    }

    // MARK: Impossible actions

    @Test func impossibleActsAreRefusedAndChangeNothing() {
        var bench = Bench()
        var before = bench.device
        #expect(bench.does(.device(.interruptionBegan(.call))) == "· interrupt refused: nothingInForeground")
        #expect(bench.does(.device(.interruptionDismissed)) == "· dismiss refused: nothingInterrupts")
        #expect(bench.does(.device(.interruptionAccepted(nil))) == "· accept refused: nothingInterrupts")
        #expect(bench.device == before)
        bench = Self.interrupted()
        before = bench.device
        #expect(bench.does(.device(.interruptionBegan(.alert))) == "· interrupt refused: interruptedAlready")
        #expect(bench.device == before)
        _ = bench.does(.device(.deviceLocked))
        #expect(bench.does(.device(.interruptionBegan(.alert))) == "· interrupt refused: locked")
    }

    @Test(arguments: [
        Event.device(.interruptionBegan(.call)), .device(.interruptionDismissed), .device(.interruptionAccepted(nil)),
        .device(.deviceLocked),
        .device(.deviceUnlocked), .device(.homePressed), .device(.appSwitched(nil)),
    ]) func duringAShutdownNothingIsDone(_ event: Event) {
        var bench = Self.interrupted()
        _ = bench.does(.device(.shutdownBegan))
        let answer = bench.does(event)
        #expect(answer.hasPrefix("· ") && answer.hasSuffix("refused: shuttingDown"), "\(answer)")
    }

    // MARK: Actions during an interruption

    @Test func homeDuringAnInterruptionAcceptsIt() {
        var bench = Self.interrupted()
        #expect(
            bench.plays(.device(.homePressed)).hasPrefix("store device\n· 1.1 call accepted\n1.1 #4 didEnterBackground")
        )
        #expect(bench.state(1) == .suspended)
    }

    @Test func openingAnotherAppEndsTheInterruption() {
        var bench = Self.interrupted()
        _ = bench.plays(.device(.appOpened(app(2))))
        #expect(bench.state(1) == .suspended)
        #expect(bench.state(2) == .active)
        #expect(bench.plays(.device(.interruptionDismissed)) == "· dismiss refused: nothingInterrupts")
    }

    @Test func lockingEndsTheInterruption() {
        var bench = Self.interrupted()
        let answer = bench.plays(.device(.deviceLocked))
        #expect(answer.hasPrefix("store device\n· 1.1 call over\nstore device\n· locked\n1.1 #4 didEnterBackground"))
        _ = bench.plays(.device(.deviceUnlocked))
        #expect(bench.state(1) == .active)
    }

    @Test func forceQuittingEndsTheInterruption() {
        var bench = Self.interrupted(.appSwitcher)
        let answer = bench.plays(.device(.appForceQuit(app(1))))
        #expect(answer.contains("1.1 #4 willTerminate"), "the app has already resigned")
        #expect(!answer.contains("willResignActive"))
        #expect(bench.state(1) == .notRunning)
        #expect(bench.device.record.interruption == nil)
    }

    @Test(arguments: [LifeCycleModel.ExitStatus.signaled(11), .exited(code: 0)])
    func theAppsExitEndsTheInterruption(_ status: LifeCycleModel.ExitStatus) {
        var bench = Self.interrupted()
        _ = bench.does(.process(launch(1), .exited(status)))
        #expect(bench.device.record.interruption == nil)
        #expect(bench.deviceOnDisk.interruption == nil)
        #expect(bench.device.foregroundApp == nil)
        _ = bench.plays(.device(.appOpened(app(1))))
        #expect(bench.state(1) == .active)
    }

    @Test(arguments: [
        Event.device(.appUninstalled(app(1))), .device(.shutdownBegan), .device(.deviceShutdownBegan),
        .device(.memoryRanShort),
    ])
    func otherEventsDuringAnInterruption(_ event: Event) {
        var bench = Self.interrupted()
        _ = bench.plays(event)
        if event == .device(.memoryRanShort) {
            #expect(bench.state(1) == .inactive, "a foreground app is only warned")
            _ = bench.plays(.device(.interruptionDismissed))
            #expect(bench.state(1) == .active)
        } else {
            #expect(bench.device.snapshot(of: app(1))?.launch == nil)
        }
    }

    @Test func acceptingAnInterruptionEndsAnOptOutApp() {
        var bench = Self.interrupted(.call, [.sample(1, exitsOnSuspend: true), .sample(2)])
        #expect(bench.state(1) == .inactive)
        _ = bench.plays(.device(.interruptionDismissed))
        #expect(bench.state(1) == .active)
        _ = bench.plays(.device(.interruptionBegan(.call)))
        let answer = bench.plays(.device(.interruptionAccepted(nil)))
        #expect(answer.contains("willTerminate") && !answer.contains("didEnterBackground"))
        #expect(bench.state(1) == .notRunning)
    }

    @Test func anAdoptedAppIsInterruptedToo() {
        var bench = Self.interrupted(.call, [.sample(1, isAdopted: true), .sample(2)])
        #expect(bench.state(1) == .inactive)
        _ = bench.plays(.device(.interruptionDismissed))
        #expect(bench.state(1) == .active)
    }

    /// A rise is completed before it is interrupted.
    @Test func interruptedOnItsWayUp() {
        for state in [AppState.notRunning, .suspended] {
            var bench = Bench.with(state)
            _ = bench.does(.device(.appOpened(app(1))))
            _ = bench.does(.device(.interruptionBegan(.call)))
            let answer = bench.plays()
            #expect(answer.contains("didBecomeActive"))
            #expect(answer.contains("willResignActive"))
            #expect(bench.state(1) == .inactive)
            _ = bench.plays(.device(.interruptionDismissed))
            #expect(bench.state(1) == .active)
        }
    }

    /// The app was opened again while it was ending. The interruption that began meanwhile still exists at its launch.
    @Test func interruptedBetweenTwoLaunches() {
        var bench = Bench.with(.suspended)
        _ = bench.does(.device(.memoryRanShort))
        _ = bench.does(.device(.appOpened(app(1))))
        _ = bench.does(.device(.interruptionBegan(.call)))
        _ = bench.plays()
        #expect(bench.device.snapshot(of: app(1))?.launch == launch(1, 2))
        #expect(bench.device.record.interruption == .call)
        #expect(bench.state(1) == .inactive)
        _ = bench.plays(.device(.interruptionDismissed))
        #expect(bench.state(1) == .active)
    }

    // MARK: The system's restart

    @Test func anInterruptionSurvivesARestart() {
        var bench = Self.interrupted()
        _ = bench.restarts()
        let answer = bench.plays()
        #expect(!answer.contains("didBecomeActive"), "\(answer)")
        #expect(bench.state(1) == .inactive)
        #expect(bench.device.record.interruption == .call)
        #expect(bench.plays(.device(.interruptionDismissed)).contains("didBecomeActive"))
        #expect(bench.state(1) == .active)
    }

    @Test func aRestartBeforeTheInterruptionCallback() {
        var bench = Bench.with(.active)
        _ = bench.does(.device(.interruptionBegan(.call)))
        _ = bench.restarts()
        #expect(bench.plays().contains("willResignActive"))
        #expect(bench.state(1) == .inactive)
    }

    @Test func anInterruptionAcceptedBeforeTheReconnection() {
        var bench = Self.interrupted()
        _ = bench.restarts()
        _ = bench.does(.device(.interruptionAccepted(nil)))
        _ = bench.plays()
        #expect(bench.state(1) == .suspended)
        #expect(bench.deviceOnDisk.interruption == nil)
    }

    @Test func restartedAfterItsEnd() {
        var bench = Self.interrupted()
        bench.helpers[launch(1)]?.exit = .signaled(11)
        _ = bench.restarts()
        #expect(bench.device.record.interruption == nil)
        _ = bench.plays(.device(.appOpened(app(2))))
        #expect(bench.state(2) == .active)
    }
}
