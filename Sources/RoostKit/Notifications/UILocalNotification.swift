public import Foundation
import LifeCycleModel

/// A notification that an app schedules for itself, to be shown whether or not the app runs then.
///
/// Scheduling copies it: what is changed afterwards changes nothing that was scheduled.
open class UILocalNotification: NSObject, NSCopying {
    /// When it is to be shown; nil for at once. With a `timeZone` it is what the clocks show there then, and is shown when the
    /// clocks show that wherever the device is.
    open var fireDate: Date?
    /// Nil where `fireDate` is an instant, whatever clocks show.
    open var timeZone: TimeZone?
    /// How often it is shown again: empty for never, else one unit of the calendar. A unit below the minute is none;
    /// `weekday`, as in `Calendar.date(byAdding:value:to:)`, is a day.
    open var repeatInterval: NSCalendar.Unit = []
    /// The calendar of `repeatInterval`; the Gregorian one is used, whichever it is.
    open var repeatCalendar: Calendar?

    /// What it says; nil for no alert.
    open var alertBody: String?
    /// Whether there is a button that opens the app.
    open var hasAction = true
    /// What the button says.
    open var alertAction: String?
    /// The picture shown while the app is launched by it.
    open var alertLaunchImage: String?
    /// A few words above the body.
    open var alertTitle: String?

    /// A sound of the app's, or `UILocalNotificationDefaultSoundName`; nil for none.
    open var soundName: String?
    /// What the app's badge shows from then on; zero leaves it as it is.
    open var applicationIconBadgeNumber = 0
    /// What the app is given back with it: what a property list can hold, else a precondition fails.
    open var userInfo: [AnyHashable: Any]? {
        willSet {
            precondition(
                newValue.map { Self.propertyList($0) != nil } ?? true,
                "userInfo of a UILocalNotification has to be a property list of at most 48 KiB")
        }
    }
    /// The identifier of a category of actions.
    open var category: String?

    /// A notification that says nothing.
    public override init() { super.init() }

    /// A notification of the same values.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = UILocalNotification(LocalNotification(self))
        copy.repeatCalendar = repeatCalendar
        return copy
    }

    /// Whether both are shown alike, at the same times.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? UILocalNotification).map { LocalNotification($0) == LocalNotification(self) } ?? false
    }

    /// Equal for those that are.
    open override var hash: Int { LocalNotification(self).hashValue }

    /// In base64; nil where it is none, or too large.
    fileprivate static func propertyList(_ values: [AnyHashable: Any]) -> String? {
        guard values.keys.allSatisfy({ $0.base is String }),
            let data = try? PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0)
        else { return nil }
        let text = data.base64EncodedString()
        return text.utf8.count <= LocalNotification.longestUserInfo ? text : nil
    }
}

/// The system's own sound.
public let UILocalNotificationDefaultSoundName = "UILocalNotificationDefaultSoundName"

extension UILocalNotification {
    /// What the system tells of one.
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
    /// What an app has set. Texts that are longer than anybody reads are cut.
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

    /// To the microsecond, which is what a `Date` of our days holds. One that is too far off is as far as can be told.
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

    /// Nil where there is none of ours among them.
    init?(_ units: NSCalendar.Unit) {
        guard let interval = Self.units.first(where: { units.contains($0.unit) })?.interval else { return nil }
        self = interval
    }

    fileprivate var unit: NSCalendar.Unit { Self.units.first { $0.interval == self }?.unit ?? [] }
}
