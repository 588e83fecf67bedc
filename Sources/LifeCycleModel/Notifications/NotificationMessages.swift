/// What an app does with its local notifications.
public enum NotificationAct: Hashable, Sendable, Codable {
    /// `scheduleLocalNotification`.
    indirect case schedule(LocalNotification)
    /// `presentLocalNotificationNow`.
    indirect case present(LocalNotification)
    /// `cancelLocalNotification`: those that are equal to it.
    indirect case cancel(LocalNotification)
    /// `cancelAllLocalNotifications`.
    case cancelAll
    /// `applicationIconBadgeNumber`; zero takes away what was delivered.
    case setBadge(Int32)
    /// `registerUserNotificationSettings`.
    case register(NotificationTypes)
}

/// An act of an app's with its number: counted up from 1 in each launch, so that what was said twice counts once.
public struct NumberedNotificationAct: Hashable, Sendable, Codable {
    /// Its number.
    public let number: Int64
    /// The act.
    public let act: NotificationAct

    /// The `number`th act of a launch.
    public init(number: Int64, act: NotificationAct) {
        self.number = number
        self.act = act
    }
}

/// A request of an app that concerns its notifications.
public enum NotificationRequest: Hashable, Sendable, Codable {
    /// The app schedules, presents, cancels or registers local notifications.
    case act(NumberedNotificationAct)
    /// `registerForRemoteNotifications`, answered by a callback, and its contrary; whether the app's defaults have
    /// `NKDontThrottleNewsstandContentNotifications`.
    case setRemoteNotifications(Bool, liftsNewsstandThrottle: Bool = false)
}

/// What the system tells an app of its local notifications, so that it can say itself which are scheduled.
public enum NotificationNews: Hashable, Sendable, Codable {
    /// All there is, said when the app connects, or runs again and much has changed: the scheduled ones follow, by `scheduled`.
    case begins(NotificationStatus)
    /// One that is scheduled.
    indirect case scheduled(LocalNotification)
    /// One that is scheduled no more: it was shown, or there were too many.
    indirect case unscheduled(LocalNotification)
    /// Everything up to the act of this number was heard.
    case heard(Int64)
    /// What the app's badge shows.
    case badge(Int32)
    /// The user opened the app by this one, and it is launched for that: the launch callback follows (section 1.4).
    indirect case launchedBy(LocalNotification)
    /// It is launched for a remote notification of this payload, or because the user opened it by
    /// one: the launch callback follows (R-90, section 1.4).
    case launchedByRemote(PushPayload)
}

/// How an app stands with its notifications.
public struct NotificationStatus: Hashable, Sendable, Codable {
    /// The last of this launch's acts that was heard; 0 for none.
    public var heard: Int64
    /// What its badge shows.
    public var badge: Int32
    /// What the user lets it do, of what it has registered for.
    public var types: NotificationTypes

    /// A status of these.
    public init(heard: Int64 = 0, badge: Int32 = 0, types: NotificationTypes = []) {
        self.heard = heard
        self.badge = badge
        self.types = types
    }
}

/// A call of an app's code that concerns its notifications.
public enum NotificationCall: Hashable, Sendable, Codable, DeliveredCall {
    /// A local notification has fired while the app is in the foreground, or the user opened the app by it:
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
}

/// A report of the notification adapters, or a user action on a notification.
public enum NotificationInput: Hashable, Sendable, Codable {
    /// A provider has sent an app a remote notification, whose payload is valid.
    indirect case pushArrived(AppID, RemoteNotification)
    /// A device token was made for an app; nil if none could be made.
    case tokenMade(AppID, DeviceToken?)
    /// The registration of an app, with its token, is persisted.
    case tokenPersisted(AppID)
    /// The zone of this name was read; nil where there is none of that name.
    indirect case zoneRead(String, ZoneRules?)
    /// The file of a notification's sound was looked at.
    case soundExamined(NotificationID, SoundFile)
    /// The user tapped a delivered one.
    case tapped(NotificationID)
    /// The user took a delivered one away.
    case dismissed(NotificationID)
    /// The user lets an app show notifications, or not.
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
    /// Make the token by which providers name an app, from random bytes; answered by `tokenMade`.
    case makeDeviceToken(AppID)
    /// Report `tokenPersisted` once the registration of an app is persisted.
    case confirmToken(AppID)
    /// Read the rules of a zone; answered by `zoneRead`.
    case readZone(String)
    /// Look at a file of the app's; answered by `soundExamined`.
    case examineSound(NotificationID, name: String)
    /// Display a notification to the user.
    indirect case show(ShownNotification)
    /// Take these away from where delivered ones are shown.
    case withdraw(AppID, [NotificationID])
    /// Show a number on the app's icon, or none for zero.
    case setBadge(AppID, Int32)
}

/// A notification as it is shown.
public struct ShownNotification: Hashable, Sendable, Codable {
    /// Which one.
    public let id: NotificationID
    /// What it says; no text is shown where the user does not want that.
    public let notification: LocalNotification
    /// What of it is shown.
    public let types: NotificationTypes
    /// The sound that is played, with which the device vibrates.
    public let sound: NotificationSound

    /// One to be shown like this.
    public init(id: NotificationID, notification: LocalNotification, types: NotificationTypes, sound: NotificationSound)
    {
        self.id = id
        self.notification = notification
        self.types = types
        self.sound = sound
    }
}

/// What was found where a notification's sound should be.
public enum SoundFile: Hashable, Sendable, Codable {
    /// A sound of this format, so long.
    case sound(Format, length: Nanoseconds)
    /// There is no such file.
    case missing
    /// It could not be read, or is no sound.
    case unreadable

    /// How its samples are kept.
    public enum Format: String, Hashable, Sendable, Codable, CaseIterable {
        case linearPCM, ima4, uLaw, aLaw
        /// Something else, which is not played.
        case other
    }

    /// Why it is not played; nil where it is. It has to be shorter than `limit`.
    public func fault(limit: Nanoseconds) -> SoundFault? {
        switch self {
        case .missing: .missing
        case .unreadable: .unreadable
        case .sound(.other, _): .format
        case .sound(_, let length): length < limit ? nil : .length
        }
    }
}

/// Why the default sound is played instead of an app's own.
public enum SoundFault: String, Hashable, Sendable, Codable, CaseIterable {
    /// There is no such file in the app's bundle.
    case missing
    /// It is not to be read, or no aiff, wav or caf.
    case unreadable
    /// Neither Linear PCM, MA4, µ-Law nor a-Law.
    case format
    /// Thirty seconds or longer.
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
