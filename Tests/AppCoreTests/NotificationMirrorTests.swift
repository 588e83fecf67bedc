import AppCore
import LifeCycleModel
import Testing

/// The app's own view of its notifications, also before the system has received its actions.
@Suite struct NotificationMirrorTests {
    private static func alert(_ body: String, at date: Int64? = 1000) -> LocalNotification {
        var notification = LocalNotification()
        notification.alertBody = body
        notification.fireDate = date.map { .seconds($0) }
        return notification
    }

    private var core = AppCore(
        context: LaunchContext(reason: .user, backgroundTime: .seconds(30), isMultitaskingSupported: true))

    private var bodies: [String] { core.scheduledNotifications.compactMap(\.alertBody) }

    private mutating func does(_ act: NotificationAct) -> [Step] {
        var steps: [Step] = []
        core.notification(act, into: &steps)
        return steps
    }

    private mutating func receives(_ news: NotificationNews) {
        var steps: [Step] = []
        core.receive(.concern(.notification(news)), at: .zero, into: &steps)
    }

    @Test mutating func theAppSeesItsScheduledNotificationsAtOnce() {
        let act = NumberedNotificationAct(number: 1, act: .schedule(Self.alert("one")))
        #expect(does(.schedule(Self.alert("one"))) == [.send(.concern(.notification(.act(act))))])
        #expect(bodies == ["one"])
        _ = does(.schedule(Self.alert("now", at: nil)))
        _ = does(.present(Self.alert("now")))
        #expect(bodies == ["one"], "a notification shown at once is not scheduled")
        _ = does(.cancel(Self.alert("one")))
        #expect(bodies.isEmpty)
    }

    @Test mutating func firedNotificationsAreNoLongerScheduled() {
        _ = does(.schedule(Self.alert("one")))
        _ = does(.schedule(Self.alert("one")))
        receives(.received(2))
        #expect(bodies == ["one", "one"])
        receives(.unscheduled(Self.alert("one")))
        #expect(bodies == ["one"])
        receives(.unscheduled(Self.alert("another")))
        #expect(bodies == ["one"])
    }

    @Test mutating func unregisteringEndsTheRegistration() {
        var steps: [Step] = []
        core.setRemoteNotifications(true, into: &steps)
        #expect(!core.isRegisteredForRemoteNotifications)
        let token = DeviceToken([UInt8](1...32))
        core.receive(
            .callback(CallbackID(1), .concern(.notification(.registeredForRemote(token)))), at: .zero, into: &steps)
        #expect(core.isRegisteredForRemoteNotifications)
        #expect(core.repeats().isEmpty, "the registration is answered")
        core.setRemoteNotifications(false, into: &steps)
        #expect(!core.isRegisteredForRemoteNotifications)
    }

    /// The delegate's older method does not get the push that launched the app. A second push with the same payload is
    /// another one.
    @Test mutating func thePushOfTheLaunchIsTakenOnce() {
        receives(.launchedByRemote(.text("{}")))
        let seen = (0..<2).map { _ in core.isForOlderMethod("{}", isOfNewsstandAlone: true) }
        #expect(seen == [false, true])
    }

    @Test mutating func newsAndActsMayCross() {
        receives(.begins(NotificationStatus()))
        receives(.scheduled(Self.alert("old")))
        _ = does(.schedule(Self.alert("new")))
        receives(.unscheduled(Self.alert("old")))
        #expect(bodies == ["new"])
        _ = does(.cancelAll)
        receives(.received(1))
        #expect(bodies.isEmpty)
        receives(.received(2))
        #expect(bodies.isEmpty)
    }

    @Test mutating func unconfirmedActionsAreRepeated() {
        for body in ["one", "two", "three"] { _ = does(.schedule(Self.alert(body))) }
        receives(.received(1))
        let again = core.repeats()
        #expect(again.count == 2)
        #expect(
            again.first
                == .concern(.notification(.act(NumberedNotificationAct(number: 2, act: .schedule(Self.alert("two")))))))
        #expect(core.attachment.notificationActs == 3)
        // The system received the second action before it sent the list.
        receives(.begins(NotificationStatus(received: 2)))
        receives(.scheduled(Self.alert("one")))
        receives(.scheduled(Self.alert("two")))
        #expect(bodies == ["one", "two", "three"])
        #expect(core.repeats().count == 1)
    }

    @Test mutating func theBadgeIsTheSystemsValue() {
        receives(.begins(NotificationStatus(badge: 3, types: .all)))
        #expect(core.badge == 3)
        #expect(core.notificationTypes == .all)
        _ = does(.setBadge(5))
        #expect(core.badge == 5)
        receives(.received(1))
        #expect(core.badge == 5)
        receives(.badge(3))
        #expect(core.badge == 3, "the system refused the change")
        _ = does(.setBadge(-1))
        #expect(core.badge == 0)
        receives(.received(2))
        #expect(core.badge == 0)
    }

    @Test mutating func theAppIsCalledForEachNotification() {
        var steps: [Step] = []
        receives(.launchedBy(Self.alert("tapped")))
        #expect(core.launchNotification == Self.alert("tapped"))
        core.receive(
            .callback(CallbackID(1), .concern(.notification(.received(Self.alert("one"))))), at: .zero, into: &steps)
        #expect(
            steps == [
                .call(.concern(.notification(.received(Self.alert("one"))), CallbackID(1))), .finish(CallbackID(1)),
            ])
        core.callbackReturned(CallbackID(1), at: .zero, into: &steps)
        steps = []
        core.receive(.callback(CallbackID(2), .concern(.notification(.registered(.alert)))), at: .zero, into: &steps)
        #expect(steps.first == .call(.concern(.notification(.registered(.alert)), CallbackID(2))))
        #expect(core.notificationTypes == .alert)
    }
}
