import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// Restarts of the system: what is persisted of locations, and what is not.
@Suite struct LocationRestartTests {
    @Test func r142MonitoringOutlivesTheSystem() {
        var bench = Bench.monitoring()
        let count = bench.effects.count
        _ = bench.restarts()
        _ = bench.plays()
        _ = bench.waits(seconds(300))
        #expect(bench.located(since: count) == "", "no position is known")
        #expect(bench.device.location == nil)
        #expect(bench.locationsOnDisk == "app 1: always, monitors, told 0 at 0 s")
        #expect(bench.moves(49_999) == "", "it is no first change")
        #expect(
            bench.moves(50_000) == """
                · app 1 changed by 50000
                store app 1: always, monitors, told 50000 at 300 s
                thaw 1.1
                1.1 has always
                1.1 has regions
                1.1 changes 50000
                """)
    }

    @Test func r141ThePauseOutlivesTheSystem() {
        var bench = Bench.monitoring()
        _ = bench.restarts()
        _ = bench.plays()
        _ = bench.waits(seconds(299))
        #expect(bench.moves(50_000) == "")
        #expect(bench.device.nextDeadline == Deadline(at: at(300), reason: .location))
        #expect(bench.waits(seconds(1)).hasPrefix("· app 1 changed by 50000\n"))
    }

    /// An app that reconnects is told the permission again, and no call is made for it.
    @Test func r134AnAppThatReconnectsIsToldThePermission() {
        var bench = Bench.locating(.whenInUse)
        let count = bench.effects.count
        _ = bench.restarts()
        _ = bench.plays()
        #expect(bench.located(since: count) == "1.1 has whenInUse\n1.1 has regions")
    }

    /// A decision that falls between the restart and the reconnection is told once.
    @Test func r134ADecisionBeforeTheReconnectionIsTold() {
        var bench = Bench.locating(.whenInUse)
        _ = bench.restarts()
        let count = bench.effects.count
        bench.handle(.concern(.location(.permitted(app(1), .always))))
        #expect(bench.located(since: count) == "· app 1 may: always\nstore app 1: always")
        let next = bench.effects.count
        _ = bench.plays()
        #expect(bench.located(since: next) == "1.1 has always\n1.1 has regions\n1.1 called for always")
    }

    @Test func r134AFrozenAppIsToldWhenItRuns() {
        var bench = Bench.locating(.whenInUse)
        _ = bench.plays(.device(.homePressed))
        let count = bench.effects.count
        _ = bench.restarts()
        _ = bench.plays()
        #expect(bench.located(since: count) == "")
        #expect(bench.locates(.device(.appOpened(app(1)))) == "thaw 1.1\n1.1 has whenInUse\n1.1 has regions")
    }

    /// A reset of the decision reaches an app that was suspended, also if the system restarts before it runs.
    @Test func r134AResetOutlivesTheSystem() {
        var bench = Bench.locating(.whenInUse)
        _ = bench.plays(.device(.homePressed))
        _ = bench.permits(.ask)
        _ = bench.restarts()
        _ = bench.plays()
        #expect(bench.locates(.device(.appOpened(app(1)))) == "thaw 1.1\n1.1 has ask\n1.1 has regions")
    }

    /// Standard updates belong to a launch and are not persisted: RoostKit asks again.
    @Test func r135UpdatesAreAskedForAgain() {
        var bench = Bench.locating(.whenInUse)
        _ = bench.asks(.setUpdates(StandardUpdates()))
        _ = bench.restarts()
        _ = bench.plays()
        _ = bench.waits(.zero)
        #expect(bench.moves(20) == "")
        #expect(bench.asks(.setUpdates(StandardUpdates())) == "· 1.1 begins updates, 0\n1.1 updates 20")
    }

    /// Nothing is told before each launch is reported.
    @Test func r142NothingIsToldBeforeTheLaunchesAreReported() {
        var bench = Bench.monitoring()
        _ = bench.waits(seconds(300))
        bench.core.restart()
        #expect(bench.device.nextDeadline == Deadline(at: .zero, reason: .recovery))
        let count = bench.effects.count
        bench.handle(.concern(.location(.moved(.north(50_000)))))
        #expect(bench.located(since: count) == "")
        bench.reportLaunches()
        #expect(bench.located(since: count) == "")
        bench.handle(.deadlineReached)
        #expect(bench.located(since: count).hasPrefix("· app 1 changed by 50000\n"))
    }

    // MARK: Records that contradict the device

    /// A device with this record of the first app, which does not run, 1000 s after the start.
    private static func restarted(
        _ permission: LocationPermission = .always, told: LocationFix? = .north(0), toldAt: Nanoseconds? = nil
    ) -> Bench {
        var bench = Bench.with(.notRunning)
        _ = bench.waits(seconds(1000))
        var record = LocationRecord(app: app(1), permission: permission, monitorsChanges: true)
        (record.told, record.toldAt) = (told, toldAt)
        bench.stored.store(.concern(.location(.client(record))))
        _ = bench.restarts()
        _ = bench.waits(.zero)
        return bench
    }

    /// The clock was set back while the system did not run.
    @Test(arguments: [at(1001), at(90_000), .distantFuture])
    func r141ATimeInTheFutureCountsAsNow(_ toldAt: Nanoseconds) {
        var bench = Self.restarted(toldAt: toldAt)
        #expect(bench.device.locationRecords.first?.toldAt == at(1000))
        #expect(bench.moves(50_000) == "")
        #expect(bench.device.nextDeadline == Deadline(at: at(1002), reason: .location), "the receiver is switched off")
        #expect(bench.waits(seconds(300)).hasPrefix("· app 1 changed by 50000\n"))
    }

    @Test func r141AChangeWithoutATimeHasNoPause() {
        var bench = Self.restarted()
        #expect(bench.moves(49_999) == "")
        #expect(bench.moves(50_000).hasPrefix("· app 1 changed by 50000\n"))
    }

    @Test func r141ATimeWithoutAPositionHasAPause() {
        var bench = Self.restarted(told: nil, toldAt: at(1000))
        #expect(bench.moves(0) == "")
        #expect(bench.waits(seconds(300)).hasPrefix("· app 1 changed\n"))
    }

    @Test(arguments: [LocationPermission.ask, .deny, .whenInUse])
    func r133AMonitoringAppNeedsThePermission(_ permission: LocationPermission) {
        var bench = Self.restarted(permission)
        #expect(bench.moves(50_000) == "")
        #expect(
            bench.locates(.device(.appOpened(app(1)))).contains("1.1 changes 50000") == (permission == .whenInUse))
    }

    @Test func r142RecordsOfUnknownAppsAreIgnored() {
        let device = Device(
            policy: .iOS26, apps: [], launches: [],
            concerns: [.location(.client(LocationRecord(app: app(1), permission: .always)))])
        #expect(device.locationRecords.isEmpty)
        #expect(device.nextDeadline == nil)
    }

    /// A restored device waits for one deadline before it tells anything.
    @Test func r142RestoredRecordsAreLookedAt() {
        let record = LocationRecord(app: app(1), permission: .always, monitorsChanges: true)
        let device = Device(
            policy: .iOS26, apps: [AppRecord(app: app(1), manifest: .sample(1))], launches: [],
            concerns: [.location(.client(record))])
        #expect(device.locationRecords == [record])
        #expect(device.nextDeadline == Deadline(at: .zero, reason: .recovery))
    }
}
