import LifeCycleModel

/// Local notifications.
extension UIApplication {
    /// Shows it now, whatever its fire date; an app in front is handed it instead.
    public func presentLocalNotificationNow(_ notification: UILocalNotification) {
        session.notification(.present(LocalNotification(notification)))
    }

    /// Has it shown at its fire date. Of an app's 64 are kept, those that are shown soonest.
    public func scheduleLocalNotification(_ notification: UILocalNotification) {
        session.notification(.schedule(LocalNotification(notification)))
    }

    /// Takes back what is equal to it: it is not shown any more.
    public func cancelLocalNotification(_ notification: UILocalNotification) {
        session.notification(.cancel(LocalNotification(notification)))
    }

    /// Takes back all of them.
    public func cancelAllLocalNotifications() { session.notification(.cancelAll) }

    /// Those that are still to be shown; setting it takes back all others.
    public var scheduledLocalNotifications: [UILocalNotification]? {
        get { session.scheduledNotifications.map { UILocalNotification($0) } }
        set {
            cancelAllLocalNotifications()
            for notification in newValue ?? [] { scheduleLocalNotification(notification) }
        }
    }

    /// The number on the app's icon; zero takes it away, and with it what the app has shown.
    public var applicationIconBadgeNumber: Int {
        get { Int(session.badge) }
        set { session.notification(.setBadge(Int32(clamping: newValue))) }
    }

    /// Asks the user what the app may show; the answer comes to `application(_:didRegister:)`.
    public func registerUserNotificationSettings(_ notificationSettings: UIUserNotificationSettings) {
        session.notification(.register(NotificationTypes(notificationSettings.types)))
    }

    /// What the user lets the app show.
    public var currentUserNotificationSettings: UIUserNotificationSettings? {
        UIUserNotificationSettings(types: UIUserNotificationType(session.notificationTypes), categories: nil)
    }
}
