public import LifeCycleModel

/// A decision about local notifications.
public enum NotificationDecision: Hashable, Sendable, Codable {
    /// One is scheduled, to fire first then; nil where its zone has still to be read, or it is too far off.
    case scheduled(NotificationID, at: Nanoseconds?)
    /// There are too many, and this one fires last of them: it is forgotten.
    case discarded(NotificationID)
    /// There is no zone of the name it gave: it is forgotten.
    case zoneUnknown(NotificationID)
    /// The app canceled so many, scheduled or delivered.
    case canceled(AppID, Int)
    /// One has fired, so long after it was due.
    case fired(NotificationID, late: Nanoseconds)
    /// It is shown, as far as the user allows.
    case shown(NotificationID, NotificationTypes)
    /// It is not.
    case notShown(NotificationID, NotShownReason)
    /// The default sound is played instead of its own.
    case soundReplaced(NotificationID, SoundFault)
    /// What the user has done with one.
    case answered(NotificationID, NotificationAnswer)
    /// The app's badge shows this from now on.
    case badge(AppID, Int32)
    /// The app would have a badge, and may not.
    case badgeRefused(AppID)
    /// The app has registered what it wants to show.
    case registered(AppID, NotificationTypes)
    /// The user lets the app show notifications, or not.
    case allowed(AppID, Bool)

    /// The app it is about.
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
    /// A remote notification that is held may wake its app.
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

/// Why nothing of a notification is shown.
public enum NotShownReason: String, Hashable, Sendable, Codable, CaseIterable {
    /// The app has not registered for what there would be to show.
    case notRegistered
    /// The user does not let it.
    case notAllowed
    /// It has neither an alert nor a sound nor a badge.
    case nothingToShow
}

/// What the user does with a notification that was delivered.
public enum NotificationAnswer: String, Hashable, Sendable, Codable, CaseIterable {
    /// Opened the app by it.
    case tapped
    /// Took it away.
    case dismissed
    /// It is not there any more.
    case gone
}
