import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// Limits of notifications: their number, the permission to show them, and their sounds.
@Suite struct NotificationLimitTests {
    @Test func the64SoonestAreKept() {
        var bench = Bench.notifying()
        for number in 1...64 { bench.notification(.schedule(.alert("\(number)", at: at(Int64(1000 + number))))) }
        #expect(bench.scheduledOnDisk.count == 64)
        let late = bench.notification(.schedule(.alert("late", at: at(2000))))
        #expect(late.contains("1.1 has no more late"))
        #expect(bench.scheduledOnDisk.count == 64)
        #expect(!bench.scheduledOnDisk.contains("late"))
        bench.notification(.schedule(.alert("soon", at: at(10))))
        #expect(bench.scheduledOnDisk.count == 64)
        #expect(bench.scheduledOnDisk.contains("soon"))
        #expect(!bench.scheduledOnDisk.contains("64"))
        #expect(bench.decisions().count { if case .discarded = $0 { true } else { false } } == 2)
    }

    /// A notification that is due in the year 2200 or later is persisted, but no deadline is set for it.
    @Test(arguments: [Nanoseconds.distantFuture, .distantFuture - seconds(1), seconds(7_258_118_400)])
    func notificationsTooFarOffAreNeverDue(date: Nanoseconds) {
        var bench = Bench.notifying()
        bench.notification(.schedule(.alert(at: date)))
        bench.notification(.schedule(.alert(at: date).with { $0.repeats = .year }))
        #expect(bench.scheduledOnDisk.count == 2 && bench.device.nextDeadline == nil)
        #expect(bench.decisions().last == .scheduled(NotificationID(app: app(1), number: 2), at: nil))
        bench.notification(.schedule(.alert(at: seconds(7_258_118_400) - Nanoseconds(1))))
        #expect(bench.device.nextDeadline?.reason == .notification)
    }

    @Test func repeatingNotificationsCountOnce() {
        var bench = Bench.notifying()
        for number in 1...64 {
            bench.notification(.schedule(.alert("\(number)", at: at(100)).with { $0.repeats = .minute }))
        }
        #expect(bench.scheduledOnDisk.count == 64)
        bench.notification(.schedule(.alert("late", at: at(101))))
        #expect(!bench.scheduledOnDisk.contains("late"))
    }

    @Test func tenThousandNotificationsAreLimited() {
        var bench = Bench.notifying()
        for number in 1...10_000 { bench.notification(.schedule(.alert("\(number)", at: at(Int64(20_000 - number))))) }
        #expect(bench.state(1) == .active, "it is not killed for it")
        #expect(bench.notificationsOnDisk.scheduled.count == 64)
        #expect(bench.scheduledOnDisk.last == "10000")
        for number in 10_001...30_000 where bench.helpers[launch(1)]?.exit == nil {
            bench.notification(.schedule(.alert("\(number)", at: at(20_000))))
        }
        #expect(bench.effects.contains(.launch(launch(1), .kill(.tooManyRequests))), "the app is killed for too many")
    }

    @Test func deliveredNotificationsAreLimited() {
        var bench = Bench.notifying(.iOS26.with { $0.deliveredPerApp = 3 })
        bench.notification(.schedule(.alert("often", at: at(60)).with { $0.repeats = .minute }))
        _ = bench.plays(.device(.homePressed))
        _ = bench.passes(seconds(600))
        #expect(bench.shown().count == 10)
        #expect(bench.deliveredOnDisk.count == 3)
        #expect(bench.notificationsOnDisk.delivered.map(\.id.number) == [9, 10, 11])
    }

