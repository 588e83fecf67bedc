import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// Visible pushes for an app that is not in the foreground. The pushes are displayed, and a tap on a push opens the app
/// (R-90, R-102).
@Suite struct VisiblePushTests {
    private static let first = NotificationID(app: app(1), number: 1)
    private static let token = DeviceToken([UInt8](1...32))
    private static let alert = push(.alert("news"))

    private static func push(
        _ notification: LocalNotification, badge: Int32? = nil, wakes: Bool = false
    ) -> RemoteNotification {
        RemoteNotification(
            payload: "{\"aps\":{\"alert\":\"\(notification.alertBody ?? "")\"}}", isContentAvailable: wakes,
            presentation: RemoteNotification.Presentation(notification, badge: badge))
    }

    /// The first app has registered for all types of notifications, and is suspended.
    private static func suspended(_ policy: Policy = .iOS26, usesScenes: Bool = false) -> Bench {
        let manifest = AppManifest.sample(1, modes: [.remoteNotification], usesScenes: usesScenes)
        var bench = Bench.with(.active, policy, [manifest, .sample(2)])
        _ = bench.notification(.register(.all))
        _ = bench.plays(.app(launch(1), .requested(.concern(.notification(.setRemoteNotifications(true))))))
        _ = bench.plays(.concern(.notification(.tokenMade(app(1), token))))
        _ = bench.plays(.device(.homePressed))
        bench.forget()
        return bench
    }

    @Test func aVisiblePushIsDisplayedWithoutAWake() {
        var bench = Self.suspended()
        let count = bench.effects.count
        _ = bench.plays(.concern(.notification(.pushArrived(app(1), Self.alert))))
        #expect(bench.shown(since: count).map(\.notification.alertBody) == ["news"])
        #expect(bench.state(1) == .suspended && bench.effects[count...].callbacks.isEmpty)
        #expect(bench.notificationsOnDisk.delivered.map(\.push) == [bench.id(of: Self.alert)])
        #expect(bench.notificationsOnDisk.remotes.map(\.notification) == [Self.alert])
    }

    @Test func aVisiblePushWithContentIsDisplayedAndWakes() {
        var bench = Self.suspended()
        let count = bench.effects.count
        let push = Self.push(.alert("news"), wakes: true)
        _ = bench.plays(.concern(.notification(.pushArrived(app(1), push))))
        #expect(bench.shown(since: count).count == 1)
        #expect(bench.effects[count...].callbacks == [bench.call(for: push)])
    }

    @Test func theForegroundAppReceivesAVisiblePush() {
        var bench = Self.suspended()
        _ = bench.plays(.device(.appOpened(app(1))))
        let count = bench.effects.count
        _ = bench.plays(.concern(.notification(.pushArrived(app(1), Self.alert))))
        #expect(bench.shown(since: count).isEmpty)
        #expect(bench.effects[count...].callbacks == [bench.call(for: Self.alert)])
    }

    @Test func disallowedPushesAreNotDisplayed() {
        var bench = Self.suspended()
        _ = bench.plays(.concern(.notification(.allowed(app(1), false))))
        let count = bench.effects.count
        _ = bench.plays(.concern(.notification(.pushArrived(app(1), Self.alert))))
        #expect(bench.shown(since: count).isEmpty && bench.deliveredOnDisk.isEmpty)
        #expect(bench.decisions(since: count) == [.notShown(Self.first, .notAllowed)])
    }

    @Test func anUnregisteredAppDisplaysNoVisiblePush() {
        var bench = Bench.with(.active, .iOS26, [.sample(1)])
        _ = bench.plays(.app(launch(1), .requested(.concern(.notification(.setRemoteNotifications(true))))))
        _ = bench.plays(.concern(.notification(.tokenMade(app(1), Self.token))))
        _ = bench.plays(.device(.homePressed))
        _ = bench.plays(.concern(.notification(.pushArrived(app(1), Self.alert))))
        #expect(bench.decisions() == [.notShown(Self.first, .notRegistered)])
        var older = Bench.with(.active, .iOS4, [.sample(1)])
        _ = older.plays(.app(launch(1), .requested(.concern(.notification(.setRemoteNotifications(true))))))
        _ = older.plays(.concern(.notification(.tokenMade(app(1), Self.token))))
        _ = older.plays(.device(.homePressed))
        _ = older.plays(.concern(.notification(.pushArrived(app(1), Self.alert))))
        #expect(older.shown().count == 1, "before iOS 8 no registration is needed: \(older.decisions())")
    }

