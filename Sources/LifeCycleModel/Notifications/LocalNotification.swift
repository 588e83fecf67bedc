/// The values of a `UILocalNotification`: its contents and its fire date.
public struct LocalNotification: Hashable, Sendable, Codable {
    /// The fire date, on the wall clock; nil for at once.
    public var fireDate: Nanoseconds?
    /// The time zone in which the fire date is read as a civil time. The notification then fires at that civil time in
    /// the device's own zone. Nil if the fire date is an instant.
    public var timeZone: String?
    /// The repeat interval; nil to fire once.
    public var repeats: RepeatInterval?
    /// The text of the alert; nil for no alert.
    public var alertBody: String?
    /// The line above `alertBody`; nil for no title.
    public var alertTitle: String?
    /// The label of the button that opens the app.
    public var alertAction: String?
    /// Whether there is a button that opens the app.
    public var hasAction = true
    /// The image that is displayed while a tap on the alert launches the app.
    public var alertLaunchImage: String?
    /// `soundName`; silent by default.
    public var sound = NotificationSound.none
    /// The number for the app's badge; zero leaves the badge unchanged.
    public var badge: Int32 = 0
    /// The app's own data, as a property list in base64; nil if there is none.
    public var userInfo: String?
    /// The category of the notification's actions.
    public var category: String?

    /// A notification without contents.
    public init() {}

    /// The longest text of an alert, in bytes.
    public static let longestBody = 4096
    /// The longest of the other texts and names, in bytes.
    public static let longestText = 255
    /// The longest `userInfo`, in bytes of base64.
    public static let longestUserInfo = 64 * 1024

    /// The size of the title, body, user info and category, in bytes.
    public var weight: Int64 {
        let texts = [alertTitle, alertBody, userInfo, category]
        return texts.reduce(0) { $0 + Int64($1?.utf8.count ?? 0) }
    }

    /// The kinds to display. An alert needs a non-empty body; a badge needs a number other than zero.
    public func kinds(allowed: NotificationTypes) -> NotificationTypes {
        var kinds: NotificationTypes = []
        if alertBody.map({ !$0.isEmpty }) ?? false { kinds.insert(.alert) }
        if sound != .none { kinds.insert(.sound) }
        if badge != 0 { kinds.insert(.badge) }
        return kinds.intersection(allowed)
    }
}

/// The sound of a notification.
public enum NotificationSound: Hashable, Sendable, Codable {
    /// No sound.
    case none
    /// The system's default sound: `UILocalNotificationDefaultSoundName`.
    case standard
    /// A sound file of the app, by its name.
    case named(String)
}

/// Kinds of notification: the bits of `UIUserNotificationType`.
public struct NotificationTypes: OptionSet, Hashable, Sendable, Codable {
    /// The bits.
    public let rawValue: Int32

    /// Wraps the bits. `known` removes unknown bits.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// A number on the app's icon.
    public static let badge = NotificationTypes(rawValue: 1)
    /// A sound with the device's vibration.
    public static let sound = NotificationTypes(rawValue: 2)
    /// A text on the screen.
    public static let alert = NotificationTypes(rawValue: 4)
    /// All kinds.
    public static let all: NotificationTypes = [.badge, .sound, .alert]

    /// The known kinds among the bits.
    public var known: NotificationTypes { intersection(.all) }
}

/// A scheduled or delivered notification of an app, as the system numbers it.
public struct NotificationID: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    /// The app that owns the notification.
    public let app: AppID
    /// The number among the app's notifications. It counts up from 1 and is never given twice while the app is
    /// installed.
    public let number: Int64

    /// The `number`th notification of `app`.
    public init(app: AppID, number: Int64) {
        self.app = app
        self.number = number
    }

    /// In the order of the numbers.
    public static func < (left: Self, right: Self) -> Bool { (left.app, left.number) < (right.app, right.number) }

    /// `app.number`, for display.
    public var description: String { "\(app.rawValue).\(number)" }
}
