import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// Answers of the user and the app to delivered notifications.
@Suite struct NotificationAnswerTests {
    private static let first = NotificationID(app: app(1), number: 1)

    /// A bench whose app has shown a notification in the background, and is suspended.
    private static func showing(usesScenes: Bool = false) -> Bench {
        var bench = Bench.notifying(usesScenes: usesScenes)
        _ = bench.does(.device(.homePressed))
        _ = bench.acknowledge(launch(1))
        bench.notification(.present(.alert()))
        _ = bench.plays()
        return bench
    }

    @Test func aTapBringsASuspendedAppToTheForeground() {
        var bench = Self.showing()
        #expect(bench.state(1) == .suspended)
        let count = bench.effects.count
        _ = bench.plays(.concern(.notification(.tapped(Self.first))))
        #expect(
            bench.effects[count...].callbacks == [
                .willEnterForeground, .concern(.notification(.received(.alert()))), .didBecomeActive,
            ])
        #expect(bench.state(1) == .active)
        #expect(bench.deliveredOnDisk.isEmpty)
        #expect(bench.effects[count...].contains(.concern(.notification(.withdraw(app(1), [Self.first])))))
        #expect(bench.plays(.concern(.notification(.tapped(Self.first)))).contains("gone"))
    }

    @Test func aTapLaunchesAnAppWithIt() {
        var bench = Self.showing()
        _ = bench.plays(.device(.memoryRanShort))
        #expect(bench.state(1) == .notRunning)
        let count = bench.effects.count
        let lines = bench.plays(.concern(.notification(.tapped(Self.first))))
        #expect(lines.contains("1.2 is launched by hello\n1.2 #1 launch for user"))
        #expect(bench.effects[count...].callbacks == [.launch(.user), .didBecomeActive])
    }

    @Test func appsWithScenesAreCalledForTheTapOnTheWay() {
        var bench = Self.showing(usesScenes: true)
        _ = bench.plays(.device(.memoryRanShort))
        let count = bench.effects.count
        _ = bench.plays(.concern(.notification(.tapped(Self.first))))
        #expect(
            bench.effects[count...].callbacks == [
                .launch(.user), .concern(.notification(.received(.alert()))), .didBecomeActive,
            ])
    }

    @Test func forceQuitAppsAreLaunchedByATap() {
        var bench = Bench.notifying()
        bench.notification(.schedule(.alert(at: at(60))))
        _ = bench.plays(.device(.appForceQuit(app(1))))
        _ = bench.passes(seconds(60))
        #expect(bench.shown().count == 1)
        let lines = bench.plays(.concern(.notification(.tapped(NotificationID(app: app(1), number: 2)))))
        #expect(lines.contains("1.2 is launched by hello"))
        #expect(bench.state(1) == .active)
    }

    @Test func openedOtherwiseAnAppIsNotLaunchedByANotification() {
        var bench = Self.showing()
        _ = bench.plays(.device(.memoryRanShort))
        #expect(!bench.plays(.device(.appOpened(app(1)))).contains("launched by"))
        #expect(bench.deliveredOnDisk == ["hello"])
    }

    @Test func behindTheLockNothingIsOpened() {
        var bench = Self.showing()
        bench.handle(.device(.deviceLocked))
        #expect(bench.does(.concern(.notification(.tapped(Self.first)))) == "· app 1 not woken for user: locked")
        #expect(bench.deliveredOnDisk == ["hello"])
    }

    @Test func dismissedNotificationsAreWithdrawn() {
        var bench = Self.showing()
        #expect(
            bench.does(.concern(.notification(.dismissed(Self.first)))).contains("withdraw of app 1: 1.1"))
        #expect(bench.deliveredOnDisk.isEmpty)
        #expect(bench.state(1) == .suspended)
        #expect(!bench.does(.concern(.notification(.dismissed(Self.first)))).contains("withdraw"))
        #expect(
            bench.does(.concern(.notification(.dismissed(NotificationID(app: app(9), number: 1))))).contains("gone"))
    }

    @Test func canceledNotificationsDoNotFire() {
        var bench = Bench.notifying()
        bench.notification(.schedule(.alert("one", at: at(60))))
        bench.notification(.schedule(.alert("two", at: at(60))))
        bench.notification(.schedule(.alert("one", at: at(61))))
        bench.notification(.cancel(.alert("one", at: at(60))))
        #expect(bench.scheduledOnDisk == ["two", "one"])
        bench.notification(.cancelAll)
        #expect(bench.scheduledOnDisk.isEmpty)
        #expect(bench.decisions().suffix(2) == [.canceled(app(1), 1), .canceled(app(1), 2)])
        _ = bench.plays(.device(.homePressed))
        _ = bench.passes(seconds(100))
        #expect(bench.shown().isEmpty)
        #expect(bench.device.nextDeadline == nil)
    }

    @Test func canceledNotificationsAreWithdrawn() {
        var bench = Self.showing()
        bench.helpers[launch(1)]?.isFrozen = false
        #expect(bench.notification(.cancel(.alert())).contains("withdraw of app 1: 1.1"))
    }

    @Test func notificationsOfAnUninstalledAppDoNotFire() {
        var bench = Self.showing()
        bench.helpers[launch(1)]?.isFrozen = false
        bench.notification(.schedule(.alert("later", at: at(60))))
        bench.notification(.setBadge(2))
        let count = bench.effects.count
        _ = bench.plays(.device(.appUninstalled(app(1))))
        #expect(bench.effects[count...].contains(.concern(.notification(.withdraw(app(1), [Self.first])))))
        #expect(bench.effects[count...].contains(.concern(.notification(.setBadge(app(1), 0)))))
        _ = bench.passes(seconds(100))
        #expect(bench.shown().count == 1)
        #expect(bench.notificationsOnDisk == NotificationRecords())
        #expect(bench.device.nextDeadline == nil)
    }

    @Test func scheduledNotificationsOutliveAnUpdate() {
        var bench = Bench.notifying()
        bench.notification(.schedule(.alert(at: at(60))))
        _ = bench.plays(.device(.appInstalled(app(1), .sample(1))))
        _ = bench.passes(seconds(60))
        #expect(bench.shown().count == 1)
    }
}

