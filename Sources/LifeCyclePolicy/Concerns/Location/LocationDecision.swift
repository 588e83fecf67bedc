public import LifeCycleModel

/// A decision about an app's locations.
public enum LocationDecision: Hashable, Sendable, Codable {
    /// An app began standard updates, or changed what it asks of them; nil if it ended them.
    case updates(LaunchID, StandardUpdates?)
    /// An app requested one position, or no longer waits for it.
    case requested(LaunchID, Bool)
    /// An app is told the position that it requested, or that it is not known.
    case located(LaunchID, isKnown: Bool)
    /// An app's standard updates keep it running in the background from now on, or not any longer.
    case session(LaunchID, Bool)
    /// A background activity session keeps an app in use from now on, or not any longer.
    case activity(LaunchID, Bool)
    /// An app may not begin a background activity session: it is not in the foreground, or the user forbids it the
    /// location.
    case activityRefused(LaunchID)
    /// The app is launched again for its background activity session, because a position is known.
    case continued(AppID)
    /// The system has paused an app's standard updates, because the position has not changed, or they continue.
    case paused(LaunchID, Bool)
    /// An app began to monitor significant changes, or ended that.
    case monitoring(LaunchID, Bool)
    /// An app asks the user for a permission.
    case asked(LaunchID, always: Bool)
    /// An app's request is ignored: the user has decided already.
    case askedInVain(LaunchID, LocationPermission)
    /// The user decided about an app.
    case permitted(AppID, LocationPermission)
    /// The user does not allow an app what it asked for: it is told so.
    case denied(LaunchID)
    /// The position has changed significantly since the app was last told, by this distance in centimetres; nil for the
    /// first position.
    case changed(AppID, by: Int64?)
    /// The app is not told of a significant change until this obstacle is gone.
    case held(AppID, WakeRefusal)
    /// An app began to monitor a region, or changed it.
    case regionMonitored(LaunchID, LocationRegion)
    /// An app ended the monitoring of a region, by its identifier.
    case regionEnded(LaunchID, String)
    /// A region is not monitored: the app has too many, or the user forbids it.
    case regionRefused(LaunchID, String)
    /// The device has entered a region, or left it, and the app is told.
    case crossed(AppID, String, isInside: Bool)
    /// The app is not told of a region that the device has entered or left until this obstacle is gone.
    case crossingHeld(AppID, WakeRefusal)
    /// The receiver is switched on, because this app needs a position.
    case receiverOn(AppID)
    /// The receiver, which was switched on for this app, is switched off: no app needs a position now.
    case receiverOff(AppID)
    /// The source of positions ended by itself while it was needed by this app, for this reason.
    case receiverEnded(AppID, String)

    /// The app that the decision is about.
    public var app: AppID {
        switch self {
        case .updates(let launch, _), .requested(let launch, _), .located(let launch, _), .session(let launch, _),
            .activity(let launch, _), .activityRefused(let launch), .paused(let launch, _), .monitoring(let launch, _),
            .asked(let launch, _), .askedInVain(let launch, _), .denied(let launch), .regionMonitored(let launch, _),
            .regionEnded(let launch, _), .regionRefused(let launch, _):
            launch.app
        case .continued(let app), .permitted(let app, _), .changed(let app, _), .held(let app, _),
            .crossed(let app, _, _),
            .crossingHeld(let app, _), .receiverOn(let app), .receiverOff(let app), .receiverEnded(let app, _):
            app
        }
    }
}

extension DeadlineReason {
    /// An app may be told of the next significant change, or the receiver is to be switched.
    public static var location: DeadlineReason { .concern("location") }
}

extension LocationDecision: ConcernDecision {
    package static func decision(in reason: ConcernReason) -> (any ConcernDecision)? {
        if case .location(let decision) = reason { decision } else { nil }
    }

    package func refuses(_ input: ConcernInput) -> Bool {
        // The user may decide anything, and a position is always taken.
        false
    }
}
