import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// Significant changes: the first one, the distance, and the pause.
@Suite struct SignificantChangeTests {
    // MARK: Start and stop

    @Test func r141TheFirstChangeIsTheKnownPosition() {
        var bench = Bench.locating(.always)
        #expect(
            bench.asks(.setChangeMonitoring(true)) == """
                · 1.1 begins monitoring
                store app 1: always, monitors
                · app 1 changed
                store app 1: always, monitors, told 0 at 0 s
                1.1 changes 0
                """)
        #expect(bench.locationsOnDisk == "app 1: always, monitors, told 0 at 0 s")
        #expect(bench.device.locationRecords == bench.stored.concerns.locations)
    }

    @Test func r141WithoutAKnownPositionTheFirstChangeWaits() {
        var bench = Bench.with(.active)
        _ = bench.permits(.always)
        #expect(
            bench.asks(.setChangeMonitoring(true)) == "· 1.1 begins monitoring\nstore app 1: always, monitors")
        #expect(
            bench.moves(20) == "· app 1 changed\nstore app 1: always, monitors, told 20 at 0 s\n1.1 changes 20")
    }

    @Test func r141ASecondStartDoesNothing() {
        var bench = Bench.locating(.always)
        _ = bench.asks(.setChangeMonitoring(true))
        _ = bench.waits(seconds(300))
        #expect(bench.asks(.setChangeMonitoring(true)) == "")
    }

    @Test func r141AStopWithoutAStartDoesNothing() {
        var bench = Bench.with(.active)
        #expect(bench.asks(.setChangeMonitoring(false)) == "")
        #expect(bench.device.locationRecords.isEmpty)
    }

    /// The new first change needs neither the distance nor the pause.
    @Test func r141StopAndStartGiveANewFirstChange() {
        var bench = Bench.locating(.always)
        _ = bench.asks(.setChangeMonitoring(true))
        _ = bench.waits(seconds(1))
        #expect(bench.asks(.setChangeMonitoring(false)) == "· 1.1 ends monitoring\nstore app 1: always")
        #expect(bench.moves(100_000) == "")
        #expect(bench.moves(0) == "")
        #expect(
            bench.asks(.setChangeMonitoring(true)) == """
                · 1.1 begins monitoring
                store app 1: always, monitors
                · app 1 changed
                store app 1: always, monitors, told 0 at 1 s
                1.1 changes 0
                """)
    }

    /// Standard updates have another filter, and are told apart.
    @Test func r141StandardUpdatesDoNotMatter() {
        var bench = Bench.locating(.always)
        _ = bench.asks(.setChangeMonitoring(true))
        _ = bench.asks(.setUpdates(StandardUpdates(distanceFilter: 1_000_000)))
        _ = bench.waits(seconds(300))
        #expect(
            bench.moves(50_000) == """
                · app 1 changed by 50000
                store app 1: always, monitors, told 50000 at 300 s
                1.1 changes 50000
                """)
    }

    // MARK: The distance

    @Test func r141AChangeIsAtLeast500Metres() {
        var bench = Bench.monitoring()
        _ = bench.plays(.device(.appOpened(app(1))))
        _ = bench.waits(seconds(1000))
        #expect(bench.moves(49_999) == "")
        #expect(bench.device.nextDeadline == Deadline(at: at(1060), reason: .location), "the receiver looks")
        #expect(
            bench.moves(50_000) == """
                · app 1 changed by 50000
                store app 1: always, monitors, told 50000 at 1000 s
                1.1 changes 50000
                """)
        _ = bench.waits(seconds(1000))
        #expect(bench.moves(99_999) == "", "the distance is measured from the position that was told last")
        #expect(bench.moves(0).hasPrefix("· app 1 changed by 50000\n"))
    }

    @Test(arguments: [20, 100_000] as [Int64]) func r141TheDistanceIsThePolicys(_ distance: Int64) {
        var bench = Bench.monitoring(.always, Policy.iOS26.with { $0.significantDistance = distance })
        _ = bench.waits(seconds(1000))
        #expect(bench.moves(distance - 10) == "")
        #expect(bench.moves(distance).hasPrefix("· app 1 changed by \(distance)\n"))
    }

    // MARK: The pause

    @Test func r141NoChangeWithinFiveMinutes() {
        var bench = Bench.monitoring()
        _ = bench.plays(.device(.appOpened(app(1))))
        _ = bench.waits(seconds(300) - Nanoseconds(1))
        #expect(bench.moves(50_000) == "")
        #expect(bench.device.nextDeadline == Deadline(at: at(300), reason: .location))
        #expect(bench.device.nextDeadlineTime == at(300))
        #expect(
            bench.waits(Nanoseconds(1)) == """
                · app 1 changed by 50000
                store app 1: always, monitors, told 50000 at 300 s
                1.1 changes 50000
                """)
        #expect(bench.device.nextDeadline == Deadline(at: at(615), reason: .location), "5 % behind the next change")
        #expect(bench.moves(0) == "", "the next pause has begun")
        #expect(bench.device.nextDeadline == Deadline(at: at(600), reason: .location))
    }

    @Test func r141AChangeAfterFiveMinutesIsToldAtOnce() {
        var bench = Bench.monitoring()
        _ = bench.waits(seconds(300))
        #expect(bench.moves(50_000).hasPrefix("· app 1 changed by 50000\n"))
    }

    @Test func r141ThePauseIsThePolicys() {
        var bench = Bench.monitoring(.always, Policy.iOS26.with { $0.significantPause = seconds(20) })
        #expect(bench.moves(50_000) == "")
        #expect(bench.waits(seconds(20) - Nanoseconds(1)) == "")
        #expect(bench.waits(Nanoseconds(1)).hasPrefix("· app 1 changed by 50000\n"))
    }

    /// The app is told where the device is then.
    @Test func r141AfterThePauseTheNewestPositionCounts() {
        var bench = Bench.monitoring()
        #expect(bench.moves(50_000) == "")
        #expect(bench.moves(100_000) == "")
        #expect(
            bench.waits(seconds(300)) == """
                · app 1 changed by 100000
                store app 1: always, monitors, told 100000 at 300 s
                thaw 1.1
                1.1 changes 100000
                """)
    }

    @Test func r141ADeviceThatCameBackHasNotChanged() {
        var bench = Bench.monitoring()
        #expect(bench.moves(50_000) == "")
        #expect(bench.device.nextDeadline?.reason == .location)
        #expect(bench.moves(0) == "")
        #expect(bench.device.nextDeadline == Deadline(at: at(600), reason: .location), "the receiver rests")
        #expect(bench.waits(seconds(1000)) == "")
    }

    /// An app that is no longer in use waits for nothing, also before it has left the foreground.
    @Test func r133TheDeadlineEndsWithTheUse() {
        var bench = Bench.monitoring(.whenInUse)
        _ = bench.plays(.device(.appOpened(app(1))))
        _ = bench.waits(seconds(299))
        #expect(bench.moves(50_000) == "")
        #expect(bench.device.nextDeadline == Deadline(at: at(300), reason: .location))
        _ = bench.does(.device(.homePressed))
        #expect(bench.device.nextDeadline?.reason != .location)
    }

    // MARK: Clocks

    /// A time at which the app was told is never in the future.
    @Test func r141AClockThatIsSetBackDoesNotHoldUpAChange() {
        var bench = Bench.monitoring()
        _ = bench.waits(seconds(100))
        #expect(bench.moves(50_000) == "")
        _ = bench.setsClock(by: seconds(-500))
        #expect(bench.device.nextDeadline == Deadline(at: at(160), reason: .location), "the receiver looks")
        #expect(bench.device.locationRecords.first?.toldAt == bench.now.wall)
        #expect(bench.waits(seconds(300) - Nanoseconds(1)) == "")
        #expect(bench.waits(Nanoseconds(1)).hasPrefix("· app 1 changed by 50000\n"))
    }

    @Test func r141AClockThatIsSetForwardLeavesTheTimeInThePast() {
        var bench = Bench.monitoring()
        #expect(bench.moves(50_000) == "")
        let count = bench.effects.count
        _ = bench.setsClock(by: seconds(299))
        #expect(bench.located(since: count) == "")
        #expect(bench.device.nextDeadline == Deadline(at: at(1), reason: .location))
        _ = bench.setsClock(by: seconds(1))
        _ = bench.plays()
        #expect(
            bench.located(since: count) == """
                · app 1 changed by 50000
                store app 1: always, monitors, told 50000 at 300 s
                thaw 1.1
                1.1 changes 50000
                """)
    }

    /// The pause continues while the device sleeps.
    @Test func r141ThePauseIsOverAfterASleep() {
        var bench = Bench.monitoring()
        #expect(bench.moves(50_000) == "")
        bench.sleeps(seconds(300))
        #expect(bench.locates(.device(.networkChanged(isConnected: true))).hasPrefix("· app 1 changed by 50000\n"))
    }

    // MARK: Several apps

    @Test(arguments: [[1, 2], [2, 1]] as [[Int32]]) func r141TheEarliestAppHasTheDeadline(_ order: [Int32]) {
        var bench = Bench.with(.notRunning, .iOS26, [.sample(1), .sample(2)])
        _ = bench.moves(0)
        for number in order {
            _ = bench.plays(.device(.appOpened(app(number))))
            _ = bench.permits(.always, number)
            #expect(bench.asks(.setChangeMonitoring(true), launch(number)).contains("changed"))
            _ = bench.plays(.device(.homePressed))
            _ = bench.waits(seconds(10))
        }
        #expect(bench.moves(50_000) == "")
        #expect(bench.device.nextDeadline == Deadline(at: at(300), reason: .location))
        for (number, time) in zip(order, [300, 310]) {
            #expect(bench.waits(at(Int64(time)) - bench.now.awake - Nanoseconds(1)) == "")
            #expect(
                bench.waits(Nanoseconds(1)) == """
                    · app \(number) changed by 50000
                    store app \(number): always, monitors, told 50000 at \(time) s
                    thaw \(number).1
                    \(number).1 changes 50000
                    """)
        }
        #expect(bench.state(order[1]) == .background)
    }
}
