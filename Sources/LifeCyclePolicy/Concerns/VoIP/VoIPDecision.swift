public import LifeCycleModel

/// A decision about an app's VoIP pushes or calls.
public enum VoIPDecision: Hashable, Sendable, Codable {
    /// An app wants VoIP pushes, or does not want them any longer.
    case asked(LaunchID, Bool)
    /// The app's token was made, or could not be made.
    case registered(AppID, Bool)
    /// A push waits until the app has made its registry.
    case waits(AppID)
    /// The app is called for the push with this number.
    case delivered(LaunchID, Int64)
    /// A push did not reach its app.
    case dropped(AppID, VoIPLoss)
    /// The app reported no call for a push, and is killed for that or has exited. The number counts these misses since
    /// the app was installed or the device was started.
    case missed(LaunchID, Int32)
    /// The app has reported an incoming call; the failure is nil if it rings now.
    case reported(LaunchID, CallID, CallFailure?)
    /// None of the actions that the app asked for is performed.
    case transactionRefused(LaunchID, TransactionFailure)
    /// The user, or the app itself, has chosen an action on a call, and the app performs it.
    case chosen(LaunchID, CallID, CallAction)
    /// The app has started an outgoing call.
    case dialing(LaunchID, CallID)
    /// The app has performed the answer, or the other side has answered an outgoing call: the call is on.
    case connected(LaunchID, CallID)
    /// The app has put a call on hold, has muted it, or has undone that.
    case changed(LaunchID, CallID, CallAction)
    /// The app could not perform a change of a call, or did not perform it in time.
    case changeFailed(LaunchID, CallID, CallAction)
    /// A call is over.
    case ended(LaunchID, CallID, CallEnd)

    /// The app that the decision is about.
    public var app: AppID {
        switch self {
        case .registered(let app, _), .waits(let app), .dropped(let app, _): app
        case .asked(let launch, _), .delivered(let launch, _), .missed(let launch, _), .reported(let launch, _, _),
            .transactionRefused(let launch, _), .chosen(let launch, _, _), .dialing(let launch, _),
            .connected(let launch, _), .changed(let launch, _, _), .changeFailed(let launch, _, _),
            .ended(let launch, _, _):
            launch.app
        }
    }
}

/// Why a VoIP push did not reach its app.
public enum VoIPLoss: String, Hashable, Sendable, Codable, CaseIterable {
    /// The app has not asked for VoIP pushes.
    case notRegistered
    /// The app has not made a registry in its present launch in time.
    case noRegistry
    /// The app reported no call for too many pushes.
    case tooManyMisses
    /// `VoIPPush.mostWaiting` pushes wait for the app already.
    case tooMany
    /// The launch ended before the app had handled the push.
    case launchEnded
}

/// The cause of a call's end.
public enum CallEnd: Hashable, Sendable, Codable {
    /// The app reported the end.
    case reported(CallEndedReason)
    /// The user, or the app by a transaction, declined or ended the call.
    case user
    /// The app could not answer or start the call.
    case failed
    /// The app did not answer, start or end the call in time.
    case timedOut(CallAction)
    /// The app's launch ended.
    case launchEnded
}

extension CallChoice {
    /// The action for records of refusals.
    package var act: UserAct {
        switch self {
        case .answer: .answerCall
        case .decline: .declineCall
        case .end: .endCall
        case .hold: .holdCall
        case .resume: .resumeCall
        case .mute: .muteCall
        case .unmute: .unmuteCall
        }
    }

    /// The action that the app performs.
    var action: CallAction {
        switch self {
        case .answer: .answer
        case .decline, .end: .end
        case .hold: .hold
        case .resume: .resume
        case .mute: .mute
        case .unmute: .unmute
        }
    }
}

extension DeadlineReason {
    /// An app's time for a VoIP push or for an action on a call is over.
    public static var voip: DeadlineReason { .concern("voip") }
}

extension VoIPDecision: ConcernDecision {
    package static func decision(in reason: ConcernReason) -> (any ConcernDecision)? {
        if case .voip(let decision) = reason { decision } else { nil }
    }

    package func refuses(_ input: ConcernInput) -> Bool {
        guard case .voip(.pushArrived(let target, _)) = input, case .dropped(target, let loss) = self else {
            return false
        }
        return switch loss {
        case .notRegistered, .tooManyMisses, .tooMany: true
        // An earlier push was lost.
        case .noRegistry, .launchEnded: false
        }
    }
}
