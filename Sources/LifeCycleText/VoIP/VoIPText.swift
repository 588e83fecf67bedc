import LifeCycleModel
import LifeCyclePolicy

/// Decisions about VoIP pushes and calls as sentences.
extension VoIPDecision: ReasonText {
    static var kind: String { "voip" }

    var launch: LaunchID? {
        switch self {
        case .registered, .waits, .dropped: nil
        case .asked(let launch, _), .delivered(let launch, _), .missed(let launch, _), .reported(let launch, _, _),
            .transactionRefused(let launch, _), .chosen(let launch, _, _), .dialing(let launch, _),
            .connected(let launch, _), .changed(let launch, _, _), .changeFailed(let launch, _, _),
            .ended(let launch, _, _):
            launch
        }
    }

    var rule: String? {
        switch self {
        case .asked, .registered: "R-171"
        case .waits, .dropped(_, .noRegistry), .dropped(_, .tooMany): "R-129"
        case .delivered, .missed, .dropped(_, .notRegistered), .dropped(_, .tooManyMisses), .dropped(_, .launchEnded):
            "R-172"
        case .reported, .transactionRefused, .dialing, .ended(_, _, .reported): "R-173"
        case .chosen, .connected, .changed, .changeFailed, .ended: "R-174"
        }
    }

    func text(at now: Moment) -> String {
        switch self {
        case .asked(_, true): "asks to receive VoIP pushes"
        case .asked(_, false): "asks not to receive VoIP pushes"
        case .registered(_, true): "has a token and receives VoIP pushes"
        case .registered(_, false): "receives no VoIP pushes: its token could not be created"
        case .waits: "a VoIP push waits until the app has made its registry"
        case .delivered(_, let number): "receives VoIP push \(number)"
        case .dropped(_, let loss): "a VoIP push is dropped: \(Self.text(loss))"
        case .missed(_, let count):
            "reported no call for a VoIP push: \(count == 1 ? "once" : "\(count) times") since its installation or the "
                + "device's start"
        case .reported(_, let id, nil): "reports the call \(id): it rings"
        case .reported(_, let id, let failure?): "may not report the call \(id): \(Self.text(failure))"
        case .transactionRefused(_, let failure): "may not act on its calls: \(Self.text(failure))"
        case .chosen(_, let id, let action): "is to \(Self.text(action, id))"
        case .dialing(_, let id): "has started the call \(id): the remote party has not answered it"
        case .connected(_, let id): "the call \(id) is answered: it is on"
        case .changed(_, let id, let action): "the call \(id) is \(Self.result(of: action))"
        case .changeFailed(_, let id, let action): "did not \(Self.text(action, id))"
        case .ended(_, let id, let end): "the call \(id) is over: \(Self.text(end))"
        }
    }

    private static func text(_ loss: VoIPLoss) -> String {
        switch loss {
        case .notRegistered: "the app has not registered for VoIP pushes"
        case .noRegistry: "the app made no registry in time"
        case .tooManyMisses: "the app reported no call for too many pushes"
        case .tooMany: "the app has \(VoIPPush.mostWaiting) pushes to handle already"
        case .launchEnded: "the app ended before it had handled the push"
        }
    }

    private static func text(_ failure: CallFailure) -> String {
        switch failure {
        case .unknown: "it has \(PhoneCall.most) calls, is being ended, or the system is shutting down"
        case .unentitled: "UIBackgroundModes does not declare voip"
        case .callUUIDAlreadyExists: "it has a call with this UUID"
        }
    }

    private static func text(_ failure: TransactionFailure) -> String {
        switch failure {
        case .unknown: "it is being ended, or the system is shutting down"
        case .unentitled: "UIBackgroundModes does not declare voip"
        case .unknownCallUUID: "it has no call with this UUID"
        case .callUUIDAlreadyExists: "it has a call with this UUID"
        case .invalidAction: "the state of the call, or another call, forbids an action"
        case .maximumCallGroupsReached: "it has \(PhoneCall.most) calls"
        }
    }

    private static func text(_ action: CallAction, _ id: CallID) -> String {
        switch action {
        case .answer, .end, .start, .resume, .mute, .unmute: "\(action.rawValue) the call \(id)"
        case .hold: "put the call \(id) on hold"
        }
    }

    /// The state of a call after an action.
    private static func result(of action: CallAction) -> String {
        switch action {
        case .start, .answer: "on"
        case .end: "over"
        case .hold: "on hold"
        case .resume: "no longer on hold"
        case .mute: "muted"
        case .unmute: "no longer muted"
        }
    }

    private static func text(_ end: CallEnd) -> String {
        switch end {
        case .reported(.failed): "it failed"
        case .reported(.remoteEnded): "the remote party ended it"
        case .reported(.unanswered): "it was not answered"
        case .reported(.answeredElsewhere): "it was answered on another device"
        case .reported(.declinedElsewhere): "it was declined on another device"
        case .user: "it was declined or ended"
        case .failed: "the app could not answer or start it"
        case .timedOut(let action): "the app did not \(action.rawValue) it in time"
        case .launchEnded: "the app has ended"
        }
    }
}