    /// The persisted bytes of an app's notifications are limited as well.
    @Test func theBytesOfNotificationsAreLimited() {
        var bench = Bench.notifying(.iOS26.with { $0.notificationBytesPerApp = 10_000 })
        let long = String(repeating: "x", count: 4000)
        for number: Int64 in 1...3 {
            bench.notification(.schedule(.alert("\(number)", at: at(60 * number)).with { $0.userInfo = long }))
        }
        #expect(bench.scheduledOnDisk == ["1", "2"])
        _ = bench.plays(.device(.homePressed))
        _ = bench.passes(seconds(600))
        #expect(bench.deliveredOnDisk.count == 2)
        _ = bench.plays(.device(.appOpened(app(1))))
        bench.notification(.schedule(.alert("4", at: at(1000)).with { $0.userInfo = long }))
        _ = bench.plays(.device(.homePressed))
        _ = bench.passes(seconds(600))
        #expect(bench.notificationsOnDisk.delivered.map(\.notification.alertBody) == ["2", "4"], "the newest remain")
    }

    /// The limit itself is allowed, for scheduled and for delivered notifications.
    @Test(arguments: [0, 1]) func theBytesOfNotificationsReachTheLimit(less: Int64) {
        let both = [1, 2].map { LocalNotification.alert("\($0)", at: at(60 * $0)) }
        let limit = both.reduce(-less) { $0 + $1.weight }
        let start = Bench.notifying(.iOS26.with { $0.notificationBytesPerApp = limit })
        var scheduling = start
        for notification in both { scheduling.notification(.schedule(notification)) }
        #expect(scheduling.scheduledOnDisk == (less == 0 ? ["1", "2"] : ["1"]))
        var delivering = start
        for notification in both {
            _ = delivering.plays(.device(.appOpened(app(1))))
            delivering.notification(.schedule(notification))
            _ = delivering.plays(.device(.homePressed))
            _ = delivering.passes(seconds(60))
        }
        let delivered = delivering.notificationsOnDisk.delivered.map(\.notification.alertBody)
        #expect(delivered == (less == 0 ? ["1", "2"] : ["2"]))
    }

    // MARK: Permissions

    @Test func unregisteredAppsDisplayNothing() {
        var bench = Bench.with(.active)
        bench.notification(.schedule(.alert(at: at(60))))
        _ = bench.plays(.device(.homePressed))
        _ = bench.passes(seconds(60))
        #expect(bench.shown().isEmpty)
        #expect(bench.decisions().last == .notShown(NotificationID(app: app(1), number: 2), .notRegistered))
        #expect(bench.deliveredOnDisk.isEmpty)
    }

    @Test func theForegroundAppNeedsNoRegistration() {
        var bench = Bench.with(.active)
        bench.notification(.present(.alert()))
        #expect(bench.received() == [.alert()])
    }

    /// A notification without a date is due at once, in the app that schedules it.
    @Test func aNotificationWithoutADateIsForItsApp() {
        var bench = Bench.notifying()
        _ = bench.plays(.device(.appOpened(app(2))))
        let count = bench.effects.count
        bench.notification(.schedule(.alert()), launch(2))
        let called = bench.effects[count...].compactMap { effect -> LaunchID? in
            guard case .launch(let launch, .send(.callback(_, .concern(.notification(.received))))) = effect else {
                return nil
            }
            return launch
        }
        #expect(called == [launch(2)])
    }

    @Test(arguments: [Policy.iOS4]) func iOS4RequiresNoRegistration(policy: Policy) {
        var bench = Bench.with(.active, policy)
        bench.notification(.schedule(.alert(at: at(60))))
        _ = bench.plays(.device(.homePressed))
        _ = bench.passes(seconds(60))
        #expect(bench.shown().count == 1)
    }

    @Test func theAnswerHasTheAllowedTypes() {
        var bench = Bench.with(.active)
        #expect(bench.notification(.register([.alert, NotificationTypes(rawValue: 64)])).contains("registered"))
        #expect(bench.effects.callbacks.last == .concern(.notification(.registered(.alert))))
        _ = bench.plays()
        bench.handle(.concern(.notification(.allowed(app(1), false))))
        bench.notification(.register(.all))
        #expect(bench.effects.callbacks.last == .concern(.notification(.registered([]))))
        _ = bench.plays(.device(.homePressed))
        bench.helpers[launch(1)]?.isFrozen = false
        bench.notification(.present(.alert()))
        #expect(bench.shown().isEmpty)
        bench.handle(.concern(.notification(.allowed(app(1), true))))
        bench.notification(.present(.alert()))
        #expect(bench.shown().map(\.types) == [.alert])
    }

