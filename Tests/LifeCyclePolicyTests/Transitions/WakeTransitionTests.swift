import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// T02, T11, T12: launches and wakes into the background, with and without `didEnterBackground`. An event
/// without a completion handler gives a slice of time.
@Suite struct WakeTransitionTests {
    private static let quiet = Policy.iOS26.with { $0.launchCallsDidEnterBackground = false }
    private static let loud = Policy.iOS26.with { $0.wakeCallsDidEnterBackground = true }

    @Test func t02ABackgroundLaunch() {
        var bench = Bench.with(.notRunning)
        #expect(
            bench.plays(.device(.wakeOccurred(app(1), .locationMonitoring))) == """
                · 1.1 launched for locationMonitoring
                store app 1: 1 launched
                · 1.1 not running → background
                store 1.1
                start 1.1 for locationMonitoring
                > 1.1 started
                > 1.1 attached starting #0
                1.1 #1 launch for locationMonitoring
                > 1.1 acknowledged #1
                1.1 #2 didEnterBackground
                > 1.1 acknowledged #2
                """)
        // The slice begins with the delivery of the event, after the callbacks of the launch. No return ends it.
        #expect(bench.assertions(1) == [.wake])
        #expect(bench.device.nextDeadline == Deadline(at: at(10), reason: .wake(launch(1))))
        #expect(
            bench.passes(seconds(10)) + "\n" + bench.plays() == """
                > deadline
                · 1.1 suspending after wake
                freeze 1.1 (1)
                > 1.1 froze (1)
                · 1.1 background → suspended
                store 1.1 suspended
                """)
    }

    /// The time that a launch takes is not taken off the event's slice.
    @Test func r128TheSliceBeginsWithTheDelivery() {
        var bench = Bench.with(.notRunning)
        _ = bench.does(.device(.wakeOccurred(app(1), .locationMonitoring)))
        _ = bench.does(.process(launch(1), .started))
        _ = bench.does(.app(launch(1), .attached(.new)))
        _ = bench.passes(seconds(4))
        #expect(bench.acknowledge(launch(1)) == "1.1 #2 didEnterBackground")
        _ = bench.passes(seconds(3))
        #expect(bench.acknowledge(launch(1)) == "")
        #expect(bench.device.nextDeadline == Deadline(at: at(17), reason: .wake(launch(1))))
    }

    /// Each event gives a slice, also to a running app. In the foreground no slice is needed.
    @Test func r128AnEventForARunningAppRestartsItsSlice() {
        var bench = Bench.with(.suspended)
        _ = bench.plays(.device(.wakeOccurred(app(1), .locationMonitoring)))
        _ = bench.passes(seconds(6))
        #expect(
            bench.plays(.device(.wakeOccurred(app(1), .locationMonitoring))) == "· 1.1 woken for locationMonitoring")
        #expect(bench.device.nextDeadline == Deadline(at: at(16), reason: .wake(launch(1))))
        _ = bench.plays(.device(.appOpened(app(1))))
        #expect(
            bench.plays(.device(.wakeOccurred(app(1), .locationMonitoring))) == "· 1.1 woken for locationMonitoring")
        _ = bench.plays(.device(.homePressed))
        #expect(bench.state(1) == .suspended, "an event in the foreground gives no background time")
    }

    /// A task that is begun in the slice continues after it.
    @Test func r128ATaskOutlivesTheSlice() {
        var bench = Bench.with(.suspended)
        _ = bench.plays(.device(.wakeOccurred(app(1), .locationMonitoring)))
        _ = bench.begin(1, launch(1))
        _ = bench.passes(seconds(10))
        #expect(bench.assertions(1) == [.task(TaskID(1))])
    }

    /// An event with a completion handler gives no slice. The call of the handler ends its time.
    @Test func r128AHandlerTakesThePlaceOfTheSlice() {
        var bench = Bench.with(.suspended)
        _ = bench.plays(.device(.wakeOccurred(app(1), .backgroundFetch)))
        #expect(bench.assertions(1) == [.wakeEvent])
    }

    @Test func t02WithoutDidEnterBackgroundTheWakeHasASlice() {
        var bench = Bench.with(.notRunning, Self.quiet)
        #expect(
            bench.plays(.device(.wakeOccurred(app(1), .locationMonitoring))) == """
                · 1.1 launched for locationMonitoring
                store app 1: 1 launched
                · 1.1 not running → background
                store 1.1
                start 1.1 for locationMonitoring
                > 1.1 started
                > 1.1 attached starting #0
                1.1 #1 launch for locationMonitoring
                > 1.1 acknowledged #1
                """)
        #expect(bench.assertions(1) == [.wake])
        #expect(bench.device.nextDeadline == Deadline(at: at(10), reason: .wake(launch(1))))
        #expect(bench.meetsDeadline() == "· 1.1 suspending after wake\nfreeze 1.1 (1)")
    }

    @Test func t11WithDidEnterBackground() {
        var bench = Bench.with(.suspended, Self.loud)
        #expect(
            bench.plays(.device(.wakeOccurred(app(1), .locationMonitoring))) == """
                · 1.1 woken for locationMonitoring
                thaw 1.1
                · 1.1 resumed for callback
                1.1 #5 didEnterBackground
                · 1.1 suspended → background
                store 1.1
                > 1.1 acknowledged #5
                """)
        #expect(bench.passes(seconds(10)) == "> deadline\n· 1.1 suspending after wake\nfreeze 1.1 (2)")
    }

    /// a thaw does not repeat `didEnterBackground`.
    @Test func t11ASuspendedAppIsWoken() {
        var bench = Bench.with(.suspended)
        #expect(
            bench.does(.device(.wakeOccurred(app(1), .locationMonitoring))) == """
                · 1.1 woken for locationMonitoring
                thaw 1.1
                · 1.1 resumed for wake
                · 1.1 suspended → background
                store 1.1
                """)
        #expect(bench.passes(seconds(9)) == "")
        // T12: The slice ends, and the app is not notified.
        #expect(bench.passes(seconds(1)) == "> deadline\n· 1.1 suspending after wake\nfreeze 1.1 (2)")
    }

    @Test func t12TheLastTaskEnds() {
        var bench = Bench.with(.suspended)
        _ = bench.does(.device(.wakeOccurred(app(1), .locationMonitoring)))
        _ = bench.begin(1, launch(1))
        _ = bench.plays()
        _ = bench.passes(seconds(10))
        #expect(bench.assertions(1) == [.task(TaskID(1))])
        #expect(
            bench.end(1, launch(1)) == """
                · 1.1 task 1 ended, 0 open
                · 1.1 suspending after task 1
                freeze 1.1 (2)
                """)
    }

    @Test func anAppIsOpenedWithinItsSlice() {
        var bench = Bench.with(.suspended)
        _ = bench.does(.device(.wakeOccurred(app(1), .locationMonitoring)))
        #expect(
            bench.does(.device(.appOpened(app(1)))) == """
                1.1 #5 willEnterForeground
                store 1.1 foreground
                """, "no freeze or thaw in between")
        _ = bench.plays()
        #expect(bench.state(1) == .active)
        #expect(bench.device.nextDeadline == nil, "the time slice is over")
    }

    @Test func openedDuringABackgroundLaunch() {
        var bench = Bench.with(.notRunning)
        _ = bench.does(.device(.wakeOccurred(app(1), .backgroundFetch)))
        _ = bench.does(.device(.appOpened(app(1))))
        #expect(
            bench.plays() == """
                > 1.1 started
                > 1.1 attached starting #0
                1.1 #1 launch for backgroundFetch
                > 1.1 acknowledged #1
                1.1 #2 willEnterForeground
                > 1.1 acknowledged #2
                · 1.1 background → inactive
                1.1 #3 didBecomeActive
                · 1.1 inactive → active
                > 1.1 acknowledged #3
                1.1 #4 performFetch
                > 1.1 acknowledged #4
                """)
    }

    @Test func aWakeFindsARunningAppAtItsWork() {
        var bench = Bench.with(.active)
        #expect(
            bench.plays(.device(.wakeOccurred(app(1), .locationMonitoring))) == "· 1.1 woken for locationMonitoring")
        bench.helpers[launch(1)]?.open = [task(1)]
        _ = bench.plays(.device(.homePressed))
        #expect(
            bench.plays(.device(.wakeOccurred(app(1), .locationMonitoring))) == "· 1.1 woken for locationMonitoring")
    }

    /// An app is never inactive on the way into the background.
    @Test(arguments: [Policy.iOS26, quiet, loud]) func aBackgroundLaunchIsNeverInactive(_ policy: Policy) {
        var bench = Bench.with(.notRunning, policy)
        _ = bench.plays(.device(.wakeOccurred(app(1), .locationMonitoring)))
        _ = bench.passes(seconds(60))
        for case .decided(.launch(_, .stateChanged(_, let to))) in bench.effects { #expect(!to.isForeground) }
    }

    @Test func wakesAreRefused() {
        var bench = Bench(
            .iOS26, [.sample(1, modes: [.fetch]), .sample(2, modes: [.fetch], exitsOnSuspend: true)])
        #expect(
            bench.does(.device(.wakeOccurred(app(1), .locationUpdate)))
                == "· app 1 not woken for locationUpdate: modeNotDeclared")
        #expect(bench.does(.device(.wakeOccurred(app(1), .user))) == "· app 1 not woken for user: notAWake")
        #expect(
            bench.does(.device(.wakeOccurred(app(2), .backgroundFetch)))
                == "· app 2 not woken for backgroundFetch: exitsOnSuspend")
        _ = bench.plays(.device(.appOpened(app(1))))
        _ = bench.does(.device(.appForceQuit(app(1))))
        #expect(
            bench.does(.device(.wakeOccurred(app(1), .backgroundFetch)))
                == "· app 1 not woken for backgroundFetch: forceQuit")
        _ = bench.does(.device(.shutdownBegan))
        #expect(
            bench.does(.device(.wakeOccurred(app(1), .backgroundFetch)))
                == "· app 1 not woken for backgroundFetch: shuttingDown")
    }

    @Test func aWakeOfAnAppThatIsBeingEnded() {
        var bench = Bench.with(.suspended)
        _ = bench.does(.device(.memoryRanShort))
        #expect(
            bench.does(.device(.wakeOccurred(app(1), .locationMonitoring)))
                == "· app 1 not woken for locationMonitoring: ending"
        )
    }

    /// The flag is set until the user opens the app.
    @Test func openingLiftsTheFlagOfForceQuit() {
        var bench = Bench.with(.suspended, .iOS7)
        _ = bench.plays(.device(.appForceQuit(app(1))))
        #expect(
            bench.does(.device(.wakeOccurred(app(1), .locationMonitoring)))
                == "· app 1 not woken for locationMonitoring: forceQuit")
        _ = bench.plays(.device(.appOpened(app(1))))
        #expect(bench.device.snapshot(of: app(1))?.record.isForceQuit == false)
        _ = bench.plays(.device(.homePressed))
        #expect(
            bench.does(.device(.wakeOccurred(app(1), .locationMonitoring))).hasPrefix(
                "· 1.2 woken for locationMonitoring\nthaw 1.2"))
    }
}
