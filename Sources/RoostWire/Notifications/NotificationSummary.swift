public import LifeCycleModel

/// What `roost notifications` shows of a notification.
public struct NotificationSummary: Hashable, Sendable, Codable {
    /// Its number, among its app's.
    public var number: Int64
    /// Whose it is.
    public var app: BundleIdentifier
    /// `scheduled`, or how far one has come that has fired: `handed`, `sounding` or `shown`.
    public var state: String
    /// When it fires next, or has fired, on the wall clock; nil where that is not known.
    public var at: Nanoseconds?
    /// How often it repeats itself; nil for once.
    public var repeats: String?
    /// The zone whose clocks it goes by; nil for none.
    public var timeZone: String?
    /// A few words above what it says.
    public var title: String?
    /// What it says.
    public var body: String?
    /// The sound to be played: a file of the app's by its name, or `default`; nil for none. Of one that has fired, what the
    /// user does not allow is nil.
    public var sound: String?
    /// The number that the app's badge shows by it, 0 for none; nil if it leaves the badge as it is.
    public var badge: Int32?
    /// The category of actions it has.
    public var category: String?
    /// The thread it is grouped with: a payload's `thread-id`.
    public var thread: String?
    /// How urgent it is: a payload's `interruption-level`; nil for `active`.
    public var level: String?
    /// What the app gets back with one of its own, as a property list in base64.
    public var userInfo: String?
    /// What a provider has sent, the text of a JSON object, which the app gets; nil for one of the app's own.
    public var payload: String?
    /// Whether its text was cut, and `userInfo` and `payload` left out, since the list is too long for one reply.
    public var isCut: Bool?

    /// A notification in this state; the rest is set where it applies.
    public init(number: Int64, app: BundleIdentifier, state: String) {
        self.number = number
        self.app = app
        self.state = state
    }

    /// A notification with all that is shown of it and handed to its app.
    ///
    /// - Parameters:
    ///   - types: What the user lets the app show; all of one that is only scheduled.
    ///   - remote: What a provider has sent, if it came from a provider.
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

    /// The bytes of its texts and data.
    public var weight: Int {
        [timeZone, title, body, sound, category, thread, level, userInfo, payload].reduce(0) {
            $0 + ($1?.utf8.count ?? 0)
        }
    }

    /// Cuts its texts after so many characters, and leaves what is for the app out.
    public mutating func cut(after length: Int) {
        title = title.map { String($0.prefix(length)) }
        body = body.map { String($0.prefix(length)) }
        (userInfo, payload) = (nil, nil)
        isCut = true
    }
}
