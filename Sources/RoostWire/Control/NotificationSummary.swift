public import LifeCycleModel

/// What the user does with a notification that is shown.
public enum NotificationWish: String, Hashable, Sendable, Codable, CaseIterable {
    /// Opens the app by it.
    case tap
    /// Takes it away.
    case dismiss
}

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
    /// What it says, cut where it is long.
    public var body: String?

    /// A notification in this state; the rest is set where it applies.
    public init(number: Int64, app: BundleIdentifier, state: String) {
        self.number = number
        self.app = app
        self.state = state
    }
}
