public import LifeCycleModel

/// A decision about remote notifications.
public enum PushDecision: Hashable, Sendable, Codable {
    /// An app wants them, or wants none any more.
    case asked(LaunchID, Bool)
    /// It is known to providers by a token, or none could be made.
    case registered(AppID, Bool)
    /// One came for an app that has not registered.
    case notRegistered(AppID)
    /// One is handed over.
    case delivered(PushID)
    /// A silent one is held back for this; the one that was held before it is gone, where there was one.
    case held(AppID, PushHold, replacing: Bool)
    /// A silent one is gone for this.
    case dropped(AppID, PushLoss)
    /// One that is for people came while its app is not in front: it wakes nobody, since there is nothing for the app in it, or
    /// for this.
    case forPeople(AppID, PushLoss?)

    /// The app it is about.
    public var app: AppID {
        switch self {
        case .asked(let launch, _): launch.app
        case .delivered(let push): push.app
        case .registered(let app, _), .notRegistered(let app), .held(let app, _, _), .dropped(let app, _),
            .forPeople(let app, _):
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
        case .dropped, .asked, .registered, .delivered, .held, .forPeople: false
        }
    }
}

/// Why a remote notification is held back.
public enum PushHold: Hashable, Sendable, Codable {
    /// Its app was woken by such as often as it may be in a while.
    case throttled
    /// Low Power Mode is on.
    case lowPowerMode
    /// The battery is low.
    case battery
    /// Nobody has unlocked the device since its start.
    case notUnlockedSinceStart
    /// The app is being ended.
    case ending
    /// The system shuts down: it comes at its next start.
    case shuttingDown
}

/// Why a remote notification is gone.
public enum PushLoss: Hashable, Sendable, Codable {
    /// The launch rules do not let its app be woken.
    case refused(WakeRefusal)
    /// The user has swiped its app away, which it was held for.
    case forceQuit
    /// Its app was killed, which it was held for.
    case killed
    /// Its app wants none any more.
    case unregistered
    /// Its app was woken for a Newsstand download less than a day ago.
    case newsstandThrottled
}
