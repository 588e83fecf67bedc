import Foundation
import LifeCycleModel

/// Remote notifications, the device's side.
extension UIApplication {
    /// Asks for remote notifications: the answer is `application(_:didRegisterForRemoteNotificationsWithDeviceToken:)`, with
    /// what providers name the app by, or `application(_:didFailToRegisterForRemoteNotificationsWithError:)`. To be called
    /// at each launch, as the token may be another.
    public func registerForRemoteNotifications() { session.setRemoteNotifications(true) }

    /// Asks for no more remote notifications; what is held back for the app is dropped.
    public func unregisterForRemoteNotifications() { session.setRemoteNotifications(false) }

    /// Whether the app has had its token in this launch.
    public var isRegisteredForRemoteNotifications: Bool { session.isRegisteredForRemoteNotifications }

    /// The dictionary of a payload, which the system has checked.
    nonisolated static func userInfo(of payload: String) -> [AnyHashable: Any] {
        (try? JSONSerialization.jsonObject(with: Data(payload.utf8))) as? [String: Any] ?? [:]
    }
}

/// Why an app gets no remote notifications.
enum RemoteNotificationError: Error, CustomStringConvertible, LocalizedError {
    /// No device token could be made.
    case noToken

    var description: String { "no device token could be made for the app" }
    var errorDescription: String? { description }
}
