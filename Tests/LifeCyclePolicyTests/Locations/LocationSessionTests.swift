import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// Standard updates that continue in the background and keep the app running.
@Suite struct LocationSessionTests {
    private static let options = StandardUpdates(allowsBackground: true)

    /// A bench whose first app, which has the mode `location`, has begun standard updates in the foreground.
    static func tracking(
        _ permission: LocationPermission = .whenInUse, _ options: StandardUpdates = options,
        modes: [BackgroundMode] = [.location], _ policy: Policy = .iOS26
    ) -> Bench {
        var bench = Bench(policy, [.sample(modes: modes)])
        _ = bench.moves(0)
        _ = bench.permits(permission)
        _ = bench.plays(.device(.appOpened(app(1))))
        _ = bench.asks(.setUpdates(options))
        return bench
    }

    // MARK: What keeps the app running

    @Test func r136TheAppIsHeldWhenItLeavesTheForeground() {
        var bench = Self.tracking()
        #expect(bench.assertions(1) == [.foreground])
        let home = bench.locates(.device(.homePressed))
        #expect(home == "· 1.1 begins a session\nstore app 1: whenInUse, session of 1.1")
        #expect(bench.state(1) == .background && bench.assertions(1) == [.locationWithIndicator])
        #expect(bench.moves(20) == "1.1 updates 20")
        #expect(bench.waits(.seconds(600)) == "", "ten minutes later it still runs")
        #expect(bench.state(1) == .background)
    }

    @Test func r136TheForegroundEndsTheHoldAndNotTheUpdates() {
        var bench = Self.tracking()
        _ = bench.locates(.device(.homePressed))
        let opened = bench.locates(.device(.appOpened(app(1))))
        #expect(opened == "· 1.1 ends a session\nstore app 1: whenInUse")
        #expect(bench.assertions(1) == [.foreground])
        #expect(bench.moves(20) == "1.1 updates 20")
    }

    @Test(arguments: [nil, StandardUpdates()] as [StandardUpdates?])
    func r136TheStopAndThePropertySuspendTheApp(options: StandardUpdates?) {
        var bench = Self.tracking()
        _ = bench.locates(.device(.homePressed))
        let end = options == nil ? "ends updates" : "begins updates, 0"
        #expect(bench.asks(.setUpdates(options)) == "· 1.1 \(end)\n· 1.1 ends a session\nstore app 1: whenInUse")
        #expect(bench.state(1) == .suspended)
    }

    @Test func r136WithoutTheModeTheAppIsSuspended() {
        var bench = Self.tracking(modes: [])
        #expect(bench.locates(.device(.homePressed)) == "")
        #expect(bench.state(1) == .suspended)
    }

    @Test func r71WithoutThePropertyTheAppIsSuspended() {
        var bench = Self.tracking(.always, StandardUpdates())
        #expect(bench.locates(.device(.homePressed)) == "")
        #expect(bench.state(1) == .suspended)
    }

    @Test(arguments: [LocationPermission.ask, .deny])
    func r136WithoutPermissionTheAppIsSuspended(permission: LocationPermission) {
        var bench = Self.tracking(permission)
        #expect(bench.locates(.device(.homePressed)) == "")
        #expect(bench.state(1) == .suspended)
    }

    @Test(arguments: [LocationPermission.ask, .deny])
    func r136LostPermissionEndsTheSession(permission: LocationPermission) {
        var bench = Self.tracking()
        _ = bench.locates(.device(.homePressed))
        _ = bench.permits(permission)
        #expect(bench.state(1) == .suspended)
        #expect(bench.locationsOnDisk == "app 1: \(permission)")
    }

    @Test func r136AForceQuitEndsTheSession() {
        var bench = Self.tracking()
        _ = bench.locates(.device(.homePressed))
        _ = bench.plays(.device(.appForceQuit(app(1))))
        #expect(bench.state(1) == .notRunning)
        #expect(bench.locationsOnDisk == "app 1: whenInUse")
        _ = bench.plays(.device(.appOpened(app(1))))
        #expect(bench.locates(.device(.homePressed)) == "")
        #expect(bench.state(1) == .suspended, "the next launch has to start its updates again")
    }

