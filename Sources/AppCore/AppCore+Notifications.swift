public import LifeCycleModel

/// Local notifications, as the app may read them.
extension AppCore {
    /// `UIApplication.scheduledLocalNotifications`.
    public var scheduledNotifications: [LocalNotification] { notifications.scheduled }

    /// `UIApplication.applicationIconBadgeNumber`.
    public var badge: Int32 { notifications.badge }

    /// What the user lets the app show, of what it has registered for.
    public var notificationTypes: NotificationTypes { notifications.types }

    /// The notification the user launched the app by; nil where it was launched otherwise (section 1.4).
    public var launchNotification: LocalNotification? { notifications.launchedBy }

    /// The payload of the remote notification the app was launched for, or by; nil where it was launched otherwise.
    public var launchPayload: String? { notifications.launchPayload }

    /// Whether a remote notification that is handed over is also one for the delegate's method without a completion handler: not
    /// what the app was launched for, once, and off the foreground only for apps of Newsstand alone.
    public mutating func isForOlderMethod(_ payload: String, isOfNewsstandAlone: Bool) -> Bool {
        if notifications.takeLaunchPush(payload) { return false }
        return isOfNewsstandAlone || applicationState.isForeground
    }

    /// The app does something with its local notifications.
    public mutating func notification(_ act: NotificationAct, into steps: inout [Step]) {
        steps.append(.send(notifications.does(act)))
    }

    mutating func begin(_ callback: NotificationCall, into steps: inout [Step]) {
        switch callback {
        case .received(let notification): steps.append(.call(.didReceiveLocalNotification(notification)))
        case .registered(let types):
            notifications.registered(types)
            steps.append(.call(.didRegisterUserNotificationSettings(types)))
        case .receivedRemote, .registeredForRemote: break
        }
    }
}
