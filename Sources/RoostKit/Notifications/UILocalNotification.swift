public import Foundation
import LifeCycleModel

/// A notification that an app schedules for itself; it fires whether or not the app is running then.
///
/// Scheduling copies the notification: later changes do not affect the scheduled copy.
open class UILocalNotification: NSObject, NSCopying {
    /// The time to fire; nil for at once. With a `timeZone`, it is a wall-clock time: the date's clock reading in that
    /// zone. The notification fires when the device's own clock shows that reading, in any zone.
    open var fireDate: Date?
    /// The time zone that makes `fireDate` a wall-clock time; nil if `fireDate` is an absolute instant.
    open var timeZone: TimeZone?
    /// The calendar unit after which the notification repeats; empty for no repetition. Units shorter than a minute are
    /// ignored; `weekday` means a day, as in `Calendar.date(byAdding:value:to:)`.
    open var repeatInterval: NSCalendar.Unit = []
    /// The calendar of `repeatInterval`; ignored, because the Gregorian calendar always applies.
    open var repeatCalendar: Calendar?

    /// The text of the alert; nil for no alert.
    open var alertBody: String?
    /// Whether the alert has a button that opens the app.
    open var hasAction = true
    /// The title of the button.
    open var alertAction: String?
    /// The image displayed while this notification launches the app.
    open var alertLaunchImage: String?
    /// A short title above the body.
    open var alertTitle: String?

    /// The name of one of the app's sounds, or `UILocalNotificationDefaultSoundName`; nil for no sound.
    open var soundName: String?
    /// The number for the app's icon when the notification fires; zero leaves the badge unchanged.
    open var applicationIconBadgeNumber = 0
    /// Data for the app, returned with the notification. A precondition fails unless it is a property list of at most
    /// 48 KiB.
    open var userInfo: [AnyHashable: Any]? {
        willSet {
            precondition(
                newValue.map { Self.propertyList($0) != nil } ?? true,
                "userInfo of a UILocalNotification must be a property list of at most 48 KiB")
        }
    }
    /// The identifier of a category of actions; nil for none.
    open var category: String?

    /// Creates an empty notification.
    public override init() { super.init() }

    /// A copy with the same values.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = UILocalNotification(LocalNotification(self))
        copy.repeatCalendar = repeatCalendar
        return copy
    }

    /// Whether both notifications have the same contents and fire at the same times.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? UILocalNotification).map { LocalNotification($0) == LocalNotification(self) } ?? false
    }

    /// A hash of the contents; equal notifications have equal hashes.
    open override var hash: Int { LocalNotification(self).hashValue }

    /// The values as a binary property list in base64; nil if they are not a property list, or too large.
    fileprivate static func propertyList(_ values: [AnyHashable: Any]) -> String? {
        guard values.keys.allSatisfy({ $0.base is String }),
            let data = try? PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0)
        else { return nil }
        let text = data.base64EncodedString()
        return text.utf8.count <= LocalNotification.longestUserInfo ? text : nil
    }
}

/// The name of the system's own sound.
public let UILocalNotificationDefaultSoundName = "UILocalNotificationDefaultSoundName"

extension UILocalNotification {
    /// Creates a notification from the system's record of it.
    convenience init(_ notification: LocalNotification) {
        self.init()
        fireDate = notification.fireDate.map { Date(timeIntervalSince1970: Double($0.rawValue) / 1_000_000_000) }
        timeZone = notification.timeZone.flatMap { TimeZone(identifier: $0) }
        repeatInterval = notification.repeats?.unit ?? []
        alertBody = notification.alertBody
        hasAction = notification.hasAction
        alertAction = notification.alertAction
        alertLaunchImage = notification.alertLaunchImage
        alertTitle = notification.alertTitle
        switch notification.sound {
        case .none: soundName = nil
        case .standard: soundName = UILocalNotificationDefaultSoundName
        case .named(let name): soundName = name
        }
        applicationIconBadgeNumber = Int(notification.badge)
        category = notification.category
        if let data = notification.userInfo.flatMap({ Data(base64Encoded: $0) }) {
            userInfo = (try? PropertyListSerialization.propertyList(from: data, format: nil)) as? [AnyHashable: Any]
        }
    }
}

extension LocalNotification {
    /// Creates the system's record of an app's notification. Texts beyond the limits are cut.
    init(_ notification: UILocalNotification) {
        self.init()
        fireDate = notification.fireDate.map { Self.time($0) }
        timeZone = notification.timeZone?.identifier.prefix(bytes: Self.longestText)
        repeats = RepeatInterval(notification.repeatInterval)
        alertBody = notification.alertBody?.prefix(bytes: Self.longestBody)
        alertTitle = notification.alertTitle?.prefix(bytes: Self.longestText)
        alertAction = notification.alertAction?.prefix(bytes: Self.longestText)
        hasAction = notification.hasAction
        alertLaunchImage = notification.alertLaunchImage?.prefix(bytes: Self.longestText)
        switch notification.soundName {
        case nil: sound = .none
        case UILocalNotificationDefaultSoundName?: sound = .standard
        case let name?: sound = .named(name.prefix(bytes: Self.longestText))
        }
        badge = Int32(clamping: notification.applicationIconBadgeNumber)
        category = notification.category?.prefix(bytes: Self.longestText)
        userInfo = notification.userInfo.flatMap { UILocalNotification.propertyList($0) }
    }

    /// A time rounded to the microsecond, the precision of a present-day `Date`. Times out of range are clamped.
    private static func time(_ date: Date) -> Nanoseconds {
        let microseconds = (date.timeIntervalSince1970 * 1_000_000).rounded()
        guard let count = Int64(exactly: microseconds) else {
            return microseconds < 0 ? Nanoseconds(.min) : .distantFuture
        }
        let (nanoseconds, isTooMuch) = count.multipliedReportingOverflow(by: 1000)
        return isTooMuch ? (count < 0 ? Nanoseconds(.min) : .distantFuture) : Nanoseconds(nanoseconds)
    }
}

extension RepeatInterval {
    private static let units: [(unit: NSCalendar.Unit, interval: RepeatInterval)] = [
        (.year, .year), (.quarter, .quarter), (.month, .month), (.weekOfYear, .week), (.weekOfMonth, .week),
        (.day, .day), (.weekday, .day), (.hour, .hour), (.minute, .minute),
    ]

    /// The interval of the first supported unit; nil if no unit is supported.
    init?(_ units: NSCalendar.Unit) {
        guard let interval = Self.units.first(where: { units.contains($0.unit) })?.interval else { return nil }
        self = interval
    }

    fileprivate var unit: NSCalendar.Unit { Self.units.first { $0.interval == self }?.unit ?? [] }
}
