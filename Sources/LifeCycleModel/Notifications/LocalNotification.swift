/// What an app would have the user told, and when: the values of a `UILocalNotification`.
public struct LocalNotification: Hashable, Sendable, Codable {
    /// When, on the wall clock; nil for at once.
    public var fireDate: Nanoseconds?
    /// Where the fire date is to be read as what the clocks show there, and kept as that wherever the device is; nil for
    /// an instant.
    public var timeZone: String?
    /// How often it repeats itself; nil for once.
    public var repeats: RepeatInterval?
    /// What the alert says; nil for no alert.
    public var alertBody: String?
    /// A few words above it.
    public var alertTitle: String?
    /// What is written on the button that opens the app.
    public var alertAction: String?
    /// Whether there is such a button.
    public var hasAction = true
    /// The picture shown while the app is launched by it.
    public var alertLaunchImage: String?
    /// Which sound is played.
    public var sound = NotificationSound.none
    /// What the app's badge shows from then on; zero leaves it as it is.
    public var badge: Int32 = 0
    /// What the app wants to be given back with it, as a property list in base64; nil for nothing.
    public var userInfo: String?
    /// The category of actions it has.
    public var category: String?

    /// A notification that says nothing.
    public init() {}

    /// The longest that an alert may say, in bytes: what is longer nobody reads to its end.
    public static let longestBody = 4096
    /// The longest of its other texts and names, in bytes.
    public static let longestText = 255
    /// The most it may carry for the app, in bytes of base64.
    public static let longestUserInfo = 64 * 1024

    /// The size of its strings, in bytes.
    public var weight: Int64 {
        let texts = [alertTitle, alertBody, userInfo, category]
        return texts.reduce(0) { $0 + Int64($1?.utf8.count ?? 0) }
    }

    /// What there is to show of it by what the user allows; the rest is left out.
    public func kinds(allowed: NotificationTypes) -> NotificationTypes {
        var kinds: NotificationTypes = []
        if alertBody.map({ !$0.isEmpty }) ?? false { kinds.insert(.alert) }
        if sound != .none { kinds.insert(.sound) }
        if badge != 0 { kinds.insert(.badge) }
        return kinds.intersection(allowed)
    }
}

/// Which sound comes with a notification.
public enum NotificationSound: Hashable, Sendable, Codable {
    /// None.
    case none
    /// The system's own: `UILocalNotificationDefaultSoundName`.
    case standard
    /// A file of the app's, by its name.
    case named(String)
}

/// Ways of telling the user something: the bits of `UIUserNotificationType`.
public struct NotificationTypes: OptionSet, Hashable, Sendable, Codable {
    /// The bits.
    public let rawValue: Int32

    /// Wraps the bits; those that mean nothing are left out by `known`.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// A number on the app's icon.
    public static let badge = NotificationTypes(rawValue: 1)
    /// A sound.
    public static let sound = NotificationTypes(rawValue: 2)
    /// An alert.
    public static let alert = NotificationTypes(rawValue: 4)
    /// All of them.
    public static let all: NotificationTypes = [.badge, .sound, .alert]

    /// Those that mean something.
    public var known: NotificationTypes { intersection(.all) }
}

/// One notification of one app, as the system numbers it: scheduled or delivered.
public struct NotificationID: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    /// Whose it is.
    public let app: AppID
    /// The app's notifications, counted up from 1 and never given twice while the app is installed.
    public let number: Int64

    /// The `number`th notification of `app`.
    public init(app: AppID, number: Int64) {
        self.app = app
        self.number = number
    }

    /// In the order of the numbers.
    public static func < (left: Self, right: Self) -> Bool { (left.app, left.number) < (right.app, right.number) }

    /// `app.number`, for people to read.
    public var description: String { "\(app.rawValue).\(number)" }
}
