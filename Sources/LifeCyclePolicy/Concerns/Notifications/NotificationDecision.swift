public import LifeCycleModel

/// A decision about local notifications.
public enum NotificationDecision: Hashable, Sendable, Codable {
    /// A notification is scheduled. The time is its first due time; nil if its zone is not read yet, or if the time is
    /// beyond the year 2200.
    case scheduled(NotificationID, at: Nanoseconds?)
    /// The app has too many scheduled notifications, and this notification, which fires last, is discarded.
    case discarded(NotificationID)
    /// The notification's time zone does not exist: the notification is discarded.
    case zoneUnknown(NotificationID)
    /// The app canceled this many notifications, scheduled or delivered.
    case canceled(AppID, Int)
    /// A notification fired, this long after it was due.
    case fired(NotificationID, late: Nanoseconds)
    /// The notification is displayed with the kinds that the user allows.
    case shown(NotificationID, NotificationTypes)
    /// The notification is not displayed.
    case notShown(NotificationID, NotShownReason)
    /// The default sound replaces the notification's own.
    case soundReplaced(NotificationID, SoundFault)
    /// The user tapped or dismissed a notification.
    case answered(NotificationID, NotificationAnswer)
    /// The app's badge shows this number from now on.
    case badge(AppID, Int32)
    /// The app set a badge without permission.
    case badgeRefused(AppID)
    /// The app registered for local notifications. The kinds are the kinds that the app may display now.
    case registered(AppID, NotificationTypes)
    /// The user allowed the app to display notifications, or disallowed it.
    case allowed(AppID, Bool)

    /// The app that the decision is about.
    public var app: AppID {
        switch self {
        case .scheduled(let id, _), .discarded(let id), .zoneUnknown(let id), .fired(let id, _), .shown(let id, _),
            .notShown(let id, _), .soundReplaced(let id, _), .answered(let id, _):
            id.app
        case .canceled(let app, _), .badge(let app, _), .badgeRefused(let app), .registered(let app, _),
            .allowed(let app, _):
            app
        }
    }
}

extension DeadlineReason {
    /// A notification is due.
    public static var notification: DeadlineReason { .concern("notification") }
    /// A remote notification that is held back may now wake its app.
    public static var remoteNotification: DeadlineReason { .concern("remoteNotification") }
}

extension NotificationDecision: ConcernDecision {
    package static func decision(in reason: ConcernReason) -> (any ConcernDecision)? {
        if case .notification(let decision) = reason { decision } else { nil }
    }

    package func refuses(_ input: ConcernInput) -> Bool {
        guard case .answered(let id, .gone) = self else { return false }
        return input == .notification(.tapped(id)) || input == .notification(.dismissed(id))
    }
}

/// Why nothing of a notification is displayed.
public enum NotShownReason: String, Hashable, Sendable, Codable, CaseIterable {
    /// The app has not registered for any kind that the notification has.
    case notRegistered
    /// The user does not allow the app to display notifications.
    case notAllowed
    /// The notification has neither an alert nor a sound nor a badge.
    case nothingToShow
}

/// The user's action on a delivered notification.
public enum NotificationAnswer: String, Hashable, Sendable, Codable, CaseIterable {
    /// The user opened the app with the notification.
    case tapped
    /// The user removed the notification.
    case dismissed
    /// The notification no longer exists.
    case gone
}
