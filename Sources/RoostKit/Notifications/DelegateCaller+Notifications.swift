import Foundation
import LifeCycleModel

extension DelegateCaller {
    /// Calls the delegate for a notification or a registration result.
    func tell(_ call: NotificationCall, by callback: CallbackID) {
        let delegate = application.delegate
        switch call {
        case .received(let notification):
            delegate?.application(application, didReceive: UILocalNotification(notification))
        case .receivedRemote(let payload):
            let handler = session.handler(of: .remoteNotification, by: callback)
            guard let delegate, let payload = payload.text else { return handler(.noData) }
            application.isPushForOlderMethod = session.isForOlderMethod(
                payload, isOfNewsstandAlone: AppRunner.isOfNewsstandAlone)
            delegate.application(
                application, didReceiveRemoteNotification: UIApplication.userInfo(of: payload),
                fetchCompletionHandler: handler)
            application.isPushForOlderMethod = false
        case .registered(let types):
            delegate?.application(
                application,
                didRegister: UIUserNotificationSettings(types: UIUserNotificationType(types), categories: nil))
        case .registeredForRemote(let token?):
            delegate?.application(application, didRegisterForRemoteNotificationsWithDeviceToken: Data(token.bytes))
        case .registeredForRemote(nil):
            delegate?.application(
                application, didFailToRegisterForRemoteNotificationsWithError: RemoteNotificationError.noToken)
        }
    }
}
