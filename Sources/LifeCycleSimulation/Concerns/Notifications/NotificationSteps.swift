import LifeCycleModel
import LifeCyclePolicy

/// Local notifications.
extension ConcernStep {
    static let register = code("register") { $0.act(.register(.all), $1) }
    static let schedule = code("schedule") { world, index in
        guard world.core.device.notificationRecords.scheduled.isEmpty else { return false }
        var notification = news
        notification.fireDate = world.core.now.wall + .seconds(1)
        return world.act(.schedule(notification), index)
    }
    static let cancel = code("cancel") { $0.act(.cancelAll, $1) }
    /// The user taps the newest displayed notification.
    static let tap = ConcernStep("tap") { world, app in
        let records = world.core.device.notificationRecords
        let shown = records.delivered.last { $0.id.app == app && $0.stage == .shown }
        guard let shown else { return false }
        world.handle(.concern(.notification(.tapped(shown.id))))
        return true
    }

    private static let news: LocalNotification = {
        var notification = LocalNotification()
        notification.alertBody = "news"
        return notification
    }()
}

/// Remote notifications. Low Power Mode delays silent pushes.
extension ConcernStep {
    static let askForPushes = code("ask for pushes") { world, index in
        guard world.core.device.deviceToken(of: world.processes[index].launch.app) == nil else { return false }
        return world.request(.concern(.notification(.setRemoteNotifications(true))), index)
    }
    static let push = arrives("push", RemoteNotification(payload: "{}", isContentAvailable: true))
    static let alert = arrives(
        "alert",
        RemoteNotification(
            payload: "{1}", isContentAvailable: true, presentation: RemoteNotification.Presentation(news)))
    static let lowPower = setLowPowerMode("low power", true)
    static let fullPower = setLowPowerMode("full power", false)

    private static func arrives(_ name: String, _ push: RemoteNotification) -> ConcernStep {
        ConcernStep(name) { world, app in
            world.handle(.concern(.notification(.pushArrived(app, push))))
            return true
        }
    }

    private static func setLowPowerMode(_ name: String, _ isOn: Bool) -> ConcernStep {
        ConcernStep(name) { world, _ in
            guard world.core.device.record.settings.lowPowerMode != isOn else { return false }
            world.handle(.device(.settingChanged(.lowPowerMode(isOn))))
            return true
        }
    }
}

extension SmallWorld {
    fileprivate mutating func act(_ act: NotificationAct, _ index: Int) -> Bool {
        processes[index].notificationActs += 1
        let numbered = NumberedNotificationAct(number: processes[index].notificationActs, act: act)
        return request(.concern(.notification(.act(numbered))), index)
    }
}
