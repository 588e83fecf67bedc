/// An app's request about its local notifications.
public enum NotificationAct: Hashable, Sendable, Codable {
    /// `scheduleLocalNotification`.
    indirect case schedule(LocalNotification)
    /// `presentLocalNotificationNow`.
    indirect case present(LocalNotification)
    /// `cancelLocalNotification`: cancels all notifications that equal this one.
    indirect case cancel(LocalNotification)
    /// `cancelAllLocalNotifications`.
    case cancelAll
    /// `applicationIconBadgeNumber`; zero also removes the delivered notifications.
    case setBadge(Int32)
    /// `registerUserNotificationSettings`.
    case register(NotificationTypes)
}

/// A request with its number, which counts up from 1 in each launch. A repeated request counts once.
public struct NumberedNotificationAct: Hashable, Sendable, Codable {
    /// The request's number.
    public let number: Int64
    /// The request.
    public let act: NotificationAct

    /// The `number`th request of a launch.
    public init(number: Int64, act: NotificationAct) {
        self.number = number
        self.act = act
    }
}

/// A request of an app that concerns its notifications.
public enum NotificationRequest: Hashable, Sendable, Codable {
    /// The app schedules, presents, cancels or registers for local notifications, or sets its badge.
    case act(NumberedNotificationAct)
    /// `registerForRemoteNotifications`, which a callback answers, or `unregisterForRemoteNotifications`. The
    /// flag says whether the app's user defaults have `NKDontThrottleNewsstandContentNotifications`.
    case setRemoteNotifications(Bool, liftsNewsstandThrottle: Bool = false)
}

/// News of an app's local notifications. From the news, the app knows which notifications are scheduled.
public enum NotificationNews: Hashable, Sendable, Codable {
    /// The whole state, sent when the app connects, or when it resumes with an outdated state. A `scheduled` follows
    /// for each scheduled notification.
    case begins(NotificationStatus)
    /// A request has scheduled this notification, or it was scheduled before the app connected.
    indirect case scheduled(LocalNotification)
    /// A notification is no longer scheduled: it fired for the last time or was discarded.
    indirect case unscheduled(LocalNotification)
    /// All requests up to this number were received.
    case received(Int64)
    /// The number on the app's badge.
    case badge(Int32)
    /// The app is launched because the user tapped this notification. The launch callback follows (section 1.4).
    indirect case launchedBy(LocalNotification)
    /// The app is launched for a remote notification with this payload, or because the user tapped it. The launch
    /// callback follows (R-90, section 1.4).
    case launchedByRemote(PushPayload)

    private enum CodingKeys: String, CodingKey {
        case begins, scheduled, unscheduled
        /// The key in the journal.
        case received = "heard"
        case badge, launchedBy, launchedByRemote
    }
}

/// The state of an app's notifications.
public struct NotificationStatus: Hashable, Sendable, Codable {
    /// The number of the last received request of this launch; 0 for none.
    public var received: Int64
    /// The number on the app's badge.
    public var badge: Int32
    /// The kinds that the app has registered for and that the user allows.
    public var types: NotificationTypes

    private enum CodingKeys: String, CodingKey {
        /// The key in the journal.
        case received = "heard"
        case badge, types
    }

    /// The defaults are those of an app that has made no request.
    public init(received: Int64 = 0, badge: Int32 = 0, types: NotificationTypes = []) {
        self.received = received
        self.badge = badge
        self.types = types
    }
}

/// A call of an app's code that concerns its notifications.
public enum NotificationCall: Hashable, Sendable, Codable, DeliveredCall {
    /// A local notification fired while the app is in the foreground, or the user opened the app with it:
    /// `application(_:didReceive:)`.
    indirect case received(LocalNotification)
    /// A remote notification: `application(_:didReceiveRemoteNotification:fetchCompletionHandler:)`.
    case receivedRemote(PushPayload)
    /// The user's answer to `registerUserNotificationSettings`.
    case registered(NotificationTypes)
    /// The app is registered for remote notifications, with its device token; nil if no token could be made.
    case registeredForRemote(DeviceToken?)

    /// The delegate methods, as Apple writes them.
    public enum Method: String, CaseIterable {
        case didReceiveLocalNotification = "application(_:didReceive:)"
        case didRegisterUserNotificationSettings = "application(_:didRegister:)"
        case didReceiveRemoteNotification = "application(_:didReceiveRemoteNotification:fetchCompletionHandler:)"
        case didRegisterForRemoteNotifications = "application(_:didRegisterForRemoteNotificationsWithDeviceToken:)"
        case didFailToRegisterForRemoteNotifications =
            "application(_:didFailToRegisterForRemoteNotificationsWithError:)"
    }

    var method: Method {
        switch self {
        case .received: .didReceiveLocalNotification
        case .receivedRemote: .didReceiveRemoteNotification
        case .registered: .didRegisterUserNotificationSettings
        case .registeredForRemote(.some): .didRegisterForRemoteNotifications
        case .registeredForRemote(nil): .didFailToRegisterForRemoteNotifications
        }
    }