    @Test func onlyRegisteredTypesAreDisplayed() {
        var bench = Bench.with(.active)
        bench.notification(.register([.sound]))
        _ = bench.plays()
        _ = bench.plays(.device(.homePressed))
        bench.helpers[launch(1)]?.isFrozen = false
        let all = LocalNotification.alert().with {
            $0.sound = .standard
            $0.badge = 3
        }
        bench.notification(.present(all))
        #expect(bench.shown().map(\.types) == [.sound])
        #expect(bench.notificationsOnDisk.clients.first?.badge == 0)
        #expect(bench.deliveredOnDisk.isEmpty, "a sound cannot be tapped")
        bench.notification(.setBadge(4))
        #expect(bench.decisions().last == .badgeRefused(app(1)))
    }

    // MARK: Badges

    @Test func theBadgePersistsUntilSetToZero() {
        var bench = Bench.notifying()
        _ = bench.plays(.device(.homePressed))
        bench.helpers[launch(1)]?.isFrozen = false
        bench.notification(.present(.alert("three").with { $0.badge = 3 }))
        bench.notification(.present(.alert("none")))
        #expect(bench.notificationsOnDisk.clients.first?.badge == 3)
        #expect(bench.deliveredOnDisk == ["three", "none"])
        _ = bench.restarts()
        _ = bench.plays()
        let cleared = bench.notification(.setBadge(0))
        #expect(cleared.contains("withdraw of app 1: 1.1 1.2"))
        #expect(cleared.contains("badge of app 1: 0"))
        #expect(bench.deliveredOnDisk.isEmpty)
        #expect(bench.notificationsOnDisk.clients.first?.badge == 0)
    }

    // MARK: Sounds

    private static func sounding(_ file: SoundFile, isRestarted: Bool = false) -> (Bench, [ShownNotification]) {
        var bench = Bench.notifying()
        _ = bench.plays(.device(.homePressed))
        bench.helpers[launch(1)]?.isFrozen = false
        bench.notification(.present(.alert().with { $0.sound = .named("alarmsound.caf") }))
        #expect(bench.shown().isEmpty)
        if isRestarted {
            _ = bench.restarts()
            _ = bench.passes(.milliseconds(1))
        }
        let id = NotificationID(app: app(1), number: 1)
        let asked = bench.effects.count { $0 == .concern(.notification(.examineSound(id, name: "alarmsound.caf"))) }
        #expect(asked == (isRestarted ? 2 : 1))
        bench.handle(.concern(.notification(.soundExamined(id, file))))
        bench.handle(.concern(.notification(.soundExamined(id, file))))
        return (bench, bench.shown())
    }

    @Test(arguments: SoundFile.Format.allCases) func theAppsOwnSoundIsPlayed(format: SoundFile.Format) {
        for isRestarted in [false, true] {
            let (_, shown) = Self.sounding(.sound(format, length: .milliseconds(29_999)), isRestarted: isRestarted)
            #expect(shown.map(\.sound) == [format == .other ? .standard : .named("alarmsound.caf")])
        }
    }

    @Test(
        arguments: [
            (.sound(.linearPCM, length: .seconds(30)), .length), (.sound(.other, length: .seconds(1)), .format),
            (.missing, .missing), (.unreadable, .unreadable),
        ] as [(SoundFile, SoundFault)])
    func elseTheDefaultSound(file: SoundFile, fault: SoundFault) {
        let (bench, shown) = Self.sounding(file)
        #expect(shown.map(\.sound) == [.standard])
        #expect(bench.decisions().contains(.soundReplaced(NotificationID(app: app(1), number: 1), fault)))
    }

    @Test func notificationsWithoutASoundAreSilent() {
        var bench = Bench.notifying()
        _ = bench.plays(.device(.homePressed))
        bench.helpers[launch(1)]?.isFrozen = false
        bench.notification(.present(.alert()))
        #expect(bench.shown().map(\.sound) == [.none])
    }
}
