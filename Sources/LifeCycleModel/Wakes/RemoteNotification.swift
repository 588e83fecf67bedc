/// A remote notification, as its provider sent it. What is in it was checked where it came in.
public struct RemoteNotification: Hashable, Sendable, Codable {
    /// How many bytes of payload it may have.
    public static let mostBytes = 4096

    /// The payload: the text of a JSON object, as it was sent.
    public let payload: String
    /// Whether it says that there is something new for the app to get: `content-available`.
    public let isContentAvailable: Bool
    /// Whether it has something for a person: an alert, a badge or a sound.
    public let isForPeople: Bool

    /// A notification with this payload, which says so of itself.
    public init(payload: String, isContentAvailable: Bool, isForPeople: Bool) {
        self.payload = payload
        self.isContentAvailable = isContentAvailable
        self.isForPeople = isForPeople
    }
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
    public var held: RemoteNotification?

    /// What is kept of an app that has this token.
    public init(app: AppID, token: DeviceToken?, wakes: [Nanoseconds] = [], held: RemoteNotification? = nil) {
        self.app = app
        self.token = token
        self.wakes = wakes
        self.held = held
    }
}
