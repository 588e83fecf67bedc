import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// T13: finite-length tasks during an app's life.
@Suite struct BackgroundTimeTests {
    /// An app in the background with these tasks open since the foreground. The app's clock started at `start`.
    private func inBackground(_ tasks: [Int64], _ policy: Policy = .iOS26) -> Bench {
        var bench = Bench.with(.active, policy)
        bench.helpers[launch(1)]?.open = tasks.map(task)
        _ = bench.plays(.device(.homePressed))
        bench.forget()
        return bench
    }

    static let presets: [(policy: Policy, seconds: Int64, code: String)] = [
        (.iOS4, 600, "0x8badf00d"), (.iOS7, 180, "0x8badf00d"), (.iOS13, 30, "0x2182bad2"),
        (.iOS26, 30, "0x2182bad2"), (.iOS27, 30, "0x2182bad2"),
    ]

    /// the background time, the call of the handlers, and the kill for a task that never ends.
    @Test(arguments: presets)
    func timePerGeneration(policy: Policy, seconds length: Int64, code: String) {
        // The policy does not refuse the launch of an app without scenes.
        var bench = inBackground([1], policy.with { $0.scenes = .none })
        #expect(bench.device.snapshot(of: app(1))?.backgroundTimeUntil == at(length))
        #expect(bench.passes(seconds(length - 5) - Nanoseconds(1)) == "")
        #expect(
            bench.passes(Nanoseconds(1)) == """
                > deadline
                · 1.1 expiring [1]
                1.1 #5 expirationHandlers
                """)
        // The handlers return without ending the task.
        #expect(bench.does(.app(launch(1), .requested(.acknowledge(callback(5), open: [task(1)])))) == "")
        #expect(bench.passes(seconds(5) - Nanoseconds(1)) == "")
        #expect(
            bench.passes(Nanoseconds(1)) == """
                > deadline
                · 1.1 terminating: tasks not ended [1]
                kill 1.1: tasks not ended, \(code)
                store 1.1 ending: tasks not ended
                """, "no willTerminate")
    }

    /// T13, R-46: All tasks end in time.
    @Test func allEndedInTheHandlersLeadsToSuspension() {
        var bench = inBackground([1, 2])
        _ = bench.passes(seconds(25))
        #expect(
            bench.plays() == """
                > 1.1 acknowledged #5
                · 1.1 task 1 ended, 1 open
                · 1.1 task 2 ended, 0 open
                · 1.1 suspending after callback
                freeze 1.1 (1)
                > 1.1 froze (1)
                · 1.1 background → suspended
                store 1.1 suspended
                """)
        #expect(bench.device.nextDeadline == nil)
    }

    @Test func oneUnendedTaskOfTwoCausesTheKill() {
        var bench = inBackground([1, 2])
        _ = bench.passes(seconds(25))
        _ = bench.end(1, launch(1))
        _ = bench.does(.app(launch(1), .requested(.acknowledge(callback(5), open: [task(2)]))))
        #expect(bench.passes(seconds(5)).contains("kill 1.1: tasks not ended, 0x2182bad2"))
    }

    @Test func endedAfterTheHandlersAndBeforeTimeIsUp() {
        var bench = inBackground([1])
        _ = bench.passes(seconds(25))
        _ = bench.does(.app(launch(1), .requested(.acknowledge(callback(5), open: [task(1)]))))
        _ = bench.passes(seconds(4))
        #expect(bench.end(1, launch(1)).hasSuffix("freeze 1.1 (1)"))
        #expect(bench.passes(seconds(1)) == "")
    }

    /// The watchdog kills an app whose handlers hang.
    @Test func handlersThatHang() {
        var bench = inBackground([1])
        _ = bench.passes(seconds(25))
        #expect(bench.passes(seconds(5)).contains("kill 1.1: watchdog expirationHandlers, 0x8badf00d"))
    }

    /// The time is the app's, and not each task's.
    @Test func twoTasksDoNotGiveDoubleTime() {
        var bench = inBackground([1])
        _ = bench.passes(seconds(20))
        #expect(bench.begin(2, launch(1)) == "· 1.1 task 2 granted")
        #expect(bench.passes(seconds(5)).contains("· 1.1 expiring [1 2]"))
    }

    @Test func eachTaskIsEndedOnItsOwn() {
        var bench = inBackground([1, 2])
        #expect(bench.end(1, launch(1)) == "· 1.1 task 1 ended, 1 open")
        #expect(bench.assertions(1) == [.task(TaskID(2))])
        #expect(bench.end(2, launch(1)) == "· 1.1 task 2 ended, 0 open\n· 1.1 suspending after task 2\nfreeze 1.1 (1)")
    }

    /// A task that is begun in the same stretch does not renew the clock.
    @Test func theClockIsNotRenewedWithinAStretch() {
        var bench = inBackground([1, 2])
        _ = bench.passes(seconds(10))
        _ = bench.begin(3, launch(1))
        for id: Int64 in 1...3 { _ = bench.end(id, launch(1)) }
        // The end of the last task leads to a freeze. A task begun meanwhile thaws the app again.
        #expect(
            bench.begin(4, launch(1)) == """
                · 1.1 task 4 granted
                thaw 1.1
                · 1.1 resumed for task 4
                """)
        #expect(bench.device.snapshot(of: app(1))?.backgroundTimeUntil == at(30))
        #expect(bench.passes(seconds(15)).contains("· 1.1 expiring [4]"))
    }

    /// An app with a pending freeze receives nothing before its thaw.
    @Test func aTaskBegunOnTheWayToSuspension() {
        var bench = Bench.with(.background)
        #expect(
            bench.begin(1, launch(1)) == """
                · 1.1 task 1 granted
                · 1.1 clock until +30 s
                thaw 1.1
                · 1.1 resumed for task 1
                1.1 has time until +30 s
                """)
    }

    /// A refused task holds nothing, so the app is not thawed for it.
    @Test func aTaskRefusedOnTheWayToSuspension() {
        var bench = inBackground([1], Policy.iOS26.with { $0.wakeCallsDidEnterBackground = true })
        _ = bench.passes(seconds(25))
        _ = bench.end(1, launch(1))
        _ = bench.does(.app(launch(1), .requested(.acknowledge(callback(5), open: []))))
        #expect(bench.begin(2, launch(1)) == "· 1.1 task 2 refused")
        _ = bench.plays()
        #expect(bench.state(1) == .suspended)
        // After a wake the app has time again, and its open task is granted.
        _ = bench.does(.device(.wakeOccurred(app(1), .locationMonitoring)))
        #expect(bench.acknowledge(launch(1)).contains("· 1.1 task 2 granted\n· 1.1 clock until"))
    }

    @Test func anotherStretchHasNewTime() {
        var bench = inBackground([1])
        _ = bench.passes(seconds(10))
        _ = bench.end(1, launch(1))
        _ = bench.plays()
        #expect(bench.state(1) == .suspended)
        _ = bench.does(.device(.wakeOccurred(app(1), .locationMonitoring)))
        #expect(bench.begin(2, launch(1)).contains("· 1.1 clock until +40 s"))
    }

    /// An app cannot know that it was suspended. Without this message the app would take the rest of the old
    /// clock for its new time.
    @Test func aWakeAfterASuspensionHasItsOwnClock() {
        var bench = Bench.with(.background)
        _ = bench.begin(1, launch(1))
        _ = bench.passes(seconds(3))
        _ = bench.acknowledge(launch(1))
        _ = bench.end(1, launch(1))
        _ = bench.plays()
        #expect(bench.state(1) == .suspended)
        #expect(
            bench.does(.device(.wakeOccurred(app(1), .locationMonitoring))) == """
                · 1.1 woken for locationMonitoring
                thaw 1.1
                · 1.1 resumed for wake
                1.1 has no clock
                · 1.1 suspended → background
                store 1.1
                """)
        #expect(bench.begin(2, launch(1)).contains("1.1 has time until +33 s"))
        _ = bench.end(2, launch(1))
        _ = bench.passes(seconds(10))
        _ = bench.plays()
        #expect(
            bench.does(.device(.wakeOccurred(app(1), .locationMonitoring))).contains("1.1 has no clock"),
            "again at the next wake")
        _ = bench.passes(seconds(10))
        _ = bench.plays()
        #expect(!bench.does(.device(.wakeOccurred(app(1), .locationMonitoring))).contains("clock"), "it has no clock")
    }

    /// The app was asked to freeze but was not suspended, so its clock continues.
    @Test func anAppThatWasNotSuspendedKeepsItsClock() {
        var bench = Bench.with(.background)
        _ = bench.begin(1, launch(1))
        _ = bench.acknowledge(launch(1))
        #expect(bench.end(1, launch(1)).contains("freeze 1.1"))
        #expect(!bench.does(.device(.wakeOccurred(app(1), .locationMonitoring))).contains("clock"))
    }

    /// Tasks are dormant in the foreground.
    @Test func noClockRunsInTheForeground() {
        var bench = Bench.with(.active)
        bench.helpers[launch(1)]?.open = [task(1)]
        #expect(bench.begin(1, launch(1)) == "· 1.1 task 1 granted")
        #expect(bench.device.nextDeadline == nil)
        #expect(bench.passes(seconds(10_000)) == "")
        _ = bench.does(.device(.homePressed))
        #expect(
            bench.acknowledge(launch(1)) == """
                · 1.1 active → inactive
                · 1.1 clock until +10030 s
                1.1 has time until +10030 s
                1.1 #4 didEnterBackground
                · 1.1 inactive → background
                store 1.1
                """, "the clock starts when the app leaves the foreground")
    }

    @Test func returningStopsTheClockAndLeavingRestartsIt() {
        var bench = inBackground([1])
        _ = bench.passes(seconds(20))
        _ = bench.plays(.device(.appOpened(app(1))))
        #expect(bench.device.snapshot(of: app(1))?.backgroundTimeUntil == nil)
        _ = bench.passes(seconds(100))
        _ = bench.plays(.device(.homePressed))
        #expect(bench.device.snapshot(of: app(1))?.backgroundTimeUntil == at(150))
    }

    /// A task that can no longer be granted is refused, and the app is notified.
    @Test func nothingIsGrantedOnceExpiryHasBegun() {
        var bench = inBackground([1])
        _ = bench.passes(seconds(25))
        #expect(bench.begin(2, launch(1)) == "· 1.1 task 2 refused\n1.1 is refused task 2")
        #expect(bench.assertions(1) == [.callback, .task(TaskID(1))])
        #expect(bench.end(2, launch(1)) == "", "ending a refused task is no error")
    }

    @Test func returningToTheForegroundWhileExpiring() {
        var bench = inBackground([1])
        _ = bench.passes(seconds(25))
        #expect(bench.does(.device(.appOpened(app(1)))) == "store 1.1 foreground", "one callback at a time")
        #expect(
            bench.does(.app(launch(1), .requested(.acknowledge(callback(5), open: [task(1)])))) == """
                1.1 has no clock
                1.1 #6 willEnterForeground
                """)
        #expect(bench.passes(seconds(5)) == "", "no deadline is left")
    }

    @Test func returningAsTheExpiryFallsDue() {
        var bench = Bench.with(.active, Policy.iOS26.with { $0.backgroundTime = seconds(6) })
        bench.helpers[launch(1)]?.open = [task(1)]
        _ = bench.does(.device(.homePressed))
        _ = bench.acknowledge(launch(1))
        // The expiry is due during didEnterBackground, and waits for its return.
        #expect(bench.passes(seconds(1)) == "> deadline\n· 1.1 expiring [1]")
        _ = bench.does(.device(.appOpened(app(1))))
        #expect(bench.acknowledge(launch(1)) == "1.1 has no clock\n1.1 #5 willEnterForeground", "no handler is called")
    }

    @Test func anExpiryWaitsForTheCallbackUnderWay() {
        var bench = Bench.with(.active, Policy.iOS26.with { $0.backgroundTime = seconds(6) })
        bench.helpers[launch(1)]?.open = [task(1)]
        _ = bench.does(.device(.homePressed))
        _ = bench.acknowledge(launch(1))
        _ = bench.passes(seconds(1))
        #expect(bench.acknowledge(launch(1)) == "1.1 #5 expirationHandlers")
    }

    /// The end of an unknown task is recorded, and has no other effect.
    @Test func endingAnUnknownTaskIsOnlyRecorded() {
        var bench = inBackground([1])
        #expect(bench.end(7, launch(1)) == "· 1.1 task 7 unknown")
        _ = bench.end(1, launch(1))
        #expect(bench.end(1, launch(1)) == "· 1.1 task 1 unknown")
    }

    /// The generation decides whether the number of open tasks is limited.
    @Test func theCapPerGeneration() {
        for (policy, isCapped) in [(Policy.iOS4, false), (.iOS7, false), (.iOS13, true), (.iOS26, true)] {
            var bench = Bench.with(.background, policy)
            for id: Int64 in 1...1000 { _ = bench.begin(id, launch(1)) }
            #expect(bench.state(1) == .background)
            let answer = bench.begin(1001, launch(1))
            #expect(answer.contains("kill 1.1: too many tasks, 0xbada5e47") == isCapped)
            #expect((bench.assertions(1) == []) == isCapped, "a killed app holds nothing")
        }
    }

    /// A task begun at the very end of `didEnterBackground` arrives with the acknowledgment at the latest.
    @Test func aTaskThatComesWithTheAcknowledgment() {
        var bench = Bench.with(.active)
        _ = bench.does(.device(.homePressed))
        _ = bench.acknowledge(launch(1))
        bench.helpers[launch(1)]?.open = [task(1)]
        #expect(
            bench.acknowledge(launch(1)) == """
                · 1.1 task 1 granted
                · 1.1 clock until +30 s
                1.1 has time until +30 s
                """, "no freeze")
    }

    /// background tasks do not extend the limit of `didEnterBackground` (T22).
    @Test func aTaskDoesNotExtendDidEnterBackground() {
        var bench = Bench.with(.active)
        _ = bench.does(.device(.homePressed))
        _ = bench.acknowledge(launch(1))
        _ = bench.begin(1, launch(1))
        #expect(bench.passes(seconds(5)).contains("kill 1.1: watchdog didEnterBackground, 0x8badf00d"))
    }

    @Test func tasksOfABackgroundLaunch() {
        var bench = Bench.with(.notRunning)
        _ = bench.does(.device(.wakeOccurred(app(1), .locationMonitoring)))
        _ = bench.does(.app(launch(1), .attached(.new)))
        #expect(bench.begin(1, launch(1)).contains("· 1.1 clock until +30 s"))
    }
}
