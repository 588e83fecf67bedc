public import LifeCycleModel

/// A notification, as `roost notifications` shows it.
public struct NotificationSummary: Hashable, Sendable, Codable {
    /// The number among the app's notifications.
    public var number: Int64
    /// The app that owns the notification.
    public var app: BundleIdentifier
    /// `scheduled`, or the state of a notification that has fired: `delivering`, `sounding` or `shown`.
    public var state: String
    /// The next or past fire date, on the wall clock; nil if unknown.
    public var at: Nanoseconds?
    /// The interval of repetition; nil for none.
    public var repeats: String?
    /// The time zone of the fire date; nil for none.
    public var timeZone: String?
    /// The alert's title; nil for no title.
    public var title: String?
    /// The text.
    public var body: String?
    /// The sound: a file name of the app, or `default`; nil for none. After firing, it is nil if the user does not
    /// allow sounds.
    public var sound: String?
    /// The number for the app's badge, 0 to clear it; nil if it leaves the badge unchanged.
    public var badge: Int32?
    /// The category of actions.
    public var category: String?
    /// The thread that groups notifications, the payload's `thread-id`.
    public var thread: String?
    /// The urgency, the payload's `interruption-level`; nil for `active`.
    public var level: String?
    /// The app's own data for a local notification, a property list in base64.
    public var userInfo: String?
    /// The provider's payload, the text of a JSON object; nil for a local notification.
    public var payload: String?
    /// Whether texts are cut, and `userInfo` and `payload` left out, because the list is too long for one reply.
    public var isCut: Bool?

    /// A notification in this state. The other properties can be set afterwards.
    public init(number: Int64, app: BundleIdentifier, state: String) {
        self.number = number
        self.app = app
        self.state = state
    }

    /// A notification with all its properties.
    ///
    /// - Parameters:
    ///   - types: The types that the user allows; all for a scheduled notification.
    ///   - remote: The provider's notification; nil for a local one.
    public init(
        _ id: NotificationID, of app: BundleIdentifier, _ notification: LocalNotification, state: String,
        types: NotificationTypes = .all, remote: RemoteNotification? = nil
    ) {
        self.init(number: id.number, app: app, state: state)
        repeats = notification.repeats?.rawValue
        timeZone = notification.timeZone
        title = notification.alertTitle
        body = notification.alertBody
        category = notification.category
        userInfo = notification.userInfo
        if types.contains(.sound) {
            switch notification.sound {
            case .none: break
            case .standard: sound = "default"
            case .named(let name): sound = name
            }
        }
        if types.contains(.badge) {
            badge = remote?.presentation?.clearsBadge == true ? 0 : notification.badge == 0 ? nil : notification.badge
        }
        guard let remote else { return }
        payload = remote.payload
        (thread, level) = (remote.presentation?.thread, remote.presentation?.level)
    }

    /// The size of texts and data, in bytes.
    public var weight: Int {
        [timeZone, title, body, sound, category, thread, level, userInfo, payload].reduce(0) {
            $0 + ($1?.utf8.count ?? 0)
        }
    }

    /// Cuts texts after this many characters, and removes the app's data.
    public mutating func cut(after length: Int) {
        title = title.map { String($0.prefix(length)) }
        body = body.map { String($0.prefix(length)) }
        (userInfo, payload) = (nil, nil)
        isCut = true
    }
}
