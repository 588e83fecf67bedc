import LifeCycleModel
import LifeCyclePolicy
import Testing

/// Apps that are not built on RoostKit: their callbacks count as answered, and they have a few seconds.
@Suite struct AdoptedTests {
    private func adopted(_ state: AppState, modes: [BackgroundMode] = [.location]) -> Bench {
        Bench.with(state, .iOS26, [.sample(1, modes: modes, isAdopted: true), .sample(2)])
    }

    @Test func itsLaunchIsOverOnceItRuns() {
        var bench = adopted(.notRunning)
        #expect(
            bench.plays(.appOpened(app(1))) == """
                · 1.1 launched for user
                store app 1: 1 launched
                · 1.1 not running → inactive
                store 1.1 front
                start 1.1 for user
                > 1.1 started
                · 1.1 inactive → active
                """, "it is sent nothing")
        #expect(bench.device.nextDeadline == nil)
    }

    @Test func homeLeavesItAFewSeconds() {
        var bench = adopted(.active)
        #expect(
            bench.plays(.homePressed) == """
                · 1.1 active → inactive
                · 1.1 inactive → background
                store 1.1
                """, "no freeze and thaw in between")
        #expect(bench.assertions(1) == [.adopted])
        #expect(bench.passes(seconds(5)) == "> deadline\n· 1.1 suspending after adopted\nfreeze 1.1 (1)")
    }

    @Test func openedWithinThoseSeconds() {
        var bench = adopted(.active)
        _ = bench.plays(.homePressed)
        #expect(
            bench.plays(.appOpened(app(1))) == """
                · 1.1 background → inactive
                · 1.1 inactive → active
                store 1.1 front
                """)
        #expect(bench.device.nextDeadline == nil)
    }

    @Test func openedOnceSuspended() {
        var bench = adopted(.active)
        _ = bench.plays(.homePressed)
        _ = bench.passes(seconds(5))
        _ = bench.plays()
        #expect(bench.state(1) == .suspended)
        #expect(
            bench.plays(.appOpened(app(1))) == """
                thaw 1.1
                · 1.1 resumed for foreground
                · 1.1 suspended → background
                · 1.1 background → inactive
                · 1.1 inactive → active
                store 1.1 front
                """)
    }

    @Test func aWakeGivesItThoseSecondsToo() {
        var bench = adopted(.notRunning)
        _ = bench.plays(.wakeOccurred(app(1), .locationMonitoring))
        #expect(bench.assertions(1) == [.adopted])
        _ = bench.passes(seconds(5))
        _ = bench.plays()
        #expect(bench.state(1) == .suspended)
        #expect(
            bench.plays(.wakeOccurred(app(1), .locationMonitoring)) == """
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
            bench.does(.appForceQuit(app(1))) == """
                store app 1: 1 launched, force-quit
                · 1.1 terminating: force-quit
                · 1.1 active → inactive
                SIGTERM 1.1
                store 1.1 ending: force-quit
                """)
        #expect(bench.device.nextDeadline == Deadline(at: at(5), reason: .exit(launch(1))))
        #expect(bench.meetsDeadline().contains("kill 1.1: watchdog willTerminate, 0x8badf00d"))
    }

    @Test func suspendedItIsKilledWithoutSIGTERM() {
        var bench = adopted(.active)
        _ = bench.plays(.homePressed)
        _ = bench.passes(seconds(5))
        _ = bench.plays()
        #expect(bench.does(.shutdownBegan).contains("kill 1.1: shutdown"))
    }

    @Test func itHandsOverAtOnce() {
        var bench = adopted(.active)
        _ = bench.plays(.appOpened(app(2)))
        #expect(bench.state(2) == .active)
        _ = bench.plays(.appOpened(app(1)))
        #expect(bench.state(1) == .active)
        #expect(bench.state(2) == .suspended)
    }

    /// A signal waits for a process that stands still.
    @Test func askedToFreezeItIsThawedBeforeSIGTERM() {
        var bench = adopted(.active)
        _ = bench.plays(.homePressed)
        #expect(bench.passes(seconds(5)).hasSuffix("freeze 1.1 (1)"))
        #expect(
            bench.does(.appForceQuit(app(1))) == """
                store app 1: 1 launched, force-quit
                · 1.1 terminating: force-quit
                thaw 1.1
                · 1.1 resumed for termination
                SIGTERM 1.1
                store 1.1 ending: force-quit
                """)
    }

    /// The launch that ends is still the one that takes callbacks; the next goes by the new manifest.
    @Test func installedOverItselfAsAdoptedWhileItRuns() {
        var bench = Bench.with(.active)
        let answer = bench.plays(.appInstalled(app(1), .sample(1, isAdopted: true)))
        #expect(answer.contains("kill 1.1: updated, signal 9"))
        #expect(!answer.contains("SIGTERM"))
        let again = bench.plays(.appOpened(app(1)))
        #expect(!again.contains("1.2 #1"), "it is sent nothing")
        #expect(bench.state(1) == .active)
    }

    @Test func installedOverItselfAsOneThatTakesCallbacks() {
        var bench = adopted(.active)
        let answer = bench.plays(.appInstalled(app(1), .sample(1)))
        #expect(answer.contains("kill 1.1: updated, signal 9"))
        #expect(!answer.contains("SIGTERM"))
        #expect(bench.plays(.appOpened(app(1))).contains("1.2 #1 launch for user"))
        #expect(bench.state(1) == .active)
    }
}
