import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// The wakes by significant changes, and what prevents them.
@Suite struct SignificantWakeTests {
    private static let change = """
        · app 1 changed by 50000
        store app 1: always, monitors, told 50000 at 300 s
        """

    /// The pause is over: the next change of 500 m is told at once.
    private static func bench(_ policy: Policy = .iOS26) -> Bench {
        var bench = Bench.monitoring(.always, policy)
        _ = bench.waits(seconds(300))
        return bench
    }

    @Test func r142ASuspendedAppIsWokenAndSuspendedAgain() {
        var bench = Self.bench()
        let count = bench.effects.count
        #expect(bench.moves(50_000) == Self.change + "\nthaw 1.1\n1.1 changes 50000")
        #expect(bench.effects[count...].contains(.decided(.launch(launch(1), .woken(.locationMonitoring)))))
        #expect(
            bench.effects[count...].callbacks == [.concern(.location(.updated([.north(50_000)], by: .changes)))],
            "no didEnterBackground: X-03")
        #expect(bench.state(1) == .background)
        #expect(bench.assertions(1) == [.wake])
        _ = bench.waits(seconds(10) - Nanoseconds(1))
        #expect(bench.state(1) == .background)
        _ = bench.waits(Nanoseconds(1))
        #expect(bench.state(1) == .suspended, "its slice is over (R-128)")
    }

    @Test func r142AnAppWithoutAProcessIsLaunched() {
        var bench = Self.bench()
        _ = bench.plays(.device(.memoryRanShort))
        #expect(bench.state(1) == .notRunning)
        let count = bench.effects.count
        #expect(
            bench.moves(50_000) == Self.change + """

                start 1.2 for locationMonitoring
                1.2 has always
                1.2 launch for locationMonitoring
                1.2 changes 50000
                """)
        #expect(
            bench.effects[count...].callbacks == [
                .launch(.locationMonitoring), .didEnterBackground,
                .concern(.location(.updated([.north(50_000)], by: .changes))),
            ])
        #expect(bench.asks(.setChangeMonitoring(true), launch(1, 2)) == "", "the monitoring outlives the process")
    }

    /// An app that runs in the background is called, and keeps its time slice.
    @Test func r142ABackgroundAppIsCalled() {
        var bench = Bench.locating(.always)
        _ = bench.asks(.setChangeMonitoring(true))
        _ = bench.waits(seconds(300))
        bench.toBackground()
        #expect(bench.moves(50_000) == Self.change + "\n1.1 changes 50000")
        #expect(bench.assertions(1) == [.wake, .task(TaskID(1))])
    }

    @Test func r142AForegroundAppIsCalledOnly() {
        var bench = Self.bench()
        _ = bench.plays(.device(.appOpened(app(1))))
        bench.handle(.device(.backgroundRefreshChanged(app(1), false)))
        let count = bench.effects.count
        #expect(bench.moves(50_000) == Self.change + "\n1.1 changes 50000", "Background App Refresh does not matter")
        #expect(!bench.effects[count...].contains(.decided(.launch(launch(1), .woken(.locationMonitoring)))))
        #expect(bench.assertions(1) == [.foreground])
    }

    /// One event does not freeze and thaw an app.
    @Test func r142AnAppThatIsBeingFrozenIsWokenOnceItIsFrozen() {
        var bench = Self.bench()
        _ = bench.plays(.device(.appOpened(app(1))))
        _ = bench.does(.device(.homePressed))
        _ = bench.acknowledge(launch(1))
        #expect(bench.acknowledge(launch(1)).contains("freeze 1.1"))
        let count = bench.effects.count
        bench.handle(.concern(.location(.moved(.north(50_000)))))
        #expect(bench.located(since: count) == "")
        _ = bench.plays()
        #expect(bench.located(since: count) == Self.change + "\nthaw 1.1\n1.1 changes 50000")
    }

    /// An app that starts the monitoring again and again gets a position each time, and no time for it.
    @Test func r128AFirstPositionGivesNoTime() {
        var bench = Self.bench()
        #expect(bench.moves(50_000) == Self.change + "\nthaw 1.1\n1.1 changes 50000")
        for _ in 0..<2 {
            _ = bench.waits(seconds(4))
            _ = bench.asks(.setChangeMonitoring(false))
            #expect(bench.asks(.setChangeMonitoring(true)).hasSuffix("1.1 changes 50000"))
        }
        let count = bench.effects.count
        _ = bench.waits(seconds(2))
        #expect(bench.effects[count...].contains(.launch(launch(1), .freeze(attempt: 2))), "10 s after the wake")
    }

    // MARK: Obstacles

    @Test func r142AForceQuitAppIsLaunched() {
        var bench = Self.bench()
        _ = bench.plays(.device(.appForceQuit(app(1))))
        #expect(bench.moves(50_000).hasPrefix(Self.change + "\nstart 1.2 for locationMonitoring\n"))
    }

    @Test func r75BeforeIOS8AForceQuitAppIsNotLaunched() {
        var bench = Self.bench(Policy.iOS26.with { $0.forceQuitBarsLocation = true })
        _ = bench.plays(.device(.appForceQuit(app(1))))
        #expect(bench.moves(50_000) == "· app 1 held: forceQuit")
        #expect(bench.locates(.device(.appOpened(app(1)))).hasSuffix("1.2 launch for user\n1.2 changes 50000"))
    }

    @Test func r98WithoutBackgroundAppRefreshNoAppIsWoken() {
        for (off, on) in [
            (
                Event.device(.backgroundRefreshChanged(app(1), false)),
                Event.device(.backgroundRefreshChanged(app(1), true))
            ),
            (.device(.settingChanged(.backgroundRefresh(false))), .device(.settingChanged(.backgroundRefresh(true)))),
        ] {
            var bench = Self.bench()
            #expect(bench.locates(off) == "", "no change is known")
            #expect(bench.moves(50_000) == "· app 1 held: backgroundRefresh")
            #expect(bench.locationsOnDisk == "app 1: always, monitors, told 0 at 0 s")
            #expect(bench.moves(100_000) == "", "the obstacle is recorded once")
            #expect(
                bench.locates(on) == """
                    · app 1 changed by 100000
                    store app 1: always, monitors, told 100000 at 300 s
                    thaw 1.1
                    1.1 changes 100000
                    """)
        }
    }

    /// The obstacle is recorded for each change that it holds up.
    @Test func r142AnObstacleIsRecordedForTheNextChange() {
        var bench = Self.bench()
        _ = bench.plays(.device(.backgroundRefreshChanged(app(1), false)))
        let held = "· app 1 held: backgroundRefresh"
        #expect(bench.moves(50_000) == held)
        #expect(bench.moves(0) == "", "the change is gone")
        #expect(bench.moves(50_000) == held)
        _ = bench.permits(.whenInUse)
        #expect(bench.permits(.always).hasSuffix(held), "the app could not be told meanwhile")
        #expect(bench.locates(.device(.appOpened(app(1)))).hasSuffix("1.1 changes 50000"))
        _ = bench.plays(.device(.homePressed))
        _ = bench.waits(seconds(300))
        #expect(bench.moves(0) == held, "the change before was told")
    }

    /// The device moves on at once, before the app is looked at again.
    @Test func r142AChangeThatWasToldHasNoObstacle() {
        var bench = Self.bench()
        _ = bench.plays(.device(.backgroundRefreshChanged(app(1), false)))
        #expect(bench.moves(50_000) == "· app 1 held: backgroundRefresh")
        let count = bench.effects.count
        _ = bench.does(.device(.appOpened(app(1))))
        #expect(bench.located(since: count).contains("· app 1 changed by 50000"))
        bench.handle(.concern(.location(.moved(.north(0)))))
        _ = bench.plays()
        _ = bench.plays(.device(.homePressed))
        #expect(bench.waits(seconds(300)) == "· app 1 held: backgroundRefresh")
    }

    @Test func r142AnotherObstacleIsRecorded() {
        var bench = Self.bench(Policy.iOS26.with { $0.forceQuitBarsLocation = true })
        _ = bench.plays(.device(.backgroundRefreshChanged(app(1), false)))
        #expect(bench.moves(50_000) == "· app 1 held: backgroundRefresh")
        #expect(bench.locates(.device(.appForceQuit(app(1)))) == "· app 1 held: forceQuit")
        #expect(bench.locates(.device(.backgroundRefreshChanged(app(1), true))) == "")
    }

    /// Since the device's start, no one has unlocked it.
    @Test func r124ALockedDeviceWakesNoAppBeforeTheFirstUnlock() {
        var bench = Self.bench()
        _ = bench.plays(.device(.settingChanged(.passcode(true))))
        _ = bench.plays(.device(.memoryRanShort))
        _ = bench.plays(.device(.deviceStarted))
        #expect(bench.moves(50_000) == "· app 1 held: notUnlockedSinceStart")
        #expect(
            bench.locates(.device(.deviceUnlocked)) == Self.change + """

                thaw 1.2
                1.2 has always
                1.2 launch for locationMonitoring
                1.2 changes 50000
                """, "its process was prewarmed")
    }

    @Test func r133AShutdownIsNoObstacleToRecord() {
        var bench = Self.bench()
        _ = bench.does(.device(.shutdownBegan))
        let count = bench.effects.count
        bench.handle(.concern(.location(.moved(.north(50_000)))))
        #expect(bench.located(since: count) == "")
    }

    /// An app that is being removed is told nothing, and reinstalled, it has no permission.
    @Test func r134ARemovedAppIsForgotten() {
        var bench = Self.bench()
        _ = bench.does(.device(.appUninstalled(app(1))))
        let count = bench.effects.count
        bench.handle(.concern(.location(.moved(.north(50_000)))))
        #expect(bench.located(since: count) == "")
        #expect(bench.device.locationRecords.count == 1, "its process has not ended yet")
        _ = bench.plays()
        #expect(bench.device.locationRecords.isEmpty)
        #expect(bench.locationsOnDisk == "")
        _ = bench.plays(.device(.appInstalled(app(1), .sample(1))))
        #expect(bench.moves(0) == "")
    }

    /// Nothing is due for an app that is gone, even if the pause after its last change has not passed.
    @Test func r134ARemovedAppLeavesNoDeadline() {
        var bench = Bench.monitoring()
        _ = bench.plays(.device(.memoryRanShort))
        _ = bench.moves(50_000)
        #expect(bench.device.nextDeadline?.reason == .location)
        _ = bench.plays(.device(.appUninstalled(app(1))))
        #expect(bench.device.nextDeadline == nil)
    }

    @Test func r142AnUpdateOfTheAppLeavesItsMonitoring() {
        var bench = Self.bench()
        #expect(bench.locates(.device(.appInstalled(app(1), .sample(1)))) == "")
        #expect(bench.moves(50_000).hasPrefix(Self.change + "\nstart 1.2 for locationMonitoring\n"))
    }

    /// An adopted app cannot receive locations.
    @Test func r142AnAdoptedUpdateEndsTheMonitoring() {
        var bench = Self.bench()
        #expect(bench.locates(.device(.appInstalled(app(1), .sample(1, isAdopted: true)))) == "store app 1: always")
        #expect(bench.moves(50_000) == "")
        #expect(bench.locates(.device(.appInstalled(app(1), .sample(1, isAdopted: true)))) == "", "it has ended")
    }

    @Test func r142BothAppsAreWoken() {
        var bench = Self.bench()
        _ = bench.plays(.device(.appOpened(app(2))))
        _ = bench.permits(.always, 2)
        _ = bench.asks(.setChangeMonitoring(true), launch(2))
        _ = bench.plays(.device(.homePressed))
        _ = bench.waits(seconds(300))
        #expect(
            bench.moves(50_000) == """
                · app 1 changed by 50000
                store app 1: always, monitors, told 50000 at 600 s
                thaw 1.1
                1.1 changes 50000
                · app 2 changed by 50000
                store app 2: always, monitors, told 50000 at 600 s
                thaw 2.1
                2.1 changes 50000
                """)
    }
}
