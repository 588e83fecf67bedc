import LifeCycleModel

/// Local notifications.
extension UIApplication {
    /// Displays a notification now and ignores its fire date. A foreground app receives it instead.
    public func presentLocalNotificationNow(_ notification: UILocalNotification) {
        session.notification(.present(LocalNotification(notification)))
    }

    /// Schedules a notification for its fire date. The system keeps the 64 of an app's notifications that fire soonest.
    public func scheduleLocalNotification(_ notification: UILocalNotification) {
        session.notification(.schedule(LocalNotification(notification)))
    }

    /// Cancels every scheduled notification that equals this one.
    public func cancelLocalNotification(_ notification: UILocalNotification) {
        session.notification(.cancel(LocalNotification(notification)))
    }

    /// Cancels all of the app's scheduled notifications.
    public func cancelAllLocalNotifications() { session.notification(.cancelAll) }

    /// The notifications that have not fired yet. Setting this replaces all of them.
    public var scheduledLocalNotifications: [UILocalNotification]? {
        get { session.scheduledNotifications.map { UILocalNotification($0) } }
        set {
            cancelAllLocalNotifications()
            for notification in newValue ?? [] { scheduleLocalNotification(notification) }
        }
    }

    /// The number on the app's icon. Zero removes the number and the app's displayed notifications.
    public var applicationIconBadgeNumber: Int {
        get { Int(session.badge) }
        set { session.notification(.setBadge(Int32(clamping: newValue))) }
    }

    /// Asks the user for permission to notify. The answer arrives in `application(_:didRegister:)`.
    public func registerUserNotificationSettings(_ notificationSettings: UIUserNotificationSettings) {
        session.notification(.register(NotificationTypes(notificationSettings.types)))
    }

    /// The notification types that the user allows; never nil here.
    public var currentUserNotificationSettings: UIUserNotificationSettings? {
        UIUserNotificationSettings(types: UIUserNotificationType(session.notificationTypes), categories: nil)
    }
}
