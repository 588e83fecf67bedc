public import LifeCycleModel
import LifeCyclePolicy
import RoostWire

/// Notifications, and what the user does with them (R-90, R-100 to R-103). Local ones fire by themselves as time passes.
extension VirtualDevice {
    /// A provider sends an app a remote notification, whose payload is the text of a JSON object (R-90). Throws
    /// `PayloadFault` where Apple's service would not take it.
    public func push(_ payload: String, to app: VirtualApp) async throws {
        let notification = try RemoteNotification(payload: Array(payload.utf8))
        await act("a push comes", .concern(.notification(.pushArrived(app.id, notification))), of: app)
    }

    /// Lets time pass until the notification that is due next has fired; false where none is scheduled. An app in the test's
    /// process reckons its fire dates by the real date, which is not the device's: this comes there all the same.
    @discardableResult public func deliverDue() async -> Bool {
        let scheduled = body.device.notificationRecords.scheduled
        guard let due = scheduled.compactMap({ body.device.notificationDue($0.id) }).min(), due < .distantFuture
        else { return false }
        tell("time passes until a notification is due")
        await body.advance(by: max(.zero, due - body.now.wall))
        return true
    }

    /// What is scheduled, of one app or of all, in the order it was.
    public func scheduledNotifications(of app: VirtualApp? = nil) -> [LocalNotification] {
        body.device.notificationRecords.scheduled.filter { app == nil || $0.id.app == app?.id }.map(\.notification)
    }

    /// What is shown to the user, of one app or of all: each until it is tapped, dismissed, or canceled.
    public func shownNotifications(of app: VirtualApp? = nil) -> [DeliveredRecord] {
        body.device.notificationRecords.delivered.filter {
            $0.stage == .shown && (app == nil || $0.id.app == app?.id)
        }
    }

    /// The number on an app's icon.
    public func badge(of app: VirtualApp) -> Int {
        Int(body.device.notificationRecords.clients.first { $0.app == app.id }?.badge ?? 0)
    }

    /// The user opens an app by a notification that is shown.
    public func tap(_ notification: DeliveredRecord) async {
        await act(
            "you tap a notification", .concern(.notification(.tapped(notification.id))), of: owner(of: notification))
    }

    /// The user takes a notification away.
    public func dismiss(_ notification: DeliveredRecord) async {
        await act(
            "you take a notification away", .concern(.notification(.dismissed(notification.id))),
            of: owner(of: notification))
    }

    /// The user lets an app show notifications, or not.
    public func setNotifications(of app: VirtualApp, allowed: Bool) async {
        await act(
            "notifications are \(allowed ? "allowed" : "forbidden")",
            .concern(.notification(.allowed(app.id, allowed))), of: app)
    }

    /// The user travels: the device's clocks show the time of this zone, as `Europe/Berlin`. At first they show UTC. False
    /// where there is no such zone.
    @discardableResult public func setTimeZone(_ name: String) async -> Bool {
        guard let rules = VirtualZones.rules(of: name) else { return false }
        await act("the time zone is \(name)", .device(.zoneChanged(name, rules)))
        return true
    }

    private func owner(of notification: DeliveredRecord) -> VirtualApp? { apps.first { $0.id == notification.id.app } }
}

extension CallbackName {
    /// One of its notifications has fired in front, or the user opened it by one.
    public static let didReceiveLocalNotification = CallbackName(NotificationCall.Method.didReceiveLocalNotification)
    /// It is told what it may show.
    public static let didRegisterUserNotificationSettings = CallbackName(
        NotificationCall.Method.didRegisterUserNotificationSettings)
    /// A remote notification came.
    public static let didReceiveRemoteNotification = CallbackName(NotificationCall.Method.didReceiveRemoteNotification)
    /// The app has registered for remote notifications.
    public static let didRegisterForRemoteNotifications = CallbackName(
        NotificationCall.Method.didRegisterForRemoteNotifications)
    /// It could not be registered.
    public static let didFailToRegisterForRemoteNotifications = CallbackName(
        NotificationCall.Method.didFailToRegisterForRemoteNotifications)
}
