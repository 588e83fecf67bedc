import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// Notifications that fire, and the apps that are called for them (R-100 to R-103).
@Suite struct NotificationTests {
    @Test func aNotificationFiresAtItsTime() {
        var bench = Bench.notifying()
        bench.notification(.schedule(.alert(at: at(60))))
        _ = bench.plays(.device(.homePressed))
        let count = bench.effects.count
        _ = bench.passes(seconds(59))
        #expect(bench.shown(since: count).isEmpty)
        #expect(bench.device.nextDeadline == Deadline(at: at(60), reason: .notification))
        _ = bench.passes(seconds(1))
        #expect(bench.shown(since: count).map(\.notification.alertBody) == ["hello"])
        #expect(bench.received(since: count).isEmpty)
        #expect(bench.state(1) == .suspended, "the app stays suspended")
        _ = bench.passes(seconds(1_000_000))
        #expect(bench.shown(since: count).count == 1)
        #expect(bench.device.nextDeadline == nil)
    }

    @Test func theRecordIsStoredBeforeTheDisplay() throws {
        var bench = Bench.with(.notRunning)
        _ = bench.plays(.device(.appOpened(app(1))))
        bench.notification(.register(.all))
        bench.notification(.schedule(.alert(at: at(60))))
        _ = bench.plays()
        _ = bench.plays(.device(.homePressed))
        let count = bench.effects.count
        _ = bench.passes(seconds(60))
        let effects = Array(bench.effects[count...])
        let show = try #require(
            effects.firstIndex { if case .concern(.notification(.show)) = $0 { true } else { false } })
        let store = try #require(
            effects.firstIndex { if case .store(.concern(.notification(.unscheduled))) = $0 { true } else { false } })
        let delivered = try #require(
            effects.firstIndex { if case .store(.concern(.notification(.delivered))) = $0 { true } else { false } })
        #expect(store < show)
        #expect(delivered < show)
    }

    @Test func theForegroundAppReceivesItsNotification() {
        var bench = Bench.notifying()
        bench.notification(.schedule(.alert(at: at(60))))
        _ = bench.passes(seconds(60))
        _ = bench.plays()
        #expect(bench.received() == [.alert(at: at(60))])
        #expect(bench.shown().isEmpty)
        #expect(bench.notificationsOnDisk.delivered.isEmpty)
    }

    @Test func leavingTheForegroundUncalledDisplaysTheNotification() {
        var bench = Bench.notifying()
        bench.notification(.schedule(.alert(at: at(60))))
        _ = bench.does(.device(.memoryRanLow))
        _ = bench.passes(seconds(5))
        _ = bench.passes(seconds(4))
        _ = bench.plays()
        _ = bench.does(.device(.memoryRanLow))
        bench.notification(.present(.alert("now")))
        #expect(bench.received().isEmpty, "another callback is running")
        #expect(bench.deliveredOnDisk == ["now"])
        _ = bench.plays(.device(.homePressed))
        #expect(bench.received().isEmpty)
        #expect(bench.shown().map(\.notification.alertBody) == ["now"])
    }

    @Test func dyingInTheForegroundUncalledDisplaysIt() {
        var bench = Bench.notifying()
        _ = bench.does(.device(.memoryRanLow))
        bench.notification(.present(.alert("now")))
        bench.handle(.process(launch(1), .exited(.signaled(11))))
        #expect(bench.shown().map(\.notification.alertBody) == ["now"])
    }

    @Test func repeatingNotificationsAreDisplayedAgain() {
        var bench = Bench.notifying()
        bench.notification(.schedule(.alert(at: at(60)).with { $0.repeats = .hour }))
        _ = bench.plays(.device(.homePressed))
        _ = bench.passes(seconds(60 + 3 * 3600))
        #expect(bench.shown().map(\.id.number) == [2, 3, 4, 5])
        #expect(bench.scheduledOnDisk == ["hello"])
    }

    @Test func aFireDateThatIsOverIsNow() {
        var bench = Bench.notifying()
        _ = bench.plays(.device(.homePressed))
        bench.helpers[launch(1)]?.isFrozen = false
        bench.notification(.schedule(.alert("past", at: at(-500))))
        bench.notification(.schedule(.alert("none")))
        #expect(bench.shown().map(\.notification.alertBody) == ["past", "none"])
        #expect(bench.scheduledOnDisk.isEmpty)
    }

    @Test func aDistantNotificationHasNoDeadline() {
        var bench = Bench.notifying()
        bench.notification(.schedule(.alert(at: .distantFuture)))
        #expect(bench.device.nextDeadline == nil)
        #expect(bench.scheduledOnDisk == ["hello"])
    }

    // MARK: Clocks

    @Test func theClockIsSetForwardPastIt() {
        var bench = Bench.notifying()
        bench.notification(.schedule(.alert("once", at: at(3600))))
        bench.notification(.schedule(.alert("often", at: at(3600)).with { $0.repeats = .minute }))
        _ = bench.plays(.device(.homePressed))
        _ = bench.setsClock(by: seconds(7200))
        #expect(bench.shown().map(\.notification.alertBody) == ["once", "often"])
        _ = bench.setsClock(by: seconds(-7200))
        _ = bench.passes(seconds(7199))
        #expect(bench.shown().count == 2, "a fired notification does not fire again")
        _ = bench.passes(seconds(61))
        #expect(bench.shown().map(\.notification.alertBody) == ["once", "often", "often"])
    }

    @Test func theDeviceSleepsPastIt() {
        var bench = Bench.notifying()
        bench.notification(.schedule(.alert(at: at(60))))
        _ = bench.plays(.device(.homePressed))
        bench.sleeps(seconds(86_400))
        bench.handle(.device(.clockWasSet))
        #expect(bench.shown().count == 1)
    }

    @Test func theClockIsSetBack() {
        var bench = Bench.notifying()
        bench.notification(.schedule(.alert(at: at(60))))
        _ = bench.plays(.device(.homePressed))
        _ = bench.setsClock(by: seconds(-3600))
        _ = bench.passes(seconds(3600))
        #expect(bench.shown().isEmpty)
        _ = bench.passes(seconds(60))
        #expect(bench.shown().count == 1)
    }

    // MARK: Restarts

    @Test func scheduledNotificationsOutliveARestart() {
        var bench = Bench.notifying()
        bench.notification(.schedule(.alert("one", at: at(60))))
        bench.notification(.schedule(.alert("two", at: at(90))))
        bench.notification(.schedule(.alert("daily", at: at(100)).with { $0.repeats = .day }))
        _ = bench.plays(.device(.homePressed))
        _ = bench.passes(seconds(60))
        _ = bench.restarts()
        _ = bench.plays()
        _ = bench.passes(seconds(3600))
        #expect(bench.shown().map(\.notification.alertBody) == ["one", "two", "daily"])
        _ = bench.restarts()
        _ = bench.plays()
        _ = bench.passes(seconds(1))
        #expect(bench.shown().count == 3)
        _ = bench.passes(seconds(86_400))
        #expect(bench.shown().count == 4)
    }

    @Test func missedRepeatsFireOnce() {
        var bench = Bench.notifying()
        bench.notification(.schedule(.alert("often", at: at(60)).with { $0.repeats = .minute }))
        _ = bench.plays(.device(.homePressed))
        bench.sleeps(seconds(86_400))
        _ = bench.restarts()
        _ = bench.plays()
        _ = bench.passes(.milliseconds(1))
        #expect(bench.shown().count == 1)
        _ = bench.restarts()
        _ = bench.plays()
        _ = bench.passes(.milliseconds(1))
        #expect(bench.shown().count == 1)
    }

    /// The app has left the foreground, but the disk is full and no record says so. The app is found frozen, and does
    /// not reconnect by itself.
    @Test(arguments: [1, 2] as [Int32]) func pendingNotificationsOfAFrozenAppAreDisplayed(number: Int32) {
        var bench = Bench.notifying()
        if number == 2 { _ = bench.plays(.device(.appOpened(app(2)))) }
        bench.notification(.register(.all), launch(number))
        _ = bench.plays()
        _ = bench.does(.device(.interruptionBegan(.call)))
        bench.notification(.present(.alert("now")), launch(number))
        _ = bench.does(.device(.homePressed))
        #expect(bench.notificationsOnDisk.delivered.map(\.stage) == [.delivering])
        bench.letStore(fail: true)
        _ = bench.plays()
        #expect(bench.state(number) == .suspended)
        let count = bench.effects.count
        _ = bench.restarts()
        #expect(bench.shown(since: count).map(\.notification.alertBody) == ["now"])
    }

    @Test func afterARestartAnUndeliveredNotificationIsDisplayed() {
        var bench = Bench.notifying()
        _ = bench.does(.device(.memoryRanLow))
        bench.notification(.present(.alert("now")))
        _ = bench.restarts()
        _ = bench.passes(.milliseconds(1))
        #expect(bench.shown().map(\.notification.alertBody) == ["now"])
        _ = bench.restarts()
        _ = bench.passes(.milliseconds(1))
        #expect(bench.shown().count == 1)
    }

    // MARK: Messages to the app

    @Test func aRepeatedRequestIsAnsweredOnce() {
        var bench = Bench.notifying()
        let act = NumberedNotificationAct(number: 2, act: .schedule(.alert(at: at(60))))
        #expect(bench.does(.app(launch(1), .requested(.concern(.notification(.act(act)))))).contains("was received, 2"))
        #expect(bench.does(.app(launch(1), .requested(.concern(.notification(.act(act)))))) == "· 1.1 ignored, late")
        #expect(bench.scheduledOnDisk == ["hello"])
        _ = bench.restarts()
        bench.helpers[launch(1)]?.notificationActs = 2
        let lines = bench.plays()
        #expect(lines.contains("1.1 receives its notifications: 2, 0, 7\n1.1 has scheduled hello"))
        #expect(bench.does(.app(launch(1), .requested(.concern(.notification(.act(act)))))) == "· 1.1 ignored, late")
    }

    @Test func anotherLaunchRestartsTheNumbering() {
        var bench = Bench.notifying()
        bench.notification(.schedule(.alert("one", at: at(6000))))
        bench.handle(.process(launch(1), .exited(.signaled(11))))
        bench.helpers[launch(1)] = nil
        let lines = bench.plays(.device(.appOpened(app(1))))
        #expect(lines.contains("1.2 receives its notifications: 0, 0, 7\n1.2 has scheduled one"))
        bench.notification(.schedule(.alert("two", at: at(6000))), launch(1, 2))
        #expect(bench.scheduledOnDisk == ["one", "two"])
    }

    @Test func suspendedAppsReceiveNotificationStateOnResume() {
        var bench = Bench.notifying()
        bench.notification(.schedule(.alert(at: at(60))))
        _ = bench.plays(.device(.homePressed))
        let fired = bench.passes(seconds(60))
        #expect(!fired.contains("has no more"))
        let lines = bench.plays(.device(.appOpened(app(1))))
        #expect(lines.contains("resumed for foreground\n1.1 receives its notifications: 2, 0, 7\n1.1 #"))
    }

    @Test func anAppWithoutNotificationsReceivesNoState() {
        var bench = Bench.with(.active)
        #expect(!bench.plays(.device(.appOpened(app(2)))).contains("notifications"))
        #expect(bench.device.nextDeadline == nil)
    }
}