    func handler(of callback: CallbackID) -> CompletionHandler? {
        switch self {
        case .receivedRemote: .event(OpenEvent(callback: callback, kind: .remoteNotification))
        case .received, .registered, .registeredForRemote: nil
        }
    }

    func replaces(_ older: ConcernCall) -> Bool {
        switch (self, older) {
        case (.registeredForRemote, .notification(.registeredForRemote)): true
        case (.received, _), (.receivedRemote, _), (.registered, _), (.registeredForRemote, _): false
        }
    }
    func withdraws(_ older: ConcernCall) -> Bool { false }
}

/// A report of the notification adapters, or a user action on a notification.
public enum NotificationInput: Hashable, Sendable, Codable {
    /// A provider sent the app a remote notification with a valid payload.
    indirect case pushArrived(AppID, RemoteNotification)
    /// A device token was made for the app; nil if no token could be made.
    case tokenMade(AppID, DeviceToken?)
    /// The app's registration, with its token, is persisted.
    case tokenPersisted(AppID)
    /// The rules of the zone with this name were read; nil if no zone has this name.
    indirect case zoneRead(String, ZoneRules?)
    /// The sound file of a notification was examined.
    case soundExamined(NotificationID, SoundFile)
    /// The user tapped a delivered notification.
    case tapped(NotificationID)
    /// The user dismissed a delivered notification.
    case dismissed(NotificationID)
    /// The user allowed an app to display notifications, or disallowed it.
    case allowed(AppID, Bool)

    var appAskedFor: AppID? {
        switch self {
        case .pushArrived(let app, _): app
        case .tapped(let id): id.app
        case .tokenMade, .tokenPersisted, .zoneRead, .soundExamined, .dismissed, .allowed: nil
        }
    }
}

/// Work for the notification adapters.
public enum NotificationOutput: Hashable, Sendable, Codable {
    /// Make an app's device token from random bytes; answered by `tokenMade`.
    case makeDeviceToken(AppID)
    /// Report `tokenPersisted` once the app's registration is persisted.
    case confirmToken(AppID)
    /// Read the rules of a zone; answered by `zoneRead`.
    case readZone(String)
    /// Examine a sound file of the app; answered by `soundExamined`.
    case examineSound(NotificationID, name: String)
    /// Display a notification to the user.
    indirect case show(ShownNotification)
    /// Withdraw these notifications from the display.
    case withdraw(AppID, [NotificationID])
    /// Show a number on the app's icon; zero removes it.
    case setBadge(AppID, Int32)
}

/// A notification to display.
public struct ShownNotification: Hashable, Sendable, Codable {
    /// The id by which the notification is withdrawn later.
    public let id: NotificationID
    /// The contents; the alert is displayed only if `types` has it.
    public let notification: LocalNotification
    /// The kinds to display.
    public let types: NotificationTypes
    /// The sound to play; the device vibrates with it.
    public let sound: NotificationSound

    /// Created by the brain when a notification fires, for the adapter that displays it.
    public init(id: NotificationID, notification: LocalNotification, types: NotificationTypes, sound: NotificationSound)
    {
        self.id = id
        self.notification = notification
        self.types = types
        self.sound = sound
    }
}

/// The result of examining a notification's sound file.
public enum SoundFile: Hashable, Sendable, Codable {
    /// A sound with this format and length.
    case sound(Format, length: Nanoseconds)
    /// The file does not exist.
    case missing
    /// The file could not be read, or is not a sound.
    case unreadable

    /// The sample format.
    public enum Format: String, Hashable, Sendable, Codable, CaseIterable {
        case linearPCM, ima4, uLaw, aLaw
        /// Any other format, which is not played.
        case other
    }

    /// Why the sound is not played; nil if the sound is played. The sound must be shorter than `limit`.
    public func fault(limit: Nanoseconds) -> SoundFault? {
        switch self {
        case .missing: .missing
        case .unreadable: .unreadable
        case .sound(.other, _): .format
        case .sound(_, let length): length < limit ? nil : .length
        }
    }
}

/// Why the default sound replaces an app's own.
public enum SoundFault: String, Hashable, Sendable, Codable, CaseIterable {
    /// The file is not in the app's bundle.
    case missing
    /// The file cannot be read, or is not an aiff, wav or caf file.
    case unreadable
    /// The format is not Linear PCM, MA4, µ-Law or a-Law.
    case format
    /// The sound is as long as `Policy.notificationSound`, or longer.
    case length
}

extension NotificationNews: AppMessage {
    package func subjectBuiltUpon(for app: AppID) -> RecordSubject? { .notifications(of: app) }
    package var isProgress: Bool { false }
}

extension NotificationOutput: AdapterWork {
    package var subjectBuiltUpon: RecordSubject? {
        switch self {
        case .show(let shown): .notifications(of: shown.id.app)
        case .confirmToken(let app): .registration(of: app)
        case .makeDeviceToken, .readZone, .examineSound, .withdraw, .setBadge: nil
        }
    }
    package var subjectInOrder: RecordSubject? { nil }
}
