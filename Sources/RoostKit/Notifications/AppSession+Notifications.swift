import AppCore
import LifeCycleModel

/// An app's requests about its notifications, and the values that the app can read.
extension AppSession {
    var scheduledNotifications: [LocalNotification] { reading { $0.scheduledNotifications } }

    var badge: Int32 { reading { $0.badge } }

    var notificationTypes: NotificationTypes { reading { $0.notificationTypes } }

    /// The local notification by which the user launched the app; nil if there is none.
    var launchNotification: LocalNotification? { reading { $0.launchNotification } }

    /// The payload of the remote notification that launched the app; nil if there is none.
    var launchPayload: String? { reading { $0.launchPayload } }

    /// The restore identifiers of the Bluetooth managers for which the app was launched.
    var restoreIdentifiers: [String] { reading { $0.restoreIdentifiers } }

    /// Whether a payload also goes to the delegate's older method, without a completion handler.
    func isForOlderMethod(_ payload: String, isOfNewsstandAlone: Bool) -> Bool {
        var isForIt = false
        _ = transact { core, _, _ in
            isForIt = core.isForOlderMethod(payload, isOfNewsstandAlone: isOfNewsstandAlone)
        }
        return isForIt
    }

    func notification(_ act: NotificationAct) { ask { $0.notification(act, into: &$1) } }

    var isRegisteredForRemoteNotifications: Bool { reading { $0.isRegisteredForRemoteNotifications } }

    func setRemoteNotifications(_ isWanted: Bool) {
        let isLifted = isWanted && Self.liftsNewsstandThrottle
        ask { $0.setRemoteNotifications(isWanted, liftsNewsstandThrottle: isLifted, into: &$1) }
    }
}
