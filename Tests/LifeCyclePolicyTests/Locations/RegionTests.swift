import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// Monitored regions: their number, their edges, and the wakes.
@Suite struct RegionTests {
    /// A region around the position 0 on the equator, with a radius of 300 m.
    private static func region(
        _ identifier: String = "home", radius: Int64 = 30_000, entry: Bool = true, exit: Bool = true
    ) throws -> LocationRegion {
        try #require(
            LocationRegion(
                identifier: identifier, latitude: 0, longitude: 0, radius: radius, notifiesOnEntry: entry,
                notifiesOnExit: exit))
    }

    /// A bench whose first app monitors a region, in which the device is. The app is suspended.
    private static func monitoring(
        _ region: LocationRegion, _ permission: LocationPermission = .always, _ policy: Policy = .iOS26
    ) -> Bench {
        var bench = Bench.locating(permission, policy)
        _ = bench.asks(.monitorRegion(region))
        _ = bench.plays(.device(.homePressed))
        return bench
    }

    /// The device is at this distance, or maybe elsewhere in the circle of uncertainty.
    private static func moved(_ distance: Int64, accuracy: Int32) throws -> Event {
        let fix = try #require(
            LocationFix(latitude: LocationFix.north(distance).latitude, longitude: 0, accuracy: accuracy, time: .zero))
        return .concern(.location(.moved(fix)))
    }

    // MARK: Start and stop

    @Test func r144TheStartIsNoCrossing() throws {
        var bench = Bench.locating(.always)
        #expect(
            bench.asks(.monitorRegion(try Self.region())) == """
                · 1.1 monitors home, 30000
                store app 1: always, home ?
                store app 1: always, home in
                """)
        #expect(bench.asks(.monitorRegion(try Self.region())) == "", "the same region again")
        #expect(bench.waits(seconds(60)) == "")
        #expect(bench.device.locationRecords == bench.stored.concerns.locations)
        #expect(bench.asks(.stopRegion("home")) == "· 1.1 ends region home\nstore app 1: always")
        #expect(bench.asks(.stopRegion("home")) == "")
        #expect(bench.moves(100_000) + bench.waits(seconds(60)) == "")
    }

    @Test func r144ARegionOfTheSameIdentifierIsReplaced() throws {
        var bench = Bench.locating(.always)
        _ = bench.asks(.monitorRegion(try Self.region()))
        _ = bench.moves(60_000)
        #expect(
            bench.asks(.monitorRegion(try Self.region(radius: 90_000))) == """
                · 1.1 monitors home, 90000
                store app 1: always, home ?
                store app 1: always, home in
                """)
        #expect(bench.waits(seconds(60)) == "", "the crossing of the old region is forgotten")
    }

    @Test func r144AnAppHasAtMostTwentyRegions() throws {
        var bench = Bench.locating(.always)
        for number in 1...20 { _ = bench.asks(.monitorRegion(try Self.region("\(number)"))) }
        #expect(bench.asks(.monitorRegion(try Self.region("21"))) == "· 1.1 may not monitor 21")
        #expect(bench.stored.concerns.locations.first?.regions.count == 20)
        #expect(bench.asks(.monitorRegion(try Self.region("7", radius: 1))).hasPrefix("· 1.1 monitors 7, 1"))
        _ = bench.asks(.stopRegion("7"))
        #expect(bench.asks(.monitorRegion(try Self.region("21"))).hasPrefix("· 1.1 monitors 21"))
        let identifiers = bench.stored.concerns.locations.first?.regions.map(\.region.identifier)
        #expect(identifiers == identifiers?.sorted())
    }

    // MARK: The edge

    /// The edge, the buffer of 100 m, and the 20 s.
    @Test func r145ACrossingIsToldBeyondTheBufferAndAfterAWhile() throws {
        var bench = Self.monitoring(try Self.region())
        #expect(bench.moves(39_900) == "", "less than 100 m beyond the edge")
        #expect(bench.waits(seconds(30)) == "")
        #expect(bench.moves(40_000) == "")
        #expect(bench.device.nextDeadline == Deadline(at: at(50), reason: .location))
        #expect(bench.waits(.seconds(20) - Nanoseconds(1)) == "")
        #expect(
            bench.waits(Nanoseconds(1)) == """
                store app 1: always, home out
                · app 1 left home
                thaw 1.1
                1.1 left home
                """)
        _ = bench.waits(seconds(10))
        #expect(bench.moves(20_100) + bench.waits(seconds(30)) == "", "inside, but too near to the edge")
        #expect(bench.moves(20_000) == "")
        #expect(bench.waits(seconds(20)).hasSuffix("1.1 entered home"))
    }

    @Test func r145AReturnWithinTheTimeIsNoCrossing() throws {
        var bench = Self.monitoring(try Self.region())
        _ = bench.moves(100_000)
        _ = bench.waits(seconds(19))
        #expect(bench.moves(39_900) + bench.waits(seconds(60)) == "")
        // The time begins again.
        _ = bench.moves(100_000)
        #expect(bench.waits(seconds(19)) == "")
        #expect(bench.waits(seconds(1)).hasSuffix("1.1 left home"))
    }

    /// A small region counts as one of 100 m, with a buffer of 50 m.
    @Test func r144ASmallRegionIsOfAHundredMeters() throws {
        var bench = Self.monitoring(try Self.region(radius: 1))
        #expect(bench.moves(14_900) + bench.waits(seconds(20)) == "")
        #expect(bench.moves(15_000) + bench.waits(seconds(20)) != "")
    }

    /// An inaccurate position is outside only if all of its circle is, and inside only if it is better than the region.
    @Test func r145AnInaccuratePositionIsNoCrossing() throws {
        var bench = Self.monitoring(try Self.region())
        #expect(bench.locates(try Self.moved(129_900, accuracy: 100_000)) + bench.waits(seconds(20)) == "")
        #expect(bench.locates(try Self.moved(130_000, accuracy: 100_000)) + bench.waits(seconds(20)) != "")
        _ = bench.waits(seconds(10))
        #expect(bench.locates(try Self.moved(0, accuracy: 30_001)) + bench.waits(seconds(20)) == "")
        #expect(bench.locates(try Self.moved(0, accuracy: 30_000)) + bench.waits(seconds(20)) != "")
    }

    /// The same for the state at the start, which would otherwise make a crossing of the next position.
    @Test func r144AnInaccuratePositionIsNoState() throws {
        var bench = Bench.with(.active)
        _ = bench.permits(.always)
        _ = bench.asks(.monitorRegion(try Self.region()))
        _ = bench.asks(.requestRegionStates)
        #expect(bench.locates(try Self.moved(40_000, accuracy: 30_001)) == "")
        #expect(bench.moves(0) == "store app 1: always, home in\n1.1 states home in")
        _ = bench.asks(.monitorRegion(try Self.region("work")))
        _ = bench.asks(.stopRegion("work"))
        #expect(bench.locates(try Self.moved(60_002, accuracy: 30_001)) == "")
        #expect(
            bench.asks(.monitorRegion(try Self.region("work"))).contains("work out"), "all of the circle is outside")
    }

    /// The receiver has been off since it found the position. The device may have moved.
    @Test func r144AnOldPositionIsNoState() throws {
        var bench = Bench.with(.active)
        _ = bench.permits(.always)
        _ = bench.asks(.setUpdates(StandardUpdates()))
        _ = bench.moves(100_000)
        _ = bench.asks(.setUpdates(nil))
        _ = bench.waits(seconds(100))
        _ = bench.asks(.monitorRegion(try Self.region()))
        #expect(bench.asks(.requestRegionStates) == "")
        #expect(bench.moves(0) == "store app 1: always, home in\n1.1 states home in")
        #expect(bench.waits(seconds(60)) == "")
    }

    @Test func r145AnOldPositionIsNoCrossing() throws {
        var bench = Bench.with(.active)
        _ = bench.permits(.whenInUse)
        _ = bench.asks(.monitorRegion(try Self.region()))
        _ = bench.moves(0)
        _ = bench.plays(.device(.homePressed))
        _ = bench.moves(100_000)
        _ = bench.waits(seconds(60))
        _ = bench.plays(.device(.appOpened(app(1))))
        #expect(bench.waits(seconds(60)) == "")
        #expect(bench.moves(0) + bench.waits(seconds(60)) == "")
        #expect(bench.moves(100_000) + bench.waits(seconds(20)) != "")
    }

    /// Without `notifyOnEntry` or `notifyOnExit` the crossing counts, and the app is not woken.
    @Test func r144TheAppChoosesWhatItIsToldOf() throws {
        var bench = Self.monitoring(try Self.region(exit: false))
        #expect(bench.moves(100_000) + bench.waits(seconds(20)) == "store app 1: always, home out")
        #expect(bench.moves(0) + bench.waits(seconds(20)) != "store app 1: always, home in")
        bench = Self.monitoring(try Self.region(entry: false))
        #expect(bench.moves(100_000) + bench.waits(seconds(30)) != "")
        #expect(bench.moves(0) + bench.waits(seconds(20)) == "store app 1: always, home in")
    }

    /// A clock that is set neither shortens nor lengthens the time.
    @Test func r145ASetClockBeginsTheTimeAgain() throws {
        var bench = Self.monitoring(try Self.region())
        _ = bench.moves(100_000)
        _ = bench.waits(seconds(10))
        bench.now.wall += seconds(3600)
        _ = bench.plays(.device(.clockWasSet))
        #expect(bench.waits(seconds(19)) == "")
        #expect(bench.waits(seconds(1)) != "")
    }

    // MARK: Who is told

    /// No background mode is needed. Two regions are two calls and one wake.
    @Test func r145ACrossingLaunchesTheApp() throws {
        var bench = Self.monitoring(try Self.region())
        _ = bench.plays(.device(.appOpened(app(1))))
        _ = bench.asks(.monitorRegion(try Self.region("work", radius: 20_000)))
        _ = bench.plays(.device(.homePressed))
        _ = bench.plays(.device(.appForceQuit(app(1))))
        _ = bench.moves(100_000)
        #expect(
            bench.waits(seconds(20)) == """
                store app 1: always, home out, work out
                · app 1 left home
                start 1.2 for locationMonitoring
                · app 1 left work
                1.2 has always
                1.2 has regions home work
                1.2 launch for locationMonitoring
                1.2 left home
                1.2 left work
                """)
    }

    @Test func r145InUseIsInTheForegroundOnly() throws {
        var bench = Self.monitoring(try Self.region(), .whenInUse)
        #expect(bench.moves(100_000) + bench.waits(seconds(60)) == "")
        _ = bench.plays(.device(.appOpened(app(1))))
        _ = bench.moves(100_000)
        #expect(
            bench.waits(seconds(20))
                == "store app 1: whenInUse, home out\n· app 1 left home\n1.1 left home")
    }

    @Test func r145AnObstacleHoldsTheCrossing() throws {
        var bench = Self.monitoring(try Self.region())
        _ = bench.plays(.device(.settingChanged(.backgroundRefresh(false))))
        _ = bench.moves(100_000)
        #expect(bench.waits(seconds(20)) == "· app 1 crossing held: backgroundRefresh")
        #expect(bench.moves(100_100) == "", "said once")
        #expect(bench.locates(.device(.settingChanged(.backgroundRefresh(true)))).hasSuffix("1.1 left home"))
        // A return before that leaves nothing to tell.
        _ = bench.waits(seconds(30))
        _ = bench.plays(.device(.settingChanged(.backgroundRefresh(false))))
        _ = bench.moves(0)
        _ = bench.waits(seconds(20))
        _ = bench.moves(100_000)
        #expect(bench.locates(.device(.settingChanged(.backgroundRefresh(true)))) == "")
    }

    /// All knowledge of a region ends with it, also if the app monitors significant changes.
    @Test(arguments: [false, true]) func r145TheEndOfTheLastRegionLeavesNothing(monitorsChanges: Bool) throws {
        var bench = Self.monitoring(try Self.region())
        if monitorsChanges { _ = bench.asks(.setChangeMonitoring(true)) + bench.waits(seconds(10)) }
        _ = bench.plays(.device(.settingChanged(.backgroundRefresh(false))))
        _ = bench.moves(40_000)
        #expect(bench.waits(seconds(20)) == "· app 1 crossing held: backgroundRefresh")
        _ = bench.asks(.stopRegion("home"))
        _ = bench.asks(.monitorRegion(try Self.region(radius: 20_000)))
        _ = bench.moves(0)
        #expect(bench.waits(seconds(20)) == "· app 1 crossing held: backgroundRefresh", "said again")
        // The user forbids it, and allows it again before the time of a crossing.
        bench = Self.monitoring(try Self.region())
        _ = bench.moves(40_000)
        _ = bench.permits(.deny)
        _ = bench.permits(.always)
        _ = bench.plays(.device(.appOpened(app(1))))
        _ = bench.asks(.monitorRegion(try Self.region("work")))
        #expect(bench.device.nextDeadline != Deadline(at: at(20), reason: .location))
    }

    @Test func r145ARestartKeepsRegionsAndStates() throws {
        var bench = Self.monitoring(try Self.region())
        _ = bench.restarts()
        _ = bench.plays()
        #expect(bench.moves(100_000) == "")
        #expect(bench.waits(seconds(20)).contains("left home"))
        #expect(bench.locationsOnDisk == "app 1: always, home out")
    }

    // MARK: Permission

    @Test func r134WithoutPermissionTheRegionsEnd() throws {
        var bench = Self.monitoring(try Self.region())
        #expect(bench.permits(.deny).hasSuffix("store app 1: deny"))
        #expect(bench.moves(100_000) + bench.waits(seconds(20)) == "")
        _ = bench.plays(.device(.appOpened(app(1))))
        #expect(bench.asks(.monitorRegion(try Self.region())) == "· 1.1 may not monitor home")
    }

    /// The app may not learn by a later permission where the device was meanwhile.
    @Test func r134UndecidedTheStatesAreForgotten() throws {
        var bench = Self.monitoring(try Self.region())
        #expect(bench.permits(.ask).contains("store app 1: ask, home ?"))
        _ = bench.moves(100_000)
        #expect(bench.permits(.always).contains("store app 1: always, home out"))
        #expect(bench.waits(seconds(60)) == "")
    }

    // MARK: States

    @Test func r144StatesAreAnsweredWhenTheyAreKnown() throws {
        var bench = Bench.locating(.always)
        _ = bench.asks(.monitorRegion(try Self.region()))
        #expect(bench.asks(.requestRegionStates) == "1.1 states home in")
        bench = Bench(.iOS26)
        _ = bench.permits(.always)
        _ = bench.plays(.device(.appOpened(app(1))))
        _ = bench.asks(.monitorRegion(try Self.region()))
        #expect(bench.asks(.requestRegionStates) == "", "no position is known")
        #expect(bench.moves(100_000) == "store app 1: always, home out\n1.1 states home out")
    }

    /// Another region's state is known all the time.
    @Test func r144StatesThatStayUnknownAreToldAfterAWhile() throws {
        var bench = Bench.locating(.always)
        _ = bench.asks(.monitorRegion(try Self.region()))
        _ = bench.locates(try Self.moved(40_000, accuracy: 30_001))
        _ = bench.asks(.monitorRegion(try Self.region("work")))
        #expect(bench.asks(.requestRegionStates) == "")
        #expect(bench.waits(seconds(9)) + bench.asks(.requestRegionStates) == "")
        #expect(bench.waits(seconds(1)) == "1.1 states home in work ?")
        #expect(bench.waits(seconds(60)) == "")
        // A set clock does not lengthen the time.
        _ = bench.asks(.requestRegionStates)
        bench.now.wall += seconds(-3600)
        #expect(bench.locates(.device(.clockWasSet)) == "1.1 states home in work ?")
    }

    @Test func r144WithoutPermissionTheStatesAreUnknown() throws {
        var bench = Bench.locating(.ask)
        _ = bench.asks(.monitorRegion(try Self.region()))
        #expect(bench.asks(.requestRegionStates) == "1.1 states home ?")
    }

    /// An app that was suspended meanwhile learns that its regions have ended.
    @Test func r134ADenialIsToldByTheListOfRegions() throws {
        var bench = Self.monitoring(try Self.region())
        _ = bench.permits(.deny)
        _ = bench.permits(.always)
        #expect(bench.locates(.device(.appOpened(app(1)))).hasPrefix("thaw 1.1\n1.1 has always\n1.1 has regions\n"))
        #expect(!bench.permits(.whenInUse).contains("has regions"), "once")
    }

    // MARK: The receiver

    /// A receiver finds a position each second, until it is switched off. Returns how long that takes.
    private static func onFor(_ bench: inout Bench, _ event: Event) -> Int {
        for second in 0..<600 {
            _ = bench.locates(event)
            if bench.switches({ $0.waits(seconds(1)) }).contains("off") { return second }
        }
        return 600
    }

    /// The positions are so inaccurate that no crossing can be found.
    @Test func r151WithInaccuratePositionsTheReceiverRests() throws {
        var bench = Self.monitoring(try Self.region())
        let event = try Self.moved(45_000, accuracy: 20_000)
        #expect((60...63).contains(Self.onFor(&bench, event)))
        #expect(bench.switches { $0.waits(seconds(600)) }.hasSuffix("on for app 1"))
    }

    /// A crossing that is held up may wait for days.
    @Test func r151WhileACrossingIsHeldUpTheReceiverRests() throws {
        var bench = Self.monitoring(try Self.region())
        _ = bench.plays(.device(.settingChanged(.backgroundRefresh(false))))
        let event = Event.concern(.location(.moved(.north(100_000))))
        #expect((20...80).contains(Self.onFor(&bench, event)))
        #expect(bench.switches { $0.locates(.device(.settingChanged(.backgroundRefresh(true)))) } == "on for app 1")
        #expect(bench.locates(event).hasSuffix("1.1 left home"))
    }

    /// The user opens the app, which may be told in the foreground.
    @Test func r145ACrossingThatWasHeldUpIsToldInTheForeground() throws {
        var bench = Self.monitoring(try Self.region())
        _ = bench.plays(.device(.settingChanged(.backgroundRefresh(false))))
        let event = Event.concern(.location(.moved(.north(100_000))))
        _ = Self.onFor(&bench, event)
        #expect(bench.switches { $0.plays(.device(.appOpened(app(1)))) } == "on for app 1")
        #expect(bench.locates(event).hasSuffix("1.1 left home"))
    }

    /// The receiver rests until a crossing is possible at the device's speed.
    @Test func r151TheReceiverRestsBetweenTheLooks() throws {
        var bench = Bench(.iOS26)
        _ = bench.permits(.always)
        _ = bench.plays(.device(.appOpened(app(1))))
        let region = try Self.region()
        #expect(bench.switches { $0.asks(.monitorRegion(region)) } == "on for app 1")
        #expect(bench.switches { $0.moves(0) } == "", "the speed is not known: ten minutes")
        #expect(bench.switches { $0.waits(seconds(2)) } == "off, was on for app 1")
        #expect(bench.device.nextDeadline == Deadline(at: at(600), reason: .location))
        #expect(bench.switches { $0.waits(seconds(598)) } == "on for app 1")
        // 100 m in ten minutes: 300 m more take half an hour, but no rest is longer than ten minutes.
        _ = bench.moves(10_000)
        #expect(bench.switches { $0.waits(seconds(2)) } == "off, was on for app 1")
        _ = bench.waits(seconds(598))
        // 200 m in ten minutes: the 100 m to the buffer's end take five.
        _ = bench.moves(30_000)
        _ = bench.switches { $0.waits(seconds(2)) }
        #expect(bench.device.nextDeadline == Deadline(at: at(1500), reason: .location))
        // During the 20 s the receiver stays on, and then as long as it takes to find a position.
        _ = bench.waits(seconds(298))
        #expect(bench.switches { $0.moves(40_000) + $0.waits(seconds(19)) } == "")
    }

    @Test func r151WithoutAPositionTheReceiverRests() throws {
        var bench = Bench(.iOS26)
        _ = bench.permits(.always)
        _ = bench.plays(.device(.appOpened(app(1))))
        let region = try Self.region()
        #expect(bench.switches { $0.asks(.monitorRegion(region)) } == "on for app 1")
        #expect(bench.switches { $0.waits(seconds(61)) } == "")
        #expect(bench.switches { $0.waits(seconds(1)) } == "off, was on for app 1")
        #expect(bench.switches { $0.waits(seconds(598)) } == "on for app 1")
    }
}
