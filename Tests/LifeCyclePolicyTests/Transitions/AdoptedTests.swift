import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// Apps that are not built on RoostKit. Their callbacks count as answered, and they have a few seconds in the
/// background.
@Suite struct AdoptedTests {
    private func adopted(_ state: AppState, modes: [BackgroundMode] = [.location]) -> Bench {
        Bench.with(state, .iOS26, [.sample(1, modes: modes, isAdopted: true), .sample(2)])
    }

    @Test func itsLaunchIsOverOnceItRuns() {
        var bench = adopted(.notRunning)
        #expect(
            bench.plays(.device(.appOpened(app(1)))) == """
                · 1.1 launched for user
                store app 1: 1 launched
                · 1.1 not running → inactive
                store 1.1 foreground
                start 1.1 for user
                > 1.1 started
                · 1.1 inactive → active
                """, "no message is sent")
        #expect(bench.device.nextDeadline == nil)
    }

    @Test func homeLeavesItAFewSeconds() {
        var bench = adopted(.active)
        #expect(
            bench.plays(.device(.homePressed)) == """
                · 1.1 active → inactive
                · 1.1 inactive → background
                store 1.1
                """, "no freeze or thaw in between")
        #expect(bench.assertions(1) == [.adopted])
        #expect(bench.passes(seconds(5)) == "> deadline\n· 1.1 suspending after adopted\nfreeze 1.1 (1)")
    }

    @Test func anAdoptedAppIsOpenedWithinItsSeconds() {
        var bench = adopted(.active)
        _ = bench.plays(.device(.homePressed))
        #expect(
            bench.plays(.device(.appOpened(app(1)))) == """
                · 1.1 background → inactive
                · 1.1 inactive → active
                store 1.1 foreground
                """)
        #expect(bench.device.nextDeadline == nil)
    }

    @Test func openedOnceSuspended() {
        var bench = adopted(.active)
        _ = bench.plays(.device(.homePressed))
        _ = bench.passes(seconds(5))
        _ = bench.plays()
        #expect(bench.state(1) == .suspended)
        #expect(
            bench.plays(.device(.appOpened(app(1)))) == """
                thaw 1.1
                · 1.1 resumed for foreground
                · 1.1 suspended → background
                · 1.1 background → inactive
                · 1.1 inactive → active
                store 1.1 foreground
                """)
    }

    @Test func aWakeGivesAnAdoptedAppItsSeconds() {
        var bench = adopted(.notRunning)
        _ = bench.plays(.device(.wakeOccurred(app(1), .locationMonitoring)))
        #expect(bench.assertions(1) == [.adopted])
        _ = bench.passes(seconds(5))
        _ = bench.plays()
        #expect(bench.state(1) == .suspended)
        #expect(
            bench.plays(.device(.wakeOccurred(app(1), .locationMonitoring))) == """
                · 1.1 woken for locationMonitoring
                thaw 1.1
                · 1.1 resumed for adopted
                · 1.1 suspended → background
                store 1.1
                """)
        #expect(bench.device.nextDeadline == Deadline(at: at(10), reason: .adopted(launch(1))))
    }

    @Test func willTerminateIsSIGTERM() {
        var bench = adopted(.active)
        #expect(
            bench.does(.device(.appForceQuit(app(1)))) == """
                store app 1: 1 launched, force-quit
                · 1.1 terminating: force-quit
                · 1.1 active → inactive
                SIGTERM 1.1
                store 1.1 ending: force-quit
                """)
        #expect(bench.device.nextDeadline == Deadline(at: at(10), reason: .exit(launch(1))))
        #expect(bench.meetsDeadline().contains("kill 1.1: did not exit, signal 9"), "no exception code from Apple")
    }

    private func suspended(_ policy: Policy = .iOS26) -> Bench {
        var bench = Bench.with(.active, policy, [.sample(1, isAdopted: true), .sample(2)])
        _ = bench.plays(.device(.homePressed))
        _ = bench.passes(seconds(5))
        _ = bench.plays()
        return bench
    }

    @Test(arguments: [
        (Event.device(.appForceQuit(app(1))), "force-quit"), (.device(.shutdownBegan), "shutdown"),
        (.device(.appInstalled(app(1), .sample(1, isAdopted: true))), "updated"),
    ])
    func x60ASuspendedAppIsThawedAndGetsSIGTERM(event: Event, reason: String) {
        var bench = suspended()
        #expect(bench.state(1) == .suspended)
        let answer = bench.does(event).split(separator: "\n").map(String.init)
        #expect(answer.contains("· 1.1 terminating: \(reason)"))
        let thaw = answer.firstIndex(of: "thaw 1.1")
        let signal = answer.firstIndex(of: "SIGTERM 1.1")
        #expect(thaw != nil && signal != nil && thaw ?? 0 < signal ?? 0, "\(answer)")
        #expect(!answer.contains { $0.hasPrefix("kill") })
        #expect(bench.state(1) == .background, "the app runs until it exits")
    }

    @Test func x60TheSwipesSwitchIsForAppsThatHaveWillTerminate() {
        var policy = Policy.iOS26
        policy.forceQuitCallsWillTerminate = false
        var bench = suspended(policy)
        #expect(bench.does(.device(.appForceQuit(app(1)))).contains("SIGTERM 1.1"))
    }

    @Test func x60MemoryKillsAnAdoptedAppUnlessThePolicySignals() {
        var bench = suspended()
        #expect(bench.does(.device(.memoryRanShort)).contains("kill 1.1: memory"))
        var policy = Policy.iOS26
        policy.memorySignalsAdopted = true
        bench = suspended(policy)
        let answer = bench.does(.device(.memoryRanShort))
        #expect(answer.contains("thaw 1.1") && answer.contains("SIGTERM 1.1") && !answer.contains("kill"), "\(answer)")
    }

    @Test func x60AnUninstalledAppIsKilled() {
        var bench = suspended()
        #expect(bench.does(.device(.appUninstalled(app(1)))).contains("kill 1.1: uninstalled"))
    }

    @Test func x60AskedTwiceTheShutdownKillsIt() {
        var bench = suspended()
        _ = bench.does(.device(.shutdownBegan))
        #expect(bench.does(.device(.shutdownBegan)).contains("kill 1.1: shutdown"))
    }

    /// The system does not know whether it asked the app before the restart. Asking again does no harm.
    @Test(arguments: [true, false])
    func x60SIGTERMIsSentAgainAfterARestart(isFrozen: Bool) {
        var bench = suspended()
        _ = bench.does(.device(.appForceQuit(app(1))))
        // The app has not exited. If the app is found frozen, it was not thawed either.
        bench.helpers[launch(1)]?.exit = nil
        bench.helpers[launch(1)]?.isFrozen = isFrozen
        let answer = bench.restarts()
        #expect(answer.contains("SIGTERM 1.1") && !answer.contains("kill"), "\(answer)")
        #expect(answer.contains("thaw 1.1") == isFrozen)
        #expect(bench.device.nextDeadline == Deadline(at: at(15), reason: .exit(launch(1))))
    }

    @Test func x60ADueKillIsPerformedAfterARestart() {
        var bench = suspended()
        _ = bench.does(.device(.memoryRanShort))
        bench.helpers[launch(1)]?.exit = nil
        #expect(bench.restarts().contains("kill 1.1: memory"))
    }

    @Test func anAdoptedAppHandsOverAtOnce() {
        var bench = adopted(.active)
        _ = bench.plays(.device(.appOpened(app(2))))
        #expect(bench.state(2) == .active)
        _ = bench.plays(.device(.appOpened(app(1))))
        #expect(bench.state(1) == .active)
        #expect(bench.state(2) == .suspended)
    }

    /// A frozen process does not handle a signal before it is thawed.
    @Test func aFreezingAppIsThawedBeforeSIGTERM() {
        var bench = adopted(.active)
        _ = bench.plays(.device(.homePressed))
        #expect(bench.passes(seconds(5)).hasSuffix("freeze 1.1 (1)"))
        #expect(
            bench.does(.device(.appForceQuit(app(1)))) == """
                store app 1: 1 launched, force-quit
                · 1.1 terminating: force-quit
                thaw 1.1
                · 1.1 resumed for termination
                SIGTERM 1.1
                store 1.1 ending: force-quit
                """)
    }

    /// The launch that ends still takes callbacks. The next launch has the new manifest.
    @Test func installedOverItselfAsAdoptedWhileItRuns() {
        var bench = Bench.with(.active)
        let answer = bench.plays(.device(.appInstalled(app(1), .sample(1, isAdopted: true))))
        #expect(answer.contains("kill 1.1: updated, signal 9"))
        #expect(!answer.contains("SIGTERM"))
        let again = bench.plays(.device(.appOpened(app(1))))
        #expect(!again.contains("1.2 #1"), "no message is sent")
        #expect(bench.state(1) == .active)
    }

    /// The same if the system restarts before the process is gone: the launch is still of the kind that it was.
    @Test(arguments: [true, false]) func theKindOfALaunchOutlivesARestart(wasAdopted: Bool) {
        var bench = wasAdopted ? adopted(.active) : Bench.with(.active)
        _ = bench.does(.device(.appInstalled(app(1), .sample(1, isAdopted: !wasAdopted))))
        bench.helpers[launch(1)]?.exit = nil
        let answer = bench.restarts()
        #expect(answer.contains("kill 1.1: updated") == !wasAdopted && answer.contains("SIGTERM 1.1") == wasAdopted)
    }

    @Test func aBackgroundAppThatIsFoundAgainHasItsPriority() {
        var bench = adopted(.background)
        let count = bench.effects.count
        _ = bench.restarts()
        #expect(bench.effects[count...].contains(.launch(launch(1), .prioritize(.background))))
    }

    @Test func anAdoptedAppIsReplacedByACallbackApp() {
        var bench = adopted(.active)
        let answer = bench.plays(.device(.appInstalled(app(1), .sample(1))))
        #expect(answer.contains("SIGTERM 1.1") && !answer.contains("kill"))
        #expect(bench.plays(.device(.appOpened(app(1)))).contains("1.2 #1 launch for user"))
        #expect(bench.state(1) == .active)
    }
}
