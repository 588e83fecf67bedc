import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// Background activity sessions.
@Suite struct BackgroundActivityTests {
    /// A bench whose first app, which has the mode `location`, has begun a session and standard updates in the
    /// foreground.
    private static func active(
        _ permission: LocationPermission = .whenInUse, modes: [BackgroundMode] = [.location]
    ) -> Bench {
        var bench = LocationSessionTests.tracking(permission, StandardUpdates(), modes: modes)
        _ = bench.asks(.setBackgroundActivity(true))
        return bench
    }

    /// The same, and the app has crashed in the background.
    private static func crashed() -> Bench {
        var bench = active()
        _ = bench.plays(.device(.homePressed))
        bench.helpers[launch(1)] = nil
        _ = bench.plays(.process(launch(1), .exited(.signaled(11))))
        return bench
    }

    private static func receiver(_ bench: Bench) -> Bool? {
        bench.effects.compactMap { if case .concern(.location(.setReceiver(let isOn))) = $0 { isOn } else { nil } }.last
    }

    // MARK: What it does

    @Test(arguments: [LocationPermission.whenInUse, .always])
    func r149UpdatesContinueWithTheIndicator(permission: LocationPermission) {
        var bench = Self.active(permission)
        _ = bench.plays(.device(.homePressed))
        #expect(bench.state(1) == .background && bench.assertions(1) == [.locationWithIndicator])
        #expect(bench.moves(20) == "1.1 updates 20")
        _ = bench.waits(.seconds(600))
        #expect(bench.state(1) == .background)
        #expect(bench.asks(.setBackgroundActivity(false)).hasPrefix("· 1.1 ends activity\nstore app 1: \(permission)"))
        #expect(bench.state(1) == .suspended)
    }

    @Test func r149WithoutTheModeNothingKeepsTheAppRunning() {
        var bench = Self.active(modes: [])
        _ = bench.plays(.device(.homePressed))
        #expect(bench.state(1) == .suspended)
    }

    @Test func r149ARunningAppReceivesUpdatesInUse() {
        var bench = Self.active(modes: [])
        _ = bench.begin(1, launch(1))
        _ = bench.plays(.device(.homePressed))
        #expect(bench.state(1) == .background)
        #expect(bench.moves(20) == "1.1 updates 20")
        _ = bench.asks(.setBackgroundActivity(false))
        #expect(bench.moves(40) == "")
    }

    @Test func r149SignificantChangesWakeTheAppInUse() {
        var bench = Self.active(modes: [])
        _ = bench.asks(.setUpdates(nil))
        _ = bench.asks(.setChangeMonitoring(true))
        _ = bench.plays(.device(.homePressed))
        #expect(bench.state(1) == .suspended)
        _ = bench.waits(.seconds(300))
        #expect(bench.moves(50_000).hasSuffix("thaw 1.1\n1.1 changes 50000"))
        _ = bench.waits(.seconds(300))
        _ = bench.plays(.device(.memoryRanShort))
        #expect(bench.state(1) == .notRunning)
        #expect(bench.moves(100_000).contains("start 1.2 for locationMonitoring"))
    }

    // MARK: Its beginning and end

