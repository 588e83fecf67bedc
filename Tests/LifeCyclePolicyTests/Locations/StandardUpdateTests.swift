import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// Standard updates: the first position, the filter, and the positions that wait.
@Suite struct StandardUpdateTests {
    /// An app that stops and starts its updates again and again, and takes long for a call, is told once of each.
    @Test(arguments: [LocationPermission.deny, .whenInUse])
    func r134StartsDuringACallAreToldOnce(permission: LocationPermission) {
        var bench = Bench.locating(permission)
        let count = bench.effects.count
        for filter in [nil, 0, nil, 0, nil, 0, nil, 0, nil, 0] as [Int64?] {
            bench.handle(
                .app(
                    launch(1),
                    .requested(.concern(.location(.setUpdates(filter.map { StandardUpdates(distanceFilter: $0) }))))))
        }
        _ = bench.plays()
        let calls = bench.effects[count...].count {
            if case .launch(_, .send(.callback)) = $0 { true } else { false }
        }
        #expect(calls == 2)
    }

    // MARK: Start and stop

    @Test func r135TheFirstUpdateIsTheKnownPosition() {
        var bench = Bench.locating()
        #expect(bench.asks(.setUpdates(StandardUpdates())) == "· 1.1 begins updates, 0\n1.1 updates 0")
        #expect(bench.moves(20) == "1.1 updates 20")
    }

    @Test func r135WithoutAKnownPositionTheFirstUpdateFails() {
        var bench = Bench.with(.active)
        _ = bench.permits(.whenInUse)
        #expect(bench.device.location == nil)
        #expect(bench.asks(.setUpdates(StandardUpdates())) == "· 1.1 begins updates, 0\n1.1 failed: unknown")
        #expect(bench.moves(20) == "1.1 updates 20")
        #expect(bench.device.location == .north(20))
    }

    /// The position of a device on which no app uses locations is known, too.
    @Test func r135ThePositionIsKnownBeforeAnAppAsks() {
        var bench = Bench.with(.active)
        #expect(bench.moves(20) == "")
        #expect(bench.device.location == .north(20))
        #expect(bench.device.locationRecords.isEmpty)
    }

    @Test func r135AfterTheStopThereAreNoUpdates() {
        var bench = Bench.locating()
        _ = bench.asks(.setUpdates(StandardUpdates()))
        #expect(bench.asks(.setUpdates(nil)) == "· 1.1 ends updates")
        #expect(bench.moves(20) == "")
        #expect(bench.asks(.setUpdates(nil)) == "", "the second stop does nothing")
        #expect(bench.asks(.setUpdates(StandardUpdates())) == "· 1.1 begins updates, 0\n1.1 updates 20")
    }

    @Test func r135AStopWithoutAStartDoesNothing() {
        var bench = Bench.with(.active)
        #expect(bench.asks(.setUpdates(nil)) == "")
        #expect(bench.device.locationRecords.isEmpty)
    }

    @Test func r135ASecondStartWithTheSameFilterDoesNothing() {
        var bench = Bench.locating()
        _ = bench.asks(.setUpdates(StandardUpdates()))
        #expect(bench.asks(.setUpdates(StandardUpdates())) == "")
        #expect(bench.asks(.setUpdates(StandardUpdates(distanceFilter: -5))) == "", "a negative filter is no filter")
        #expect(bench.asks(.setUpdates(StandardUpdates(distanceFilter: 1))) == "· 1.1 begins updates, 1")
        #expect(bench.asks(.setUpdates(StandardUpdates(distanceFilter: 1))) == "")
    }

    // MARK: The filter

    @Test func r135AnUpdateNeedsTheDistanceOfTheFilter() {
        var bench = Bench.locating()
        _ = bench.asks(.setUpdates(StandardUpdates(distanceFilter: 50_000)))
        #expect(bench.moves(49_999) == "")
        #expect(bench.moves(50_000) == "1.1 updates 50000")
        #expect(bench.moves(99_999) == "", "the distance is measured from the last update")
        #expect(bench.moves(100_000) == "1.1 updates 100000")
        #expect(bench.moves(50_001) == "")
        #expect(bench.moves(50_000) == "1.1 updates 50000")
    }

