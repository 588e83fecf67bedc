public import Foundation
import LifeCycleModel

/// Ways of telling the user something.
public struct UIUserNotificationType: OptionSet, Hashable, Sendable {
    /// Apple's bits.
    public let rawValue: UInt

    /// Wraps the bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// A number on the app's icon.
    public static let badge = UIUserNotificationType(rawValue: 1 << 0)
    /// A sound.
    public static let sound = UIUserNotificationType(rawValue: 1 << 1)
    /// An alert.
    public static let alert = UIUserNotificationType(rawValue: 1 << 2)
}

/// A category of actions a notification may have. The actions themselves are not offered to the user yet.
open class UIUserNotificationCategory: NSObject {
    /// The name notifications have it by.
    open var identifier: String?
}

/// What an app wants to show, or may.
open class UIUserNotificationSettings: NSObject {
    /// Which ways.
    public let types: UIUserNotificationType
    /// The categories of actions.
    public let categories: Set<UIUserNotificationCategory>?

    /// Settings of these.
    public init(types: UIUserNotificationType, categories: Set<UIUserNotificationCategory>?) {
        self.types = types
        self.categories = categories
    }
}

extension NotificationTypes {
    init(_ types: UIUserNotificationType) {
        self = NotificationTypes(rawValue: Int32(truncatingIfNeeded: types.rawValue)).known
    }
}

extension UIUserNotificationType {
    init(_ types: NotificationTypes) { self.init(rawValue: UInt(types.known.rawValue)) }
}
