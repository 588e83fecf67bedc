public import LifeCycleModel

/// The app's notifications: its requests, and the state that it can read.
extension AppCore {
    /// The value of `UIApplication.scheduledLocalNotifications`.
    public var scheduledNotifications: [LocalNotification] { concerns.notifications.scheduled }

    /// The value of `UIApplication.applicationIconBadgeNumber`.
    public var badge: Int32 { concerns.notifications.badge }

    /// The registered notification types that the user allows.
    public var notificationTypes: NotificationTypes { concerns.notifications.types }

    /// The local notification by which the user launched the app; nil if there is none (section 1.4).
    public var launchNotification: LocalNotification? { concerns.notifications.launchedBy }

    /// The payload of the remote notification that launched the app; nil if there is none.
    public var launchPayload: String? { concerns.notifications.launchPayload }

    /// Whether a remote notification also goes to the delegate's older method, without a completion handler (R-90,
    ///
    ///
    /// False for the push that launched the app, once. In the background true only for Newsstand apps without
    /// `remote-notification`.
    public mutating func isForOlderMethod(_ payload: String, isOfNewsstandAlone: Bool) -> Bool {
        if concerns.notifications.takeLaunchPush(payload) { return false }
        return isOfNewsstandAlone || applicationState.isForeground
    }

    /// Sends an action on the app's local notifications.
    public mutating func notification(_ act: NotificationAct, into steps: inout [Step]) {
        steps.append(.send(concerns.notifications.does(act)))
    }

    /// Whether the app has received its device token in this launch.
    public var isRegisteredForRemoteNotifications: Bool { concerns.notifications.isRegisteredForRemote }

    /// Registers or unregisters for remote notifications; a delegate call answers a registration. The app's
    /// defaults say whether Newsstand's throttle is lifted.
    public mutating func setRemoteNotifications(
        _ isWanted: Bool, liftsNewsstandThrottle: Bool = false, into steps: inout [Step]
    ) {
        let request = NotificationRequest.setRemoteNotifications(
            isWanted, liftsNewsstandThrottle: liftsNewsstandThrottle)
        concerns.notifications.asked(request, isWanted: isWanted)
        steps.append(.send(.concern(.notification(request))))
    }
}
