import Foundation
import LifeCycleModel

/// Remote notifications, as seen by the device.
extension UIApplication {
    /// Registers for remote notifications. Call it at each launch, because the device token may change.
    ///
    /// The answer arrives in `application(_:didRegisterForRemoteNotificationsWithDeviceToken:)`, or in
    /// `application(_:didFailToRegisterForRemoteNotificationsWithError:)`. Providers address the app by the token.
    public func registerForRemoteNotifications() { session.setRemoteNotifications(true) }

    /// Unregisters from remote notifications and drops the notifications that are held back for the app.
    public func unregisterForRemoteNotifications() { session.setRemoteNotifications(false) }

    /// Whether the app has received its device token in this launch.
    public var isRegisteredForRemoteNotifications: Bool { session.isRegisteredForRemoteNotifications }

    /// The dictionary encoded in a payload, which the system has validated.
    nonisolated package static func userInfo(of payload: String) -> [AnyHashable: Any] {
        (try? JSONSerialization.jsonObject(with: Data(payload.utf8))) as? [String: Any] ?? [:]
    }
}

/// The reason why an app cannot get remote notifications.
enum RemoteNotificationError: Error, CustomStringConvertible, LocalizedError {
    /// The system could not create a device token.
    case noToken

    var description: String { "no device token could be created for the app" }
    var errorDescription: String? { description }
}
