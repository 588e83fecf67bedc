public import LifeCycleModel

/// A decision about an app's sound.
public enum AudioDecision: Hashable, Sendable, Codable {
    /// An app's audio session is active now, with these settings.
    case activated(LaunchID, AudioSession)
    /// An app may not activate its session, for this reason.
    case refused(LaunchID, AudioFailure)
    /// An app has deactivated its session.
    case deactivated(LaunchID)
    /// The system has deactivated the session of an app in the background that has no right to play there, or that is
    /// suspended.
    case stopped(LaunchID)
    /// An app's sound keeps it running in the background from now on, or not any longer.
    case session(LaunchID, Bool)
    /// An app's session is interrupted by another app, or by a phone call if that is nil.
    case interrupted(LaunchID, by: AppID?)
    /// The interruption of an app's session has ended.
    case interruptionEnded(LaunchID, shouldResume: Bool)

    /// The app that the decision is about.
    public var app: AppID {
        switch self {
        case .activated(let launch, _), .refused(let launch, _), .deactivated(let launch), .stopped(let launch),
            .session(let launch, _), .interrupted(let launch, _), .interruptionEnded(let launch, _):
            launch.app
        }
    }
}

extension DeadlineReason {
    /// A player ends, or an app is no longer kept running after its sound.
    public static var audio: DeadlineReason { .concern("audio") }
}

extension AudioDecision: ConcernDecision {
    package static func decision(in reason: ConcernReason) -> (any ConcernDecision)? {
        if case .audio(let decision) = reason { decision } else { nil }
    }

    package func refuses(_ input: ConcernInput) -> Bool {
        // A phone call may always begin and end.
        false
    }
}