    /// With the permission in use, updates must begin in the foreground; with `always` they may begin in the
    /// background.
    @Test(arguments: [LocationPermission.whenInUse, .always])
    func r136AStartInTheBackground(permission: LocationPermission) {
        var bench = Bench(.iOS26, [.sample(modes: [.location])])
        _ = bench.moves(0)
        _ = bench.permits(permission)
        _ = bench.plays(.device(.wakeOccurred(app(1), .locationUpdate)))
        #expect(bench.state(1) == .background)
        _ = bench.asks(.setUpdates(Self.options))
        #expect(bench.assertions(1).contains(.location) == (permission == .always))
        _ = bench.waits(bench.device.policy.eventSlice)
        #expect(bench.state(1) == (permission == .always ? .background : .suspended))
    }

    /// A permission that comes while the app is suspended does not resume it.
    @Test func r136ASuspendedAppIsNotResumed() {
        var bench = Self.tracking(.ask)
        _ = bench.locates(.device(.homePressed))
        #expect(bench.permits(.always).hasPrefix("· app 1 may: always\nstore app 1: always"))
        #expect(bench.state(1) == .suspended)
    }

    // MARK: Background time

    /// An app that is kept running has all time for its tasks. They count from the session's end.
    @Test func r136TasksHaveNoLimitDuringTheSession() {
        var bench = Self.tracking()
        _ = bench.begin(1, launch(1))
        _ = bench.locates(.device(.homePressed))
        #expect(bench.device.snapshot(of: app(1))?.backgroundTimeUntil == nil)
        _ = bench.waits(.seconds(600))
        #expect(bench.assertions(1) == [.locationWithIndicator, .task(TaskID(1))])
        let end = bench.now.awake
        _ = bench.asks(.setUpdates(nil))
        #expect(bench.device.snapshot(of: app(1))?.backgroundTimeUntil == end + bench.device.policy.backgroundTime)
    }

    @Test func r136ASessionThatBeginsStopsTheClock() {
        var bench = Bench(.iOS26, [.sample(modes: [.location])])
        _ = bench.permits(.always)
        _ = bench.plays(.device(.appOpened(app(1))))
        _ = bench.begin(1, launch(1))
        _ = bench.plays(.device(.homePressed))
        #expect(bench.device.snapshot(of: app(1))?.backgroundTimeUntil != nil)
        _ = bench.asks(.setUpdates(Self.options))
        #expect(bench.device.snapshot(of: app(1))?.backgroundTimeUntil == nil)
        _ = bench.waits(.seconds(100))
        #expect(bench.state(1) == .background)
    }

    // MARK: The indicator

    @Test func r139TheIndicatorIsShownInUse() {
        var bench = Self.tracking()
        _ = bench.locates(.device(.homePressed))
        #expect(bench.assertions(1) == [.locationWithIndicator])
        _ = bench.permits(.always)
        #expect(bench.assertions(1) == [.location] && bench.state(1) == .background)
        var shown = Self.options
        shown.showsIndicator = true
        _ = bench.asks(.setUpdates(shown))
        #expect(bench.assertions(1) == [.locationWithIndicator] && bench.state(1) == .background)
    }

    // MARK: A restart of the system

    @Test func r136TheSessionOutlivesARestart() {
        var bench = Self.tracking()
        _ = bench.locates(.device(.homePressed))
        _ = bench.restarts()
        _ = bench.plays()
        _ = bench.waits(.zero)
        #expect(bench.locationsOnDisk == "app 1: whenInUse, session of 1.1")
        #expect(bench.assertions(1) == [.locationWithIndicator])
        #expect(bench.asks(.setUpdates(Self.options)) == "", "the app repeats its request")
        #expect(bench.moves(20) == "1.1 updates 20")
        _ = bench.waits(.seconds(600))
        #expect(bench.state(1) == .background)
    }

    @Test func r136TheSessionOfALaunchThatIsGoneEnds() {
        var bench = Self.tracking()
        _ = bench.locates(.device(.homePressed))
        bench.core.restart()
        bench.handle(.process(launch(1), .exited(.unknown)))
        bench.handle(.deadlineReached)
        #expect(bench.state(1) == .notRunning && bench.locationsOnDisk == "app 1: whenInUse")
        _ = bench.plays(.device(.appOpened(app(1))))
        #expect(bench.asks(.setUpdates(nil), launch(1, 2)) == "", "the new launch has no updates")
    }
}