    @Test func itsBadgeIsShownAndZeroClearsIt() {
        var bench = Self.suspended()
        _ = bench.plays(.concern(.notification(.pushArrived(app(1), Self.push(LocalNotification(), badge: 4)))))
        #expect(bench.effects.contains(.concern(.notification(.setBadge(app(1), 4)))))
        _ = bench.plays(.concern(.notification(.pushArrived(app(1), Self.push(.alert("more"))))))
        #expect(bench.notificationsOnDisk.clients.first?.badge == 4, "a push without a badge leaves it unchanged")
        _ = bench.plays(.concern(.notification(.pushArrived(app(1), Self.push(LocalNotification(), badge: 0)))))
        #expect(bench.effects.contains(.concern(.notification(.setBadge(app(1), 0)))))
        #expect(bench.deliveredOnDisk == ["more"])
    }

    @Test func aTapBringsASuspendedAppToTheForeground() {
        var bench = Self.suspended()
        _ = bench.plays(.concern(.notification(.pushArrived(app(1), Self.alert))))
        let count = bench.effects.count
        _ = bench.plays(.concern(.notification(.tapped(Self.first))))
        #expect(
            bench.effects[count...].callbacks == [
                .willEnterForeground, bench.call(for: Self.alert), .didBecomeActive,
            ])
        #expect(bench.deliveredOnDisk.isEmpty)
        _ = bench.passes(seconds(60))
        #expect(bench.state(1) == .active, "no time limit in the foreground")
    }

    @Test func aTapLaunchesAnAppWithItAndCallsItOnce() {
        var bench = Self.suspended()
        _ = bench.plays(.concern(.notification(.pushArrived(app(1), Self.alert))))
        _ = bench.plays(.device(.appForceQuit(app(1))))
        let count = bench.effects.count
        let lines = bench.plays(.concern(.notification(.tapped(Self.first))))
        #expect(lines.contains("1.2 is launched by push 1.1\n1.2 #1 launch for user"))
        #expect(
            bench.effects[count...].callbacks == [
                .launch(.user), bench.call(for: Self.alert), .didBecomeActive,
            ])
    }

    @Test func appsWithScenesAreCalledForTheTapOnlyOnTheWay() {
        var bench = Self.suspended(usesScenes: true)
        _ = bench.plays(.concern(.notification(.pushArrived(app(1), Self.alert))))
        _ = bench.plays(.device(.memoryRanShort))
        let count = bench.effects.count
        #expect(!bench.plays(.concern(.notification(.tapped(Self.first)))).contains("launched by"))
        #expect(
            bench.effects[count...].callbacks == [
                .launch(.user), bench.call(for: Self.alert), .didBecomeActive,
            ])
    }

    @Test func heldPushesAreDeliveredOnceAtTheUnlock() {
        var bench = Self.suspended()
        let push = Self.push(.alert("news"), wakes: true)
        _ = bench.plays(.device(.settingChanged(.passcode(true))))
        _ = bench.plays(.device(.deviceStarted))
        _ = bench.plays(.concern(.notification(.pushArrived(app(1), push))))
        #expect(bench.shown().count == 1, "displayed while locked, too")
        #expect(bench.heldOnDisk == push)
        bench.handle(.device(.deviceUnlocked))
        #expect(bench.pushesOnDisk[app(1)]?.held == nil)
        _ = bench.plays()
        #expect(bench.effects.callbacks.count { $0 == bench.call(for: push) } == 1)
    }

    /// The push came while its app was ending, and the user taps it to open the app again.
    @Test func aPushDuringAForceQuitIsDeliveredOnceByATap() {
        var bench = Self.suspended()
        let push = Self.push(.alert("news"), wakes: true)
        _ = bench.plays(.device(.appOpened(app(1))))
        bench.handle(.device(.appForceQuit(app(1))))
        bench.handle(.concern(.notification(.pushArrived(app(1), push))))
        #expect(bench.shown().count == 1)
        #expect(bench.pushesOnDisk[app(1)]?.held == nil, "the user has force-quit the app")
        _ = bench.plays()
        let number = bench.notificationsOnDisk.delivered[0].id
        let count = bench.effects.count
        _ = bench.plays(.concern(.notification(.tapped(number))))
        #expect(
            bench.effects[count...].callbacks.count { $0 == bench.call(for: push) } == 1)
    }

    /// Until iOS 6 a force quit does not block pushes, so the push is held until the app has ended. After a tap the app
    /// is called once.
    @Test func aPushHeldForTheEndIsDeliveredOnceByATap() {
        var bench = Self.suspended(.iOS4)
        let push = Self.push(.alert("news"), wakes: true)
        _ = bench.plays(.device(.appOpened(app(1))))
        bench.handle(.device(.appForceQuit(app(1))))
        bench.handle(.concern(.notification(.pushArrived(app(1), push))))
        #expect(bench.heldOnDisk == push && bench.shown().count == 1)
        let count = bench.effects.count
        bench.handle(.concern(.notification(.tapped(bench.notificationsOnDisk.delivered[0].id))))
        #expect(bench.pushesOnDisk[app(1)]?.held == nil)
        _ = bench.plays()
        #expect(bench.state(1) == .active)
        #expect(
            bench.effects[count...].callbacks.count { $0 == bench.call(for: push) } == 1)
    }

    /// If the foreground app leaves or dies before it was called, the notification is displayed. Another callback is
    /// pending meanwhile.
    @Test(arguments: [false, true]) func aVisiblePushIsDisplayedIfTheAppWasNotCalled(isKilled: Bool) {
        var bench = Self.suspended()
        bench.handle(.device(.appOpened(app(1))))
        bench.handle(.concern(.notification(.pushArrived(app(1), Self.alert))))
        #expect(bench.shown().isEmpty && bench.notificationsOnDisk.delivered.map(\.stage) == [.delivering])
        if isKilled {
            bench.helpers[launch(1)]?.exit = .signaled(9)
        } else {
            bench.handle(.device(.homePressed))
        }
        _ = bench.plays()
        #expect(bench.shown().map(\.notification.alertBody) == ["news"])
        #expect(!bench.effects.callbacks.contains(bench.call(for: Self.alert)))
        #expect(bench.deliveredOnDisk == ["news"])
    }

    /// The app counts as in the background once the user has gone home, before it has answered.
    @Test func aVisiblePushIsDisplayedWhileTheAppLeaves() {
        var bench = Self.suspended()
        _ = bench.plays(.device(.appOpened(app(1))))
        bench.handle(.device(.homePressed))
        bench.handle(.concern(.notification(.pushArrived(app(1), Self.alert))))
        #expect(bench.shown().count == 1)
        _ = bench.plays()
        #expect(!bench.effects.callbacks.contains(bench.call(for: Self.alert)))
    }

    @Test func theSystemsShutdownLosesNoVisiblePush() {
        var bench = Self.suspended()
        let held = Self.push(.alert(""), wakes: true)
        _ = bench.plays(.device(.settingChanged(.lowPowerMode(true))))
        _ = bench.plays(.concern(.notification(.pushArrived(app(1), held))))
        #expect(bench.heldOnDisk == held, "an empty alert counts as silent")
        _ = bench.plays(.device(.shutdownBegan))
        #expect(bench.heldOnDisk == held)
        bench.handle(.concern(.notification(.pushArrived(app(1), Self.push(LocalNotification(), wakes: true)))))
        #expect(bench.heldOnDisk == Self.push(LocalNotification(), wakes: true), "a later push is held, too")
    }

    /// After a restart of the system, only notifications that had fired before it are processed again.
    @Test func aPushRightAfterARestartIsDisplayedOnce() {
        var bench = Self.suspended()
        _ = bench.restarts()
        let count = bench.effects.count
        let push = Self.push(.alert("news").with { $0.sound = .named("news.caf") })
        bench.handle(.concern(.notification(.pushArrived(app(1), push))))
        bench.handle(.deadlineReached)
        let examined = bench.effects[count...].count { effect in
            if case .concern(.notification(.examineSound)) = effect { true } else { false }
        }
        #expect(examined == 1)
    }

    @Test func cancelAllKeepsRemoteNotifications() {
        var bench = Self.suspended()
        _ = bench.plays(.device(.appOpened(app(1))))
        _ = bench.plays(.device(.homePressed))
        _ = bench.plays(.concern(.notification(.pushArrived(app(1), Self.alert))))
        _ = bench.plays(.device(.appOpened(app(1))))
        _ = bench.notification(.cancelAll)
        #expect(bench.deliveredOnDisk == ["news"])
        _ = bench.notification(.setBadge(0))
        #expect(bench.deliveredOnDisk.isEmpty, "a badge of zero removes all")
    }

    /// T28: An early start has no payload among its launch options. The app receives it when it is launched.
    @Test func prewarmedAppsReceiveTheLaunchPush() {
        var bench = Self.suspended()
        bench.helpers[launch(1)]?.exit = .exited(code: 0)
        _ = bench.plays()
        _ = bench.plays(.device(.deviceStarted))
        #expect(bench.device.snapshot(of: app(1))?.isPrewarmed == true)
        let count = bench.effects.count
        let push = Self.push(LocalNotification(), badge: 1, wakes: true)
        let lines = bench.plays(.concern(.notification(.pushArrived(app(1), push))))
        #expect(lines.contains("is launched by push 1.1\n"))
        #expect(bench.effects[count...].callbacks.first == .launch(.remoteNotification))
    }
}
