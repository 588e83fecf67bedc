import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// Apps that are installed over themselves. The running version is ended, and the next launch is the new version.
@Suite struct InstallationTests {
    @Test(arguments: AppState.allCases.filter { $0 != .notRunning }) func anUpdateEndsTheAppInAnyState(
        _ state: AppState
    ) {
        var bench = Bench.with(state)
        let answer = bench.plays(.device(.appInstalled(app(1), .sample(1))))
        #expect(answer.contains("kill 1.1: updated, signal 9"))
        #expect(answer.contains("· 1.1 ended: updated, signal 9\n· 1.1 \(state.name) → not running"))
        #expect(!answer.contains("thaw"), "a frozen app is killed without a thaw")
        #expect(!answer.contains("willTerminate"))
        #expect(bench.plays(.device(.appOpened(app(1)))).contains("· 1.2 launched for user"))
        #expect(bench.state(1) == .active)
    }

    @Test func anAppThatDoesNotRunHasOnlyItsRecordChanged() {
        var bench = Bench.with(.notRunning)
        #expect(bench.plays(.device(.appInstalled(app(1), .sample(1)))) == "store app 1: 0 launched")
    }

    @Test func anUpdatedAppIsLaunchedWithTheNewManifest() {
        var bench = Bench.with(.active, .iOS26, [.sample(1, modes: [.location]), .sample(2)])
        let new = AppManifest.sample(1, modes: [.fetch])
        _ = bench.plays(.device(.appInstalled(app(1), new)))
        #expect(bench.device.snapshot(of: app(1))?.record.manifest == new)
        #expect(bench.disk[app(1)]?.manifest == new)
        #expect(
            bench.does(.device(.wakeOccurred(app(1), .locationUpdate))).contains("not woken"), "the mode is removed")
        #expect(bench.does(.device(.wakeOccurred(app(1), .backgroundFetch))).contains("start 1.2 for backgroundFetch"))
    }

    @Test func anUpdatedAppLeavesAsTheNewManifestSays() {
        var bench = Bench.with(.active)
        _ = bench.plays(.device(.appInstalled(app(1), .sample(1, exitsOnSuspend: true))))
        _ = bench.plays(.device(.appOpened(app(1))))
        #expect(bench.plays(.device(.homePressed)).contains("· 1.2 terminating: exits on suspend"))
        _ = bench.plays(.device(.appInstalled(app(1), .sample(1))))
        _ = bench.plays(.device(.appOpened(app(1))))
        _ = bench.plays(.device(.homePressed))
        #expect(bench.state(1) == .suspended)
    }

    @Test func anUpdatedAppOpenedBeforeItsExitIsRelaunched() {
        var bench = Bench.with(.active)
        _ = bench.does(.device(.appInstalled(app(1), .sample(1))))
        #expect(bench.does(.device(.appOpened(app(1)))) == "", "the launch waits for the exit")
        #expect(bench.plays().contains("· 1.2 launched for user"))
        #expect(bench.state(1) == .active)
        #expect(bench.state(2) == .notRunning)
    }

    @Test func anUpdatedAppIsNotWokenBeforeItsExit() {
        var bench = Bench.with(.suspended)
        _ = bench.does(.device(.appInstalled(app(1), .sample(1, modes: [.location]))))
        #expect(
            bench.does(.device(.wakeOccurred(app(1), .locationMonitoring))).hasPrefix(
                "· app 1 not woken for locationMonitoring")
        )
    }

    @Test func theNextWaitingAppIsNotDelayed() {
        var bench = Bench.with(.active)
        bench.helpers[launch(1)]?.isHung = true
        _ = bench.plays(.device(.appOpened(app(2))))
        #expect(bench.state(2) == .inactive)
        #expect(bench.does(.device(.appInstalled(app(1), .sample(1)))).contains("2.1 #2 didBecomeActive"))
    }

    @Test func swipedAwayItStaysSo() {
        var bench = Bench.with(.active)
        _ = bench.plays(.device(.appForceQuit(app(1))))
        #expect(bench.plays(.device(.appInstalled(app(1), .sample(1)))) == "store app 1: 1 launched, force-quit")
    }

    @Test func aKillThatIsOnItsWayIsNotSentAgain() {
        var bench = Bench.with(.suspended)
        _ = bench.does(.device(.memoryRanShort))
        #expect(bench.does(.device(.appInstalled(app(1), .sample(1)))) == "store app 1: 1 launched")
        #expect(bench.plays().contains("· 1.1 ended: memory, signal 9"))
    }

    @Test func anUpdateEndsTheAppAfterARestart() {
        var bench = Bench.with(.active)
        _ = bench.does(.device(.appInstalled(app(1), .sample(1))))
        bench.helpers[launch(1)]?.exit = nil
        #expect(bench.restarts().contains("kill 1.1: updated, signal 9"))
        _ = bench.plays()
        #expect(bench.state(1) == .notRunning)
    }

    @Test func uninstalledWhileAKillIsOnItsWay() {
        var bench = Bench(.iOS26, [.sample(1), .sample(2), .sample(3)])
        _ = bench.plays(.device(.appOpened(app(2))))
        _ = bench.plays(.device(.homePressed))
        _ = bench.does(.device(.memoryRanShort))
        #expect(bench.does(.device(.appUninstalled(app(2)))).contains("· 2.1 terminating: uninstalled"))
        #expect(bench.plays().contains("· 2.1 ended: uninstalled, signal 9"))
    }

    // MARK: Uninstalled, and installed again before its exit

    /// Only the records say that the launch still has to end, and that the app stays.
    @Test func installedAgainItStaysAcrossTheSystemsRestart() {
        var bench = Bench.with(.active)
        _ = bench.does(.device(.appUninstalled(app(1))))
        _ = bench.does(.device(.appInstalled(app(1), .sample(1))))
        _ = bench.restarts()
        _ = bench.plays()
        #expect(bench.state(1) == .notRunning)
        #expect(bench.disk[app(1)] != nil)
    }

    /// A pending request to open the app does not survive an uninstallation.
    @Test func aReinstalledAppIsNotOpenedForAnEarlierAction() {
        var bench = Bench.with(.active)
        _ = bench.does(.device(.appForceQuit(app(1))))
        _ = bench.does(.device(.appOpened(app(1))))
        _ = bench.does(.device(.appUninstalled(app(1))))
        _ = bench.does(.device(.appInstalled(app(1), .sample(1))))
        _ = bench.plays()
        #expect(bench.state(1) == .notRunning)
    }
}
