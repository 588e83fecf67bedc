public import LifeCycleModel
import LifeCyclePolicy
import RoostWire

/// Notifications and the user's actions on them (R-90, R-100 to R-103). Local notifications fire on their own as time
/// passes.
extension VirtualDevice {
    /// A provider sends a remote notification to an app (R-90). The payload is the text of a JSON object.
    ///
    /// - Throws: `PayloadFault` if Apple's service would reject the payload.
    public func push(_ payload: String, to app: VirtualApp) async throws {
        let notification = try RemoteNotification(payload: Array(payload.utf8))
        await act("a push arrives", .concern(.notification(.pushArrived(app.id, notification))), of: app)
    }

    /// Advances the clock until the next scheduled notification has fired; false if none is scheduled. An app in the
    /// test's process computes fire dates from the real date, not the device's. This method advances far enough
    /// nevertheless.
    @discardableResult public func deliverDue() async -> Bool {
        let scheduled = body.device.notificationRecords.scheduled
        guard let due = scheduled.compactMap({ body.device.notificationDue($0.id) }).min(), due < .distantFuture
        else { return false }
        tell("time passes until a notification is due")
        await body.advance(by: max(.zero, due - body.now.wall))
        return true
    }

    /// The scheduled notifications of one app, or of all apps, in the order of scheduling.
    public func scheduledNotifications(of app: VirtualApp? = nil) -> [LocalNotification] {
        body.device.notificationRecords.scheduled.filter { app == nil || $0.id.app == app?.id }.map(\.notification)
    }

    /// The displayed notifications of one app, or of all apps. Each notification stays until it is tapped, dismissed,
    /// or canceled.
    public func shownNotifications(of app: VirtualApp? = nil) -> [DeliveredRecord] {
        body.device.notificationRecords.delivered.filter {
            $0.stage == .shown && (app == nil || $0.id.app == app?.id)
        }
    }

    /// The number on an app's icon.
    public func badge(of app: VirtualApp) -> Int {
        Int(body.device.notificationRecords.clients.first { $0.app == app.id }?.badge ?? 0)
    }

    /// The user opens an app by tapping a displayed notification.
    public func tap(_ notification: DeliveredRecord) async {
        await act(
            "you tap a notification", .concern(.notification(.tapped(notification.id))), of: owner(of: notification))
    }

    /// The user dismisses a displayed notification.
    public func dismiss(_ notification: DeliveredRecord) async {
        await act(
            "you dismiss a notification", .concern(.notification(.dismissed(notification.id))),
            of: owner(of: notification))
    }

    /// The user allows or forbids an app's notifications.
    public func setNotifications(of app: VirtualApp, allowed: Bool) async {
        await act(
            "notifications are \(allowed ? "allowed" : "forbidden")",
            .concern(.notification(.allowed(app.id, allowed))), of: app)
    }

    /// The user travels to another time zone, such as `Europe/Berlin`; a new device uses UTC. Returns false if the zone
    /// does not exist.
    @discardableResult public func setTimeZone(_ name: String) async -> Bool {
        guard let rules = VirtualZones.rules(of: name) else { return false }
        await act("the time zone is \(name)", .device(.zoneChanged(name, rules)))
        return true
    }

    private func owner(of notification: DeliveredRecord) -> VirtualApp? { apps.first { $0.id == notification.id.app } }
}

extension CallbackName {
    /// A local notification has fired in the foreground, or the user opened the app by tapping it.
    public static let didReceiveLocalNotification = CallbackName(NotificationCall.Method.didReceiveLocalNotification)
    /// The app receives the notification types that the user allows.
    public static let didRegisterUserNotificationSettings = CallbackName(
        NotificationCall.Method.didRegisterUserNotificationSettings)
    /// A remote notification has arrived.
    public static let didReceiveRemoteNotification = CallbackName(NotificationCall.Method.didReceiveRemoteNotification)
    /// The app has registered for remote notifications.
    public static let didRegisterForRemoteNotifications = CallbackName(
        NotificationCall.Method.didRegisterForRemoteNotifications)
    /// Registration for remote notifications failed.
    public static let didFailToRegisterForRemoteNotifications = CallbackName(
        NotificationCall.Method.didFailToRegisterForRemoteNotifications)
}
