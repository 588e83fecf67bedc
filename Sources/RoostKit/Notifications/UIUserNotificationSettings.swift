public import Foundation
import LifeCycleModel

/// The ways to notify the user.
public struct UIUserNotificationType: OptionSet, Hashable, Sendable {
    /// The bits, as on Apple's platforms.
    public let rawValue: UInt

    /// Accepts Apple's raw values.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// A number on the app's icon.
    public static let badge = UIUserNotificationType(rawValue: 1 << 0)
    /// A sound, with which the device vibrates.
    public static let sound = UIUserNotificationType(rawValue: 1 << 1)
    /// A text on the screen.
    public static let alert = UIUserNotificationType(rawValue: 1 << 2)
}

/// A category of actions for notifications. Roost does not offer the actions to the user yet.
open class UIUserNotificationCategory: NSObject {
    /// The name by which notifications refer to the category.
    open var identifier: String?
}

/// The notification types that an app asks for, or that the user allows.
open class UIUserNotificationSettings: NSObject {
    /// The ways to notify the user.
    public let types: UIUserNotificationType
    /// The categories of actions; nil for none.
    public let categories: Set<UIUserNotificationCategory>?

    /// Creates settings with types and categories.
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