    @Test func r149ASessionBeginsInTheForeground() {
        var bench = LocationSessionTests.tracking()
        _ = bench.asks(.setUpdates(nil))
        _ = bench.begin(1, launch(1))
        _ = bench.plays(.device(.homePressed))
        #expect(bench.asks(.setBackgroundActivity(true)) == "· 1.1 may not begin activity")
        #expect(bench.asks(.setBackgroundActivity(false)) == "")
        _ = bench.plays(.device(.appOpened(app(1))))
        #expect(
            bench.asks(.setBackgroundActivity(true))
                == "· 1.1 begins activity\nstore app 1: whenInUse, activity of 1.1")
        #expect(bench.asks(.setBackgroundActivity(true)) == "", "the app repeats its request")
    }

    @Test func r149ADenialEndsTheSession() {
        var bench = Self.active()
        #expect(bench.permits(.deny).contains("· 1.1 ends activity\n"))
        #expect(bench.locationsOnDisk == "app 1: deny")
        #expect(bench.asks(.setBackgroundActivity(true)) == "· 1.1 may not begin activity")
    }

    @Test func r149AForceQuitEndsTheSession() {
        var bench = Self.active()
        _ = bench.plays(.device(.homePressed))
        _ = bench.plays(.device(.appForceQuit(app(1))))
        #expect(bench.locationsOnDisk == "app 1: whenInUse")
        _ = bench.waits(.seconds(600))
        #expect(bench.moves(20) == "")
    }

    @Test func r149TheSessionOutlivesARestart() {
        var bench = Self.active()
        _ = bench.plays(.device(.homePressed))
        _ = bench.restarts()
        _ = bench.plays()
        _ = bench.waits(.zero)
        #expect(bench.locationsOnDisk == "app 1: whenInUse, session of 1.1, activity of 1.1")
        #expect(bench.assertions(1) == [.locationWithIndicator])
        #expect(bench.asks(.setBackgroundActivity(true)) + bench.asks(.setUpdates(StandardUpdates())) == "")
        #expect(bench.moves(20) == "1.1 updates 20")
        #expect(bench.state(1) == .background)
    }

    // MARK: The next launch

    /// The app is told the position that launched it at once.
    @Test func r149APositionLaunchesTheAppAgain() {
        var bench = Self.crashed()
        #expect(bench.locationsOnDisk == "app 1: whenInUse, activity of 1.1, interrupted")
        #expect(bench.moves(20) == "")
        let launched = """
            · app 1 continues
            store app 1: whenInUse, activity of 1.1
            start 1.2 for locationUpdate
            store app 1: whenInUse, activity of 1.1, overtaken
            1.2 has whenInUse
            1.2 launch for locationUpdate
            1.2 updates 20
            """
        #expect(bench.waits(.seconds(60)) == "", "the receiver has been off meanwhile")
        #expect(bench.moves(20) == launched)
        #expect(bench.asks(.setBackgroundActivity(true), launch(1, 2)).hasPrefix("· 1.2 begins activity"))
        _ = bench.asks(.setUpdates(StandardUpdates()), launch(1, 2))
        _ = bench.waits(.seconds(600))
        #expect(bench.state(1) == .background && bench.assertions(1) == [.locationWithIndicator])
        #expect(bench.moves(40) == "1.2 updates 40")
    }

    /// The receiver is switched on for it, and rests without a position.
    @Test func r149TheReceiverLooksForThePosition() {
        var bench = Self.active()
        _ = bench.plays(.device(.homePressed))
        #expect(Self.receiver(bench) == true)
        _ = bench.moves(20)
        _ = bench.plays(.process(launch(1), .exited(.signaled(11))))
        _ = bench.waits(.seconds(59))
        #expect(Self.receiver(bench) == false)
        _ = bench.waits(.seconds(10))
        #expect(Self.receiver(bench) == true && bench.state(1) == .notRunning)
        _ = bench.waits(.seconds(100))
        #expect(Self.receiver(bench) == false)
        _ = bench.waits(bench.device.policy.locationRest)
        #expect(Self.receiver(bench) == true)
        #expect(bench.moves(40).contains("start 1.2 for locationUpdate"))
    }

    /// While the receiver rests, a position that comes from elsewhere launches the app.
    @Test func r149ARestIsNoObstacle() {
        var bench = Self.crashed()
        _ = bench.waits(.seconds(200))
        #expect(Self.receiver(bench) == false)
        #expect(bench.moves(20).contains("start 1.2 for locationUpdate"))
    }

    @Test func r149ALaunchThatDoesNotMakeItAgainEndsTheSession() {
        var bench = Self.crashed()
        _ = bench.waits(.seconds(60))
        #expect(bench.state(1) == .notRunning, "the position is not new")
        _ = bench.moves(20)
        #expect(bench.locationsOnDisk == "app 1: whenInUse, activity of 1.1, overtaken")
        #expect(bench.state(1) == .background)
        _ = bench.waits(bench.device.policy.eventSlice)
        #expect(bench.state(1) == .suspended && bench.locationsOnDisk == "app 1: whenInUse")
    }

    @Test func r149ALaunchThatEndsBeforeItEndsTheSession() {
        var bench = Self.crashed()
        _ = bench.waits(.seconds(60))
        _ = bench.moves(20)
        _ = bench.plays(.process(launch(1, 2), .exited(.signaled(11))))
        #expect(bench.locationsOnDisk == "app 1: whenInUse")
        #expect(bench.waits(.seconds(600)) == "")
    }

    /// The app is told of its end, and its updates end first.
    @Test func r149AnEndByTheSystemIsAnInterruption() {
        var bench = Self.active()
        _ = bench.plays(.device(.homePressed))
        _ = bench.plays(.device(.memoryRanShort))
        #expect(bench.state(1) == .notRunning)
        #expect(bench.locationsOnDisk == "app 1: whenInUse, activity of 1.1, interrupted")
    }

    @Test func r149ASuspendedAppThatEndsIsNotLaunched() {
        var bench = Self.active()
        _ = bench.asks(.setUpdates(nil))
        _ = bench.plays(.device(.homePressed))
        #expect(bench.state(1) == .suspended)
        _ = bench.plays(.device(.memoryRanShort))
        #expect(bench.locationsOnDisk == "app 1: whenInUse, activity of 1.1")
        _ = bench.waits(.seconds(600))
        #expect(bench.moves(20) == "" && Self.receiver(bench) == false)
    }

    @Test func r149AnInterruptionOutlivesARestart() {
        var bench = Self.active()
        _ = bench.plays(.device(.homePressed))
        bench.core.restart()
        bench.handle(.process(launch(1), .exited(.unknown)))
        bench.handle(.deadlineReached)
        #expect(bench.locationsOnDisk == "app 1: whenInUse, activity of 1.1, interrupted")
        bench.core.restart()
        bench.handle(.deadlineReached)
        #expect(bench.moves(20).contains("start 1.2 for locationUpdate"))
    }

    @Test func r149ASetClockLaunchesTheAppSooner() {
        var bench = Self.crashed()
        bench.now.wall += .seconds(3600)
        _ = bench.locates(.device(.clockWasSet))
        #expect(bench.moves(20).contains("start 1.2 for locationUpdate"))
    }

    /// A prewarmed process is no launch, also after its end.
    @Test func r149APrewarmedProcessIsNoLaunch() {
        var bench = Self.crashed()
        _ = bench.plays(.device(.deviceStarted))
        _ = bench.plays()
        #expect(bench.device.snapshot(of: app(1))?.isPrewarmed == true)
        _ = bench.plays(.process(launch(1, 2), .exited(.signaled(9))))
        #expect(bench.locationsOnDisk == "app 1: whenInUse, activity of 1.1, interrupted")
        _ = bench.plays(.device(.deviceUnlocked))
        _ = bench.waits(.seconds(60))
        #expect(bench.moves(20).contains("start 1.3 for locationUpdate"))
    }

    @Test func r149ASessionMayBeginOnTheWayOut() {
        var bench = LocationSessionTests.tracking()
        bench.helpers[launch(1)]?.isHung = true
        _ = bench.plays(.device(.homePressed))
        #expect(bench.asks(.setBackgroundActivity(true)).hasPrefix("· 1.1 begins activity"))
    }

    /// With the session, the updates began in the background. A restart gives them no other right.
    @Test func r149ARestartGivesNoRight() {
        var bench = Self.crashed()
        _ = bench.waits(.seconds(60))
        _ = bench.moves(20)
        _ = bench.asks(.setBackgroundActivity(true), launch(1, 2))
        _ = bench.asks(.setUpdates(StandardUpdates(allowsBackground: true)), launch(1, 2))
        _ = bench.restarts()
        _ = bench.plays()
        _ = bench.waits(.zero)
        _ = bench.asks(.setBackgroundActivity(false), launch(1, 2))
        _ = bench.waits(.zero)
        #expect(bench.state(1) == .suspended)
    }

    /// The position that launches the app is told first, and none is lost.
    @Test func r149NoPositionIsLost() {
        var bench = Self.crashed()
        _ = bench.waits(.seconds(60))
        let launched = bench.moves(20)
        #expect(launched.hasSuffix("1.2 updates 20"))
        _ = bench.asks(.setBackgroundActivity(true), launch(1, 2))
        #expect(bench.asks(.setUpdates(StandardUpdates()), launch(1, 2)).contains("1.2 updates 20"))
        #expect(bench.moves(40) == "1.2 updates 40")
    }

    /// The position that launches the app is withdrawn with the permission. Later ones arrive.
    @Test func r149AWithdrawnPositionBlocksNothing() {
        var bench = Self.crashed()
        _ = bench.waits(.seconds(60))
        _ = bench.does(.concern(.location(.moved(.north(20)))))
        #expect(bench.permits(.ask).contains("1.2 called for ask"))
        _ = bench.plays(.device(.appOpened(app(1))))
        _ = bench.asks(.setUpdates(StandardUpdates()), launch(1, 2))
        _ = bench.permits(.whenInUse)
        #expect(bench.moves(40).hasSuffix("1.2 updates 40"))
    }

    @Test func r149AnAdoptedAppHasNoSession() {
        var bench = Self.active()
        _ = bench.plays(.device(.homePressed))
        _ = bench.plays(.device(.appInstalled(app(1), .sample(modes: [.location], isAdopted: true))))
        #expect(!bench.locationsOnDisk.contains("activity"))
    }
}
