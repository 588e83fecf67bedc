/// A remote notification as its provider sent it. The contents were checked on arrival.
public struct RemoteNotification: Hashable, Sendable, Codable {
    /// The largest payload, in bytes.
    public static let mostBytes = 4096

    /// The payload: the text of a JSON object, as it was sent.
    public let payload: String
    /// Whether the payload has `content-available`: there is new content for the app to fetch.
    public let isContentAvailable: Bool
    /// The visible part; nil for a silent push.
    public let presentation: Presentation?

    /// Whether the push is visible: it has an alert, a badge or a sound.
    public var isVisible: Bool { presentation != nil }

    /// The caller has read both values from the payload; the values are not compared with the payload.
    public init(payload: String, isContentAvailable: Bool, presentation: Presentation? = nil) {
        self.payload = payload
        self.isContentAvailable = isContentAvailable
        self.presentation = presentation
    }

    /// The visible part of a remote notification.
    public struct Presentation: Hashable, Sendable, Codable {
        /// The contents to display, like those of a local notification.
        public let notification: LocalNotification
        /// Whether the notification removes the app's badge: in a remote notification, zero is a badge number like any
        /// other.
        public let clearsBadge: Bool
        /// The thread of the notification, `thread-id`; nil if the payload has none.
        public let thread: String?
        /// The urgency, `interruption-level`; nil if the payload has none.
        public let level: String?

        /// A badge of zero removes the app's badge; nil leaves it unchanged.
        public init(
            _ notification: LocalNotification, badge: Int32? = nil, thread: String? = nil, level: String? = nil
        ) {
            var shown = notification
            shown.badge = badge ?? 0
            self.notification = shown
            clearsBadge = badge == 0
            self.thread = thread
            self.level = level
        }

        /// The kinds to display. A badge of zero also counts as a badge.
        public func kinds(allowed: NotificationTypes) -> NotificationTypes {
            notification.kinds(allowed: allowed).union(clearsBadge ? allowed.intersection(.badge) : [])
        }
    }
}

/// The id of a remote notification that arrived for an app. Decisions, records and the journal refer to the
/// notification by the id. The only copy of the notification is `Device.remoteNotification`.
public struct PushID: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    /// The app that the provider addressed with its device token.
    public let app: AppID
    /// The number, which counts up on the device. After a restart the count resumes at the highest persisted number.
    public let number: Int64

    /// The `number`th remote notification of a device, which is for `app`.
    public init(app: AppID, number: Int64) {
        self.app = app
        self.number = number
    }

    /// By app, then by number.
    public static func < (left: Self, right: Self) -> Bool { (left.app, left.number) < (right.app, right.number) }

    /// `app.number`, for display.
    public var description: String { "\(app.rawValue).\(number)" }
}

/// The payload of a remote notification, in a call or a message to its app.
public enum PushPayload: Hashable, Sendable, Codable {
    /// The payload of the notification with this id. The brain's effects hold only this case.
    case of(PushID)
    /// The text of a JSON object, as it is sent to the app.
    case text(String)

    /// The payload itself; nil for an id.
    public var text: String? { if case .text(let text) = self { text } else { nil } }
}

/// The token by which a provider addresses an app on this device: random bytes, new for each app that registers.
public struct DeviceToken: Hashable, Sendable, Codable {
    /// The number of bytes.
    public static let size = 32

    /// Always `size` bytes. A provider gets them from its app.
    public let bytes: [UInt8]

    /// Nil unless the number of bytes is `size`.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.size else { return nil }
        self.bytes = bytes
    }
}

/// The persisted record of an app that has registered for remote notifications.
public struct PushRecord: Hashable, Sendable, Codable {
    /// The app that has registered.
    public let app: AppID
    /// The device token; nil if the app has unregistered.
    public var token: DeviceToken?
    /// The times of the last wakes by silent pushes, on the wall clock, oldest first: as many as the rate limit counts.
    public var wakes: [Nanoseconds]
    /// The newest silent push that is held back.
    public var held: PushID?

    /// The time of the last wake for a Newsstand download, on the wall clock.
    public var newsstandWake: Nanoseconds?
    /// Whether the app's user defaults lift the limit of one Newsstand wake a day; nil for no.
    public var liftsNewsstandThrottle: Bool?

    /// The defaults are those of an app that no silent push has woken.
    public init(app: AppID, token: DeviceToken?, wakes: [Nanoseconds] = [], held: PushID? = nil) {
        self.app = app
        self.token = token
        self.wakes = wakes
        self.held = held
    }
}
