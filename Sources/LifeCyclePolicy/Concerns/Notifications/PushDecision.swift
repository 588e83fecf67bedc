public import LifeCycleModel

/// A decision about remote notifications.
public enum PushDecision: Hashable, Sendable, Codable {
    /// An app registers for remote notifications, or unregisters.
    case asked(LaunchID, Bool)
    /// The app is registered with a device token; false if no token could be made.
    case registered(AppID, Bool)
    /// A remote notification arrived for an app that has not registered.
    case notRegistered(AppID)
    /// A remote notification is delivered.
    case delivered(PushID)
    /// A silent push is held back for this reason. `replacing`: this push replaces an older push that was held back.
    case held(AppID, PushHold, replacing: Bool)
    /// A silent push is dropped for this reason.
    case dropped(AppID, PushLoss)
    /// A visible push arrived while its app was not in the foreground, and does not wake the app. The loss says why;
    /// nil if the push has no `content-available`.
    case visible(AppID, PushLoss?)

    /// The app that the decision is about.
    public var app: AppID {
        switch self {
        case .asked(let launch, _): launch.app
        case .delivered(let push): push.app
        case .registered(let app, _), .notRegistered(let app), .held(let app, _, _), .dropped(let app, _),
            .visible(let app, _):
            app
        }
    }
}

extension PushDecision: ConcernDecision {
    package static func decision(in reason: ConcernReason) -> (any ConcernDecision)? {
        if case .push(let decision) = reason { decision } else { nil }
    }

    package func refuses(_ input: ConcernInput) -> Bool {
        guard case .notification(.pushArrived) = input else { return false }
        return switch self {
        case .notRegistered, .dropped(_, .refused), .dropped(_, .newsstandThrottled): true
        case .dropped, .asked, .registered, .delivered, .held, .visible: false
        }
    }
}

/// Why a remote notification is held back.
public enum PushHold: Hashable, Sendable, Codable {
    /// The app has reached the rate limit for silent pushes.
    case throttled
    case lowPowerMode
    /// The battery is low.
    case battery
    /// The user has not unlocked the device since its start.
    case notUnlockedSinceStart
    /// The app is being ended.
    case ending
    /// The system shuts down: the notification is delivered after the next start.
    case shuttingDown
}

/// Why a remote notification is dropped.
public enum PushLoss: Hashable, Sendable, Codable {
    /// The launch rules forbid to wake the app.
    case refused(WakeRefusal)
    /// The user force-quit the app while the notification was held back for it.
    case forceQuit
    /// The app was killed while the notification was held back for it.
    case killed
    /// The app unregistered.
    case unregistered
    /// The app was woken for a Newsstand download less than a day ago.
    case newsstandThrottled
}