    /// A position that waits counts as told.
    @Test func r135TheFilterAppliesToPositionsThatWait() {
        var bench = Bench.locating()
        _ = bench.asks(.setUpdates(StandardUpdates(distanceFilter: 50_000)))
        _ = bench.plays(.device(.homePressed))
        for distance in [49_999, 50_000, 99_999, 100_000] as [Int64] { #expect(bench.moves(distance) == "") }
        #expect(bench.locates(.device(.appOpened(app(1)))) == "thaw 1.1\n1.1 updates 50000 100000")
    }

    @Test func r135WithoutAFilterEachPositionIsAnUpdate() {
        var bench = Bench.locating()
        #expect(
            bench.asks(.setUpdates(StandardUpdates(distanceFilter: -1))) == "· 1.1 begins updates, 0\n1.1 updates 0")
        #expect(bench.moves(0) == "1.1 updates 0")
        _ = bench.asks(.setUpdates(StandardUpdates(distanceFilter: 1)))
        #expect(bench.moves(0) == "")
        #expect(bench.moves(10) == "1.1 updates 10")
    }

    // MARK: Positions that wait

    @Test func r135PositionsThatWaitForACallComeTogether() {
        var bench = Bench.locating()
        _ = bench.asks(.setUpdates(StandardUpdates()))
        bench.helpers[launch(1)]?.isHung = true
        #expect(bench.moves(20) == "1.1 updates 20")
        for distance in [40, 60, 80] as [Int64] { #expect(bench.moves(distance) == "") }
        #expect(bench.answers() == "1.1 updates 40", "this call was queued when the next positions came")
        #expect(bench.answers() == "1.1 updates 60 80")
        #expect(bench.answers() == "")
        #expect(bench.moves(100) == "1.1 updates 100")
    }

    @Test func r138TheNewestPositionsWait() {
        var bench = Bench.locating(.whenInUse, Policy.iOS26.with { $0.locationQueue = 3 })
        _ = bench.asks(.setUpdates(StandardUpdates()))
        _ = bench.plays(.device(.homePressed))
        for distance in [20, 40, 60] as [Int64] { #expect(bench.moves(distance) == "") }
        #expect(bench.locates(.device(.appOpened(app(1)))) == "thaw 1.1\n1.1 updates 20 40 60")
        _ = bench.plays(.device(.homePressed))
        for distance in [20, 40, 60, 80] as [Int64] { #expect(bench.moves(distance) == "") }
        #expect(bench.locates(.device(.appOpened(app(1)))) == "thaw 1.1\n1.1 updates 40 60 80")
    }

    @Test(arguments: [(99, 99), (100, 100), (101, 100), (250, 100)])
    func r138AHundredPositionsWait(_ moves: Int, _ told: Int) {
        var bench = Bench.locating()
        _ = bench.asks(.setUpdates(StandardUpdates()))
        _ = bench.plays(.device(.homePressed))
        for number in 1...moves { #expect(bench.moves(number % 2 == 0 ? 20 : 40) == "") }
        let count = bench.effects.count
        _ = bench.plays(.device(.appOpened(app(1))))
        let calls = bench.effects[count...].callbacks.compactMap {
            if case .concern(.location(.updated(let fixes, by: .updates))) = $0 { fixes.count } else { nil }
        }
        #expect(calls == [told])
    }

    /// With another filter the updates go on: the call that is queued still counts as one.
    @Test func r138AnotherFilterDoesNotDoubleTheQueuedCall() {
        var bench = Bench.locating()
        _ = bench.asks(.setUpdates(StandardUpdates()))
        bench.helpers[launch(1)]?.isHung = true
        #expect(bench.moves(20) == "1.1 updates 20")
        #expect(bench.moves(40) == "")
        #expect(bench.asks(.setUpdates(StandardUpdates(distanceFilter: 10))) == "· 1.1 begins updates, 10")
        #expect(bench.moves(60) == "")
        #expect(bench.answers() == "1.1 updates 40")
        #expect(bench.moves(80) == "")
        #expect(bench.answers() == "1.1 updates 60", "no position is told twice")
        #expect(bench.answers() == "1.1 updates 80")
    }

    /// Another filter leaves the positions that wait for the foreground.
    @Test func r138AnotherFilterLeavesWhatWaits() {
        var bench = Bench.locating()
        _ = bench.asks(.setUpdates(StandardUpdates()))
        _ = bench.plays(.device(.homePressed))
        #expect(bench.moves(20) == "")
        #expect(bench.moves(40) == "")
        #expect(bench.asks(.setUpdates(StandardUpdates(distanceFilter: 50))) == "· 1.1 begins updates, 50")
        #expect(bench.moves(60) == "")
        #expect(bench.locates(.device(.appOpened(app(1)))).hasSuffix("1.1 updates 20 40"))
        #expect(bench.moves(90) == "1.1 updates 90")
    }

    /// A call for a significant change is no call for updates.
    @Test func r138ASignificantChangeDoesNotAnswerTheQueuedCall() {
        var bench = Bench.locating(.always)
        _ = bench.asks(.setUpdates(StandardUpdates()))
        _ = bench.asks(.setChangeMonitoring(true))
        _ = bench.waits(seconds(300))
        bench.helpers[launch(1)]?.isHung = true
        #expect(bench.moves(20) == "1.1 updates 20")
        #expect(bench.asks(.setChangeMonitoring(false)) == "· 1.1 ends monitoring\nstore app 1: always")
        #expect(
            bench.asks(.setChangeMonitoring(true)) == """
                · 1.1 begins monitoring
                store app 1: always, monitors
                · app 1 changed
                store app 1: always, monitors, told 20 at 300 s
                """, "the call waits")
        #expect(bench.moves(40) == "")
        #expect(bench.answers() == "1.1 changes 20", "the call for updates comes after it")
        for distance in [60, 80] as [Int64] { #expect(bench.moves(distance) == "") }
        #expect(bench.answers() == "1.1 updates 40")
        #expect(bench.answers() == "1.1 updates 60 80")
    }

    /// A suspended app receives its positions when it runs for another reason.
    @Test func r138ASuspendedAppWithThePermissionAlwaysWaits() {
        var bench = Bench.locating(.always)
        _ = bench.asks(.setUpdates(StandardUpdates()))
        _ = bench.plays(.device(.homePressed))
        #expect(bench.state(1) == .suspended)
        for distance in [20, 40, 60] as [Int64] { #expect(bench.moves(distance) == "") }
        #expect(
            bench.locates(.device(.wakeOccurred(app(1), .locationMonitoring))) == "thaw 1.1\n1.1 updates 20 40 60")
        #expect(bench.moves(80) == "1.1 updates 80", "it runs until its time is up")
        _ = bench.waits(seconds(10))
        #expect(bench.state(1) == .suspended)
        #expect(bench.moves(100) == "")
    }

    /// An app that is about to be suspended cannot be called.
    @Test func r138AnAppThatIsBeingFrozenWaits() {
        var bench = Bench.locating(.always)
        _ = bench.asks(.setUpdates(StandardUpdates()))
        _ = bench.does(.device(.homePressed))
        _ = bench.acknowledge(launch(1))
        #expect(bench.acknowledge(launch(1)).contains("freeze 1.1"))
        let count = bench.effects.count
        _ = bench.does(.concern(.location(.moved(.north(20)))))
        _ = bench.plays()
        #expect(bench.located(since: count) == "")
        #expect(bench.locates(.device(.appOpened(app(1)))) == "thaw 1.1\n1.1 updates 20")
    }

    // MARK: Launches

    @Test func r77UpdatesEndWithTheLaunch() {
        var bench = Bench.locating(.always)
        _ = bench.asks(.setUpdates(StandardUpdates()))
        bench.helpers[launch(1)]?.isHung = true
        for distance in [20, 40, 60] as [Int64] { _ = bench.moves(distance) }
        bench.helpers[launch(1)]?.isHung = false
        #expect(bench.locates(.device(.appForceQuit(app(1)))) == "")
        #expect(bench.moves(80) == "")
        #expect(
            bench.locates(.device(.appOpened(app(1)))) == """
                start 1.2 for user
                1.2 has always
                1.2 launch for user
                """)
        #expect(bench.moves(100) == "")
        #expect(
            bench.asks(.setUpdates(StandardUpdates()), launch(1, 2)) == "· 1.2 begins updates, 0\n1.2 updates 100",
            "the call that was queued for the ended launch is forgotten")
    }

    /// The app is killed, and its request was sent before.
    @Test func r77ARequestOfAnEndedLaunchIsLate() {
        var bench = Bench.with(.active)
        _ = bench.does(.device(.appInstalled(app(1), .sample(1))))
        for request in [
            LocationRequest.setUpdates(StandardUpdates()), .setChangeMonitoring(true), .requestPermission(always: true),
        ] {
            let count = bench.effects.count
            _ = bench.does(.app(launch(1), .requested(.concern(.location(request)))))
            #expect(bench.located(since: count) == "· 1.1 ignored, late")
        }
        #expect(bench.device.locationRecords.isEmpty)
    }

    @Test func r135EachAppHasItsOwnUpdates() {
        var bench = Bench.locating(.always)
        _ = bench.asks(.setUpdates(StandardUpdates(distanceFilter: 50_000)))
        bench.toBackground()
        _ = bench.plays(.device(.appOpened(app(2))))
        _ = bench.permits(.whenInUse, 2)
        #expect(
            bench.asks(.setUpdates(StandardUpdates()), launch(2)) == "· 2.1 begins updates, 0\n2.1 updates 0")
        #expect(bench.moves(20) == "2.1 updates 20")
        #expect(bench.moves(50_000) == "1.1 updates 50000\n2.1 updates 50000")
        _ = bench.asks(.setUpdates(nil), launch(2))
        #expect(bench.moves(0) == "1.1 updates 0")
    }
}
