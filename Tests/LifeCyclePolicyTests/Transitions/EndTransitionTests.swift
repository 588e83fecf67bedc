import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// T15–T18, T20, T26: the ends of launches.
@Suite struct EndTransitionTests {
    @Test func t15TheLargestSuspendedAppGoesFirst() {
        var bench = Bench(.iOS26, [.sample(1), .sample(2), .sample(3), .sample(4)])
        // A helper's footprint grows with its number. The apps are opened in another order.
        for number: Int32 in [2, 3, 1, 4] { _ = bench.plays(.device(.appOpened(app(number)))) }
        #expect(bench.state(4) == .active)
        #expect(
            bench.plays(.device(.memoryRanShort)) == """
                · 3.1 terminating: memory
                kill 3.1: memory, jetsam: vm-pageshortage
                store 3.1 suspended ending: memory
                > 3.1 exited, signal 9
                · 3.1 ended: memory, signal 9
                · 3.1 suspended → not running
                store end of 3.1
                """, "no callback")
        #expect(bench.plays(.device(.memoryRanShort)).hasPrefix("· 2.1 terminating: memory"))
        #expect(bench.plays(.device(.memoryRanShort)).hasPrefix("· 1.1 terminating: memory"))
        #expect(
            bench.plays(.device(.memoryRanShort)) == """
                · 4.1 memory warning
                4.1 #3 didReceiveMemoryWarning
                > 4.1 acknowledged #3
                """, "a foreground app is only warned")
    }

    @Test func t15TheSecondLargestWhileTheLargestIsOnItsWayOut() {
        var bench = Bench()
        _ = bench.plays(.device(.appOpened(app(1))))
        _ = bench.plays(.device(.appOpened(app(2))))
        _ = bench.plays(.device(.homePressed))
        #expect(bench.does(.device(.memoryRanShort)).contains("kill 2.1"))
        #expect(bench.does(.device(.memoryRanShort)).contains("kill 1.1"))
        #expect(bench.does(.device(.memoryRanShort)) == "")
    }

    @Test func t16ARunningBackgroundAppGetsWillTerminate() {
        var bench = Bench.with(.active)
        bench.helpers[launch(1)]?.open = [task(1)]
        _ = bench.plays(.device(.homePressed))
        #expect(
            bench.plays(.device(.shutdownBegan)) == """
                · 1.1 terminating: shutdown [1]
                1.1 #5 willTerminate
                store 1.1 ending: shutdown
                > 1.1 acknowledged #5 [1]
                > 1.1 exited, code 0
                · 1.1 ended: shutdown, code 0
                · 1.1 background → not running
                store end of 1.1
                finish shutdown
                """)
    }

    @Test func aShutdownCallsRunningAndKillsSuspendedApps() {
        var bench = Bench.with(.suspended)
        _ = bench.plays(.device(.appOpened(app(2))))
        #expect(
            bench.plays(.device(.shutdownBegan)) == """
                · 1.1 terminating: shutdown
                kill 1.1: shutdown, signal 15
                store 1.1 suspended ending: shutdown
                · 2.1 terminating: shutdown
                2.1 #3 willResignActive
                store 2.1 active ending: shutdown
                > 1.1 exited, signal 9
                · 1.1 ended: shutdown, signal 9
                · 1.1 suspended → not running
                store end of 1.1
                > 2.1 acknowledged #3
                · 2.1 active → inactive
                2.1 #4 willTerminate
                store 2.1 ending: shutdown
                > 2.1 acknowledged #4
                > 2.1 exited, code 0
                · 2.1 ended: shutdown, code 0
                · 2.1 inactive → not running
                store end of 2.1
                finish shutdown
                """)
    }

    @Test func aShutdownDoesNotWaitForEver() {
        var bench = Bench.with(.active, Policy.iOS26.with { $0.resignActive = seconds(60) })
        bench.helpers[launch(1)]?.isHung = true
        _ = bench.does(.device(.shutdownBegan))
        #expect(bench.device.nextDeadline == Deadline(at: at(8), reason: .shutdown))
        #expect(
            bench.meetsDeadline() == """
                · 1.1 terminating: shutdown
                kill 1.1: shutdown, signal 15
                store 1.1 ending: shutdown
                """)
        #expect(bench.plays().hasSuffix("finish shutdown"))
    }

    @Test func aShutdownAskedForTwiceKillsAtOnce() {
        var bench = Bench.with(.active)
        bench.helpers[launch(1)]?.isHung = true
        _ = bench.does(.device(.shutdownBegan))
        #expect(
            bench.does(.device(.shutdownBegan)) == """
                · 1.1 terminating: shutdown
                kill 1.1: shutdown, signal 15
                store 1.1 ending: shutdown
                """)
    }

    @Test func anEndingAppThatReconnectsGetsNoTask() {
        var bench = Bench.with(.active)
        bench.helpers[launch(1)]?.isHung = true
        _ = bench.does(.device(.appForceQuit(app(1))))
        let task = BackgroundTask(id: TaskID(1), name: "late")
        let attachment = LifeCycleModel.Attachment(lastCallback: CallbackID(2), phase: .active, open: [task])
        #expect(bench.does(.app(launch(1), .attached(attachment))) == "1.1 #3 willResignActive", "nothing else is sent")
        #expect(bench.device.snapshot(of: app(1))?.openTasks == [])
    }

    @Test func aProcessThatTheKernelDoesNotEndIsLeftToIt() throws {
        let manifest = try AppManifest(identifier: #require(BundleIdentifier("org.example.app")), executable: "app")
        var device = Device()
        var effects: [Effect] = []
        let now = Moment.zero
        device.handle(.device(.appInstalled(app(1), manifest)), at: now, into: &effects)
        device.handle(.device(.appOpened(app(1))), at: now, into: &effects)
        device.handle(.device(.shutdownBegan), at: now, into: &effects)
        // The app was starting, so it was killed at once. The app's exit never arrives.
        device.handle(.deadlineReached, at: now.advanced(by: .seconds(8)), into: &effects)
        #expect(device.nextDeadline == Deadline(at: .seconds(10), reason: .shutdown))
        effects = []
        device.handle(.deadlineReached, at: now.advanced(by: .seconds(10)), into: &effects)
        #expect(effects == [.device(.finishShutdown)])
    }

    @Test func theDeviceStartClearsForceQuitFlags() {
        var bench = Bench.with(.suspended)
        _ = bench.plays(.device(.appForceQuit(app(1))))
        #expect(bench.device.snapshot(of: app(1))?.record.isForceQuit == true)
        _ = bench.plays(.device(.deviceStarted))
        #expect(bench.device.snapshot(of: app(1))?.record.isForceQuit == false)
        #expect(bench.does(.device(.deviceStarted)) == "", "nothing to clear, nothing to store")
    }

    @Test func aShutdownOfNothingIsOverAtOnce() {
        var bench = Bench()
        #expect(bench.does(.device(.shutdownBegan)) == "finish shutdown")
        #expect(bench.does(.device(.shutdownBegan)) == "", "once")
        #expect(
            bench.does(.device(.appOpened(app(1)))) == "· app 1 not woken for user: shuttingDown",
            "no app is launched during a shutdown"
        )
    }

    @Test func t17ASuspendedForceQuitAppReceivesNothing() {
        var bench = Bench.with(.suspended)
        #expect(
            bench.plays(.device(.appForceQuit(app(1)))) == """
                store app 1: 1 launched, force-quit
                · 1.1 terminating: force-quit
                kill 1.1: force-quit, signal 9
                store 1.1 suspended ending: force-quit
                > 1.1 exited, signal 9
                · 1.1 ended: force-quit, signal 9
                · 1.1 suspended → not running
                store end of 1.1
                """)
    }

    @Test func t17AnAppThatDoesNotRunIsFlaggedAllTheSame() {
        var bench = Bench.with(.notRunning)
        #expect(bench.plays(.device(.appForceQuit(app(1)))) == "store app 1: 0 launched, force-quit")
        #expect(bench.plays(.device(.appForceQuit(app(1)))) == "", "the flag is already stored")
    }

    @Test func t18ARunningForceQuitAppGetsWillTerminate() {
        var bench = Bench.with(.active)
        #expect(
            bench.plays(.device(.appForceQuit(app(1)))) == """
                store app 1: 1 launched, force-quit
                · 1.1 terminating: force-quit
                1.1 #3 willResignActive
                store 1.1 active ending: force-quit
                > 1.1 acknowledged #3
                · 1.1 active → inactive
                1.1 #4 willTerminate
                store 1.1 ending: force-quit
                > 1.1 acknowledged #4
                > 1.1 exited, code 0
                · 1.1 ended: force-quit, code 0
                · 1.1 inactive → not running
                store end of 1.1
                """)
    }

    @Test func t18WithoutWillTerminate() {
        var bench = Bench.with(.active, Policy.iOS26.with { $0.forceQuitCallsWillTerminate = false })
        #expect(
            bench.plays(.device(.appForceQuit(app(1)))) == """
                store app 1: 1 launched, force-quit
                · 1.1 terminating: force-quit
                kill 1.1: force-quit, signal 9
                store 1.1 ending: force-quit
                > 1.1 exited, signal 9
                · 1.1 ended: force-quit, signal 9
                · 1.1 active → not running
                store end of 1.1
                """)
    }

    /// The limit of `willTerminate` includes the exit.
    @Test func t18AnAppThatDoesNotGoIsKilled() {
        var bench = Bench.with(.active)
        _ = bench.does(.device(.appForceQuit(app(1))))
        _ = bench.acknowledge(launch(1))
        #expect(bench.passes(seconds(2)) == "")
        #expect(bench.acknowledge(launch(1)) == "")
        #expect(bench.device.nextDeadline == Deadline(at: at(5), reason: .exit(launch(1))))
        #expect(
            bench.meetsDeadline() == """
                · 1.1 terminating: watchdog willTerminate
                kill 1.1: watchdog willTerminate, 0x8badf00d
                store 1.1 ending: watchdog willTerminate
                """)
    }

    @Test func t20AnOptOutAppEndsOnHome() {
        var bench = Bench.with(.active, .iOS26, [.sample(1, exitsOnSuspend: true), .sample(2)])
        #expect(
            bench.plays(.device(.homePressed)) == """
                1.1 #3 willResignActive
                store 1.1 active
                > 1.1 acknowledged #3
                · 1.1 active → inactive
                · 1.1 terminating: exits on suspend
                1.1 #4 willTerminate
                store 1.1 ending: exits on suspend
                > 1.1 acknowledged #4
                > 1.1 exited, code 0
                · 1.1 ended: exits on suspend, code 0
                · 1.1 inactive → not running
                store end of 1.1
                """, "never background, never suspended")
    }

    static let exits: [(status: LifeCycleModel.ExitStatus, text: String)] = [
        (.exited(code: 0), "code 0"), (.exited(code: 3), "code 3"), (.signaled(11), "signal 11"),
    ]

    @Test(arguments: AppState.allCases.filter { $0 != .notRunning }, exits)
    func t26AnAppEndsByItself(_ state: AppState, exit: (status: LifeCycleModel.ExitStatus, text: String)) {
        var bench = Bench.with(state)
        #expect(
            bench.does(.process(launch(1), .exited(exit.status))) == """
                · 1.1 ended: by itself, \(exit.text), \(exit.text)
                · 1.1 \(state.name) → not running
                store end of 1.1
                """, "no callback")
        #expect(bench.state(1) == .notRunning)
        #expect(bench.device.nextDeadline == nil)
        #expect(bench.plays(.device(.appOpened(app(1)))).contains("· 1.2 launched for user"))
    }

    @Test func anExitDuringWillTerminateHasTheDecidedReason() {
        var bench = Bench.with(.active)
        _ = bench.does(.device(.appForceQuit(app(1))))
        _ = bench.acknowledge(launch(1))
        #expect(bench.does(.process(launch(1), .exited(.exited(code: 0)))).hasPrefix("· 1.1 ended: force-quit, code 0"))
    }

    @Test func anUninstalledAppIsEndedFirst() {
        var bench = Bench.with(.active)
        #expect(
            bench.plays(.device(.appUninstalled(app(1)))) == """
                · 1.1 terminating: uninstalled
                kill 1.1: uninstalled, signal 9
                store 1.1 ending: uninstalled
                > 1.1 exited, signal 9
                · 1.1 ended: uninstalled, signal 9
                · 1.1 active → not running
                store end of 1.1
                store removal of app 1
                remove files of app 1
                """)
        #expect(bench.device.snapshot(of: app(1)) == nil)
        #expect(bench.does(.device(.appUninstalled(app(2)))) == "store removal of app 2\nremove files of app 2")
    }

    @Test func aReinstalledAppIsEndedFirst() {
        var bench = Bench.with(.active)
        #expect(
            bench.plays(.device(.appInstalled(app(1), .sample(1, isAdopted: true)))) == """
                · 1.1 terminating: updated
                kill 1.1: updated, signal 9
                store 1.1 ending: updated
                store app 1: 1 launched
                > 1.1 exited, signal 9
                · 1.1 ended: updated, signal 9
                · 1.1 active → not running
                store end of 1.1
                """, "the old process gets no messages for the new one")
    }

    @Test func installedAgainBeforeItsExitItStays() {
        var bench = Bench.with(.active)
        _ = bench.does(.device(.appUninstalled(app(1))))
        #expect(
            bench.does(.device(.appInstalled(app(1), .sample(1)))) == """
                · 1.1 terminating: updated
                store 1.1 ending: updated
                store app 1: 1 launched
                """)
        _ = bench.plays()
        #expect(bench.state(1) == .notRunning)
        #expect(bench.disk[app(1)] != nil)
    }

    /// T19: The app that blocks the other is killed first, and the other does not become active.
    @Test func noAppBecomesActiveDuringADeviceShutdown() {
        var bench = Bench.with(.active)
        bench.helpers[launch(1)]?.isHung = true
        _ = bench.plays(.device(.appOpened(app(2))))
        #expect(bench.state(2) == .inactive)
        let answer = bench.does(.device(.deviceShutdownBegan))
        #expect(answer.contains("kill 1.1: device shutdown") && answer.contains("kill 2.1: device shutdown"))
        #expect(!answer.contains("didBecomeActive"))
        #expect(!answer.contains("→ active"))
    }
}
