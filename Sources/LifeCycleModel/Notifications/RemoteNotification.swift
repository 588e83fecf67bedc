/// A remote notification, as its provider sent it. What is in it was checked where it came in.
public struct RemoteNotification: Hashable, Sendable, Codable {
    /// How many bytes of payload it may have.
    public static let mostBytes = 4096

    /// The payload: the text of a JSON object, as it was sent.
    public let payload: String
    /// Whether it says that there is something new for the app to get: `content-available`.
    public let isContentAvailable: Bool
    /// What it has for a person; nil for a silent one.
    public let presentation: Presentation?

    /// Whether it has something for a person: an alert, a badge or a sound.
    public var isForPeople: Bool { presentation != nil }

    /// A notification with this payload, which says so of itself.
    public init(payload: String, isContentAvailable: Bool, presentation: Presentation? = nil) {
        self.payload = payload
        self.isContentAvailable = isContentAvailable
        self.presentation = presentation
    }

    /// What a remote notification has for a person.
    public struct Presentation: Hashable, Sendable, Codable {
        /// What is shown, as of a notification of the app's own.
        public let notification: LocalNotification
        /// Whether the app's badge is to show nothing any more: for remote notifications zero is a number like any other.
        public let clearsBadge: Bool
        /// The thread that it is grouped with, `thread-id`; nil if the payload names none.
        public let thread: String?
        /// How urgent it is, `interruption-level`; nil if the payload does not say.
        public let level: String?

        /// Something to be shown; a badge of zero clears the app's, nil leaves it as it is.
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

        /// What there is to show of it by what the user allows.
        public func kinds(allowed: NotificationTypes) -> NotificationTypes {
            notification.kinds(allowed: allowed).union(clearsBadge ? allowed.intersection(.badge) : [])
        }
    }
}

/// The id of a remote notification that came for an app. Decisions, records and the journal refer to the notification by
/// it; the one copy of the notification is `Device.remoteNotification`.
public struct PushID: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    /// The app that it is for.
    public let app: AppID
    /// Counts up on the device. After a restart the count resumes at the highest number that is persisted.
    public let number: Int64

    /// The `number`th remote notification of a device, which is for `app`.
    public init(app: AppID, number: Int64) {
        self.app = app
        self.number = number
    }

    /// By app, then by number.
    public static func < (left: Self, right: Self) -> Bool { (left.app, left.number) < (right.app, right.number) }

    /// `app.number`, for people to read.
    public var description: String { "\(app.rawValue).\(number)" }
}

/// The payload of a remote notification, in a call or a message to its app.
public enum PushPayload: Hashable, Sendable, Codable {
    /// The payload of the notification with this id. The brain's effects hold only this case.
    case of(PushID)
    /// The text of a JSON object, as it goes to the app.
    case text(String)

    /// The payload itself; nil for an id.
    public var text: String? { if case .text(let text) = self { text } else { nil } }
}

/// What a provider names an app on this device by: bytes that mean nothing, new for each app that registers.
public struct DeviceToken: Hashable, Sendable, Codable {
    /// How many bytes there are.
    public static let size = 32

    /// The bytes.
    public let bytes: [UInt8]

    /// Nil unless there are as many bytes as there have to be.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.size else { return nil }
        self.bytes = bytes
    }
}

/// What is kept of an app that has registered for remote notifications.
public struct PushRecord: Hashable, Sendable, Codable {
    /// The app's number.
    public let app: AppID
    /// What providers name it by; nil where it does not want to be named any more.
    public var token: DeviceToken?
    /// When it was last woken by silent ones, on the wall clock, oldest first; as many as count.
    public var wakes: [Nanoseconds]
    /// The newest silent one that could not be handed over yet.
    public var held: PushID?

    /// When one last woke it for a Newsstand download, on the wall clock.
    public var newsstandWake: Nanoseconds?
    /// Whether its defaults say that it is not to be kept from them for a day; nil for no.
    public var liftsNewsstandThrottle: Bool?

    /// What is kept of an app that has this token.
    public init(app: AppID, token: DeviceToken?, wakes: [Nanoseconds] = [], held: PushID? = nil) {
        self.app = app
        self.token = token
        self.wakes = wakes
        self.held = held
    }
}
