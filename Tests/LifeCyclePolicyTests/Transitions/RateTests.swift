import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// Floods of requests, and containers that are too large. Only the app itself is killed.
@Suite struct RateTests {
    private static let policy = Policy.iOS26.with {
        $0.requestRate = 10
        $0.requestBurst = 5
    }

    @Test func appsThatExceedTheRequestRateAreKilled() {
        var bench = Bench.with(.active, Self.policy)
        _ = bench.passes(seconds(10))
        for _ in 0..<5 { #expect(bench.end(9, launch(1)) == "· 1.1 task 9 unknown") }
        #expect(
            bench.end(9, launch(1)) == """
                · 1.1 terminating: too many requests
                kill 1.1: too many requests, 0xd00d2bad
                store 1.1 ending: too many requests
                """)
        _ = bench.plays()
        _ = bench.plays(.device(.appOpened(app(2))))
        #expect(bench.state(2) == .active)
    }

    /// An app that was asked to end may not flood either, before or after its return from `willTerminate`.
    @Test(arguments: [false, true]) func anEndingAppThatExceedsTheRateIsKilledAtOnce(hasReturned: Bool) {
        var bench = Bench.with(.active, Self.policy)
        _ = bench.passes(seconds(10))
        _ = bench.does(.device(.appForceQuit(app(1))))
        _ = bench.acknowledge(launch(1))
        if hasReturned { #expect(bench.acknowledge(launch(1)) == "") }
        // The app's acknowledgments count among the five requests of the burst.
        for _ in 0..<(hasReturned ? 3 : 4) { #expect(bench.end(9, launch(1)) == "· 1.1 ignored, late") }
        #expect(bench.end(9, launch(1)).contains("kill 1.1: too many requests, 0xd00d2bad"))
        for _ in 0..<3 { #expect(bench.end(9, launch(1)) == "· 1.1 ignored, late") }
        _ = bench.plays()
        #expect(bench.state(1) == .notRunning)
    }

    @Test func appsWithinTheRequestRateAreNotKilled() {
        var bench = Bench.with(.active, Self.policy)
        for _ in 0..<100 {
            _ = bench.passes(.milliseconds(100))
            #expect(bench.end(9, launch(1)) == "· 1.1 task 9 unknown")
        }
        #expect(bench.state(1) == .active)
    }

    @Test func aNewLaunchResetsTheRequestRate() {
        var bench = Bench.with(.active, Self.policy)
        for _ in 0..<9 { _ = bench.end(9, launch(1)) }
        _ = bench.plays()
        _ = bench.plays(.device(.appOpened(app(1))))
        #expect(bench.state(1) == .active)
    }

    /// Each app has its own limit for requests about notifications.
    @Test func notificationActsCountForTheirApp() {
        var bench = Bench.with(
            .active,
            .iOS26.with {
                $0.notificationActRate = 10
                $0.notificationActBurst = 5
            })
        _ = bench.plays(.device(.appOpened(app(2))))
        for number: Int32 in [1, 2] {
            for _ in 0..<4 { bench.notification(.setBadge(1), launch(number)) }
            _ = bench.plays()
            #expect(bench.state(number) != .notRunning)
        }
        for _ in 0..<4 { bench.notification(.setBadge(1), launch(2)) }
        _ = bench.plays()
        #expect(bench.state(2) == .notRunning)
    }

    @Test func thePresetsLeaveRoomForEverySoundApp() {
        var bench = Bench.with(.active)
        for _ in 0..<1000 { _ = bench.end(9, launch(1)) }
        #expect(bench.state(1) == .active)
    }

    @Test func aContainerThatIsTooLarge() {
        var bench = Bench.with(.suspended, Policy.iOS26.with { $0.containerSize = 1000 })
        #expect(bench.does(.process(launch(1), .containerMeasured(size: 1000))) == "")
        #expect(
            bench.plays(.process(launch(1), .containerMeasured(size: 1001))) == """
                · 1.1 terminating: too much disk
                kill 1.1: too much disk, 0xd00d2bad
                store 1.1 suspended ending: too much disk
                > 1.1 exited, signal 9
                · 1.1 ended: too much disk, signal 9
                · 1.1 suspended → not running
                store end of 1.1
                """)
        #expect(bench.does(.process(launch(1), .containerMeasured(size: 1))) == "· 1.1 ignored, late")
    }

    /// The launches whose containers are measured.
    private func measured(_ effects: some Sequence<Effect>) -> [LaunchID] {
        effects.compactMap { if case .launch(let launch, .measureContainer) = $0 { launch } else { nil } }
    }

    @Test func aContainerIsMeasuredWhenItsAppIsSuspended() {
        var bench = Bench.with(.active)
        #expect(measured(bench.effects) == [])
        _ = bench.plays(.device(.homePressed))
        #expect(measured(bench.effects) == [launch(1)])
        #expect(bench.device.nextDeadline == nil, "a suspended app causes no wake-ups")
    }

    @Test func aMeasurementThatWasSkippedIsMadeUpFor() {
        var bench = Bench.with(.suspended)
        _ = bench.passes(seconds(20))
        _ = bench.plays(.device(.appOpened(app(1))))
        _ = bench.plays(.device(.homePressed))
        #expect(measured(bench.effects) == [launch(1)], "suspended again within the pause")
        #expect(bench.device.nextDeadline == Deadline(at: at(60), reason: .containerCheck(launch(1))))
        #expect(bench.tells(.deadlineReached) == [], "not before the deadline")
        #expect(bench.passes(seconds(40)) == "> deadline")
        #expect(measured(bench.effects) == [launch(1), launch(1)])
        #expect(bench.device.nextDeadline == nil)
    }

    @Test func aResumedAppIsMeasuredAtItsNextSuspension() {
        var bench = Bench.with(.suspended)
        _ = bench.plays(.device(.appOpened(app(1))))
        _ = bench.plays(.device(.homePressed))
        _ = bench.plays(.device(.appOpened(app(1))))
        #expect(bench.device.nextDeadline == nil)
        _ = bench.passes(seconds(70))
        #expect(measured(bench.effects).count == 1)
        _ = bench.plays(.device(.homePressed))
        #expect(measured(bench.effects).count == 2)
    }

    @Test func anEndedAppIsNotMeasuredAndThePauseOutlivesIt() {
        var bench = Bench.with(.suspended)
        _ = bench.plays(.device(.appOpened(app(1))))
        _ = bench.plays(.device(.homePressed))
        _ = bench.plays(.device(.appForceQuit(app(1))))
        #expect(bench.device.nextDeadline == nil)
        _ = bench.passes(seconds(30))
        _ = bench.plays(.device(.appOpened(app(1))))
        _ = bench.plays(.device(.homePressed))
        #expect(bench.device.nextDeadline == Deadline(at: at(60), reason: .containerCheck(launch(1, 2))))
        _ = bench.passes(seconds(30))
        #expect(measured(bench.effects) == [launch(1), launch(1, 2)])
    }

    @Test func theSystemsRestartCutsNoMeasurementOff() {
        var bench = Bench.with(.suspended)
        _ = bench.restarts()
        #expect(measured(bench.effects) == [launch(1), launch(1)])
        _ = bench.plays(.device(.appForceQuit(app(1))))
        var ending = Bench.with(.suspended)
        _ = ending.does(.device(.appForceQuit(app(1))))
        ending.helpers[launch(1)]?.exit = nil
        _ = ending.restarts()
        #expect(measured(ending.effects) == [launch(1)], "an ending app is not measured again")
    }

    @Test func withoutALimitNoContainerIsMeasured() {
        let bench = Bench.with(.suspended, Policy.iOS26.with { $0.containerSize = nil })
        #expect(measured(bench.effects) == [])
    }

    @Test func withoutALimitNoContainerIsTooLarge() {
        var bench = Bench.with(.suspended, Policy.iOS26.with { $0.containerSize = nil })
        #expect(bench.does(.process(launch(1), .containerMeasured(size: .max))) == "")
    }
}
