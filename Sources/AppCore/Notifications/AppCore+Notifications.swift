public import LifeCycleModel

/// Notifications, as the app may read them and asks for them.
extension AppCore {
    /// `UIApplication.scheduledLocalNotifications`.
    public var scheduledNotifications: [LocalNotification] { concerns.notifications.scheduled }

    /// `UIApplication.applicationIconBadgeNumber`.
    public var badge: Int32 { concerns.notifications.badge }

    /// What the user lets the app show, of what it has registered for.
    public var notificationTypes: NotificationTypes { concerns.notifications.types }

    /// The notification the user launched the app by; nil where it was launched otherwise (section 1.4).
    public var launchNotification: LocalNotification? { concerns.notifications.launchedBy }

    /// The payload of the remote notification the app was launched for, or by; nil where it was launched otherwise.
    public var launchPayload: String? { concerns.notifications.launchPayload }

    /// Whether a remote notification that is handed over is also one for the delegate's method without a completion handler: not
    /// what the app was launched for, once, and off the foreground only for apps of Newsstand alone.
    public mutating func isForOlderMethod(_ payload: String, isOfNewsstandAlone: Bool) -> Bool {
        if concerns.notifications.takeLaunchPush(payload) { return false }
        return isOfNewsstandAlone || applicationState.isForeground
    }

    /// The app does something with its local concerns.notifications.
    public mutating func notification(_ act: NotificationAct, into steps: inout [Step]) {
        steps.append(.send(concerns.notifications.does(act)))
    }

    /// Whether the system has said in this launch by which token providers name the app.
    public var isRegisteredForRemoteNotifications: Bool { concerns.notifications.isRegisteredForRemote }

    /// `registerForRemoteNotifications`, which is answered by a delegate call, and its contrary. An app says of its
    /// defaults whether it lifts the throttle of Newsstand.
    public mutating func setRemoteNotifications(
        _ isWanted: Bool, liftsNewsstandThrottle: Bool = false, into steps: inout [Step]
    ) {
        let request = NotificationRequest.setRemoteNotifications(
            isWanted, liftsNewsstandThrottle: liftsNewsstandThrottle)
        concerns.notifications.asked(request, isWanted: isWanted)
        steps.append(.send(.concern(.notification(request))))
    }
}