/// Fire dates by the clocks of a time zone.
@Suite struct NotificationZoneTests {
    private static let berlin = "CET-1CEST,M3.5.0,M10.5.0/3"
    private static let newYork = "EST5EDT,M3.2.0,M11.1.0"

    /// A notification at 08:00 UTC, which is nine in the morning in Berlin. With a zone, it is at nine by the device's
    /// clocks.
    private static func nine(_ zone: String?) -> LocalNotification {
        .alert(at: CivilTime(year: 1970, month: 1, day: 2, hour: 8).utc).with { $0.timeZone = zone }
    }

    @Test func aDateWithoutAZoneIsAnInstant() {
        var bench = Bench.notifying()
        _ = bench.isIn("America/New_York", Self.newYork)
        bench.notification(.schedule(Self.nine(nil)))
        #expect(bench.device.nextDeadline?.at == CivilTime(year: 1970, month: 1, day: 2, hour: 8).utc)
    }

    @Test func aDateWithAZoneFollowsTheDevicesZone() {
        var bench = Bench.notifying()
        _ = bench.isIn("Europe/Berlin", Self.berlin)
        bench.notification(.schedule(Self.nine("Europe/Berlin")))
        #expect(bench.device.nextDeadline?.at == CivilTime(year: 1970, month: 1, day: 2, hour: 8).utc)
        #expect(bench.isIn("America/New_York", Self.newYork).contains("America/New_York"))
        #expect(bench.device.nextDeadline?.at == CivilTime(year: 1970, month: 1, day: 2, hour: 14).utc)
        #expect(bench.isIn("America/New_York", Self.newYork) == "", "the zone is unchanged")
        _ = bench.restarts()
        bench.handle(.deadlineReached)
        _ = bench.plays()
        #expect(bench.device.nextDeadline == nil, "the device's zone is unknown")
        _ = bench.isIn("Europe/Berlin", Self.berlin)
        #expect(bench.device.nextDeadline?.at == CivilTime(year: 1970, month: 1, day: 2, hour: 8).utc)
    }

    @Test func theRulesOfAnotherZoneAreReadFirst() throws {
        var bench = Bench.notifying()
        _ = bench.isIn("America/New_York", Self.newYork)
        #expect(bench.notification(.schedule(Self.nine("Europe/Berlin"))).contains("read Europe/Berlin"))
        #expect(!bench.notification(.schedule(Self.nine("Europe/Berlin"))).contains("read Europe/Berlin"), "once")
        #expect(bench.device.nextDeadline == nil)
        _ = bench.restarts()
        #expect(bench.does(.deadlineReached).contains("read Europe/Berlin"))
        _ = bench.isIn("America/New_York", Self.newYork)
        let rules = ZoneRules(footer: try #require(ZoneFooter(parsing: Self.berlin)))
        bench.handle(.concern(.notification(.zoneRead("Europe/Berlin", rules))))
        _ = bench.plays()
        _ = bench.plays(.device(.homePressed))
        let shown = bench.effects.count
        _ = bench.passes(seconds(86_400 + 14 * 3600) - bench.now.wall - Nanoseconds(1))
        #expect(bench.shown(since: shown).isEmpty)
        _ = bench.passes(Nanoseconds(1))
        #expect(bench.shown(since: shown).count == 2)
    }

    @Test func aNotificationInAnUnknownZoneIsDropped() {
        var bench = Bench.notifying()
        bench.notification(.schedule(Self.nine("Mars/Olympus")))
        bench.notification(.schedule(.alert("other", at: at(100))))
        #expect(bench.scheduledOnDisk == ["hello", "other"])
        let lines = bench.does(.concern(.notification(.zoneRead("Mars/Olympus", nil))))
        #expect(lines.contains("1.1 has no more hello"))
        #expect(bench.decisions().last == .zoneUnknown(NotificationID(app: app(1), number: 1)))
        #expect(bench.scheduledOnDisk == ["other"])
        #expect(bench.does(.concern(.notification(.zoneRead("Mars/Olympus", .utc)))) == "", "a repeat has no effect")
    }

    @Test func aDailyNotificationKeepsItsHour() {
        var bench = Bench.notifying()
        _ = bench.isIn("Europe/Berlin", Self.berlin)
        // By this rule the clocks go from 02:00 to 03:00 on 1970-03-29.
        let daily = LocalNotification.alert(at: CivilTime(year: 1970, month: 3, day: 28, hour: 8).utc).with {
            $0.timeZone = "Europe/Berlin"
            $0.repeats = .day
        }
        bench.notification(.schedule(daily))
        _ = bench.plays(.device(.homePressed))
        let count = bench.effects.count
        _ = bench.passes(CivilTime(year: 1970, month: 3, day: 29, hour: 7).utc - bench.now.wall)
        #expect(bench.shown(since: count).count == 2)
        #expect(bench.device.nextDeadline?.at == CivilTime(year: 1970, month: 3, day: 30, hour: 7).utc)
    }
}
