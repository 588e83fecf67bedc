import LifeCycleModel
import LifeCyclePolicy

extension VoIPDecision: SimulatedReason {
    static let samples: [VoIPDecision] = everyKind(from: .asked(.sample, true)) { decision in
        let (launch, app) = (LaunchID.sample, LaunchID.sample.app)
        return switch decision {
        case .asked: ([true, false].map { .asked(launch, $0) }, next: .registered(app, true))
        case .registered: ([true, false].map { .registered(app, $0) }, next: .waits(app))
        case .waits: ([decision], next: .delivered(launch, 1))
        case .delivered: ([decision], next: .dropped(app, .notRegistered))
        case .dropped: (VoIPLoss.allCases.map { .dropped(app, $0) }, next: .missed(launch, 1))
        case .missed: ([decision], next: .reported(launch, .sample, nil))
        case .reported:
            (failures.map { .reported(launch, .sample, $0) }, next: .chosen(launch, .sample, .answer))
        case .chosen:
            (CallAction.allCases.map { .chosen(launch, .sample, $0) }, next: .transactionRefused(launch, .unknown))
        case .transactionRefused:
            (
                TransactionFailure.allCases.map { .transactionRefused(launch, $0) },
                next: .connected(launch, .sample)
            )
        case .connected: ([decision], next: .dialing(launch, .sample))
        case .dialing: ([decision], next: .changed(launch, .sample, .hold))
        case .changed: (changes.map { .changed(launch, .sample, $0) }, next: .changeFailed(launch, .sample, .hold))
        case .changeFailed:
            (changes.map { .changeFailed(launch, .sample, $0) }, next: .ended(launch, .sample, .user))
        case .ended: (ends.map { .ended(launch, .sample, $0) }, next: nil)
        }
    }

    /// Only the app's side itself refuses a UUID that exists.
    private static let failures: [CallFailure?] = [nil, .unknown, .unentitled]

    /// A call continues without these actions, and ends without the others.
    private static let changes: [CallAction] = [.hold, .resume, .mute, .unmute]

    private static let ends = everyKind(from: CallEnd.user) { end in
        switch end {
        case .user: ([end], next: .failed)
        case .failed: ([end], next: .launchEnded)
        case .launchEnded: ([end], next: .reported(.remoteEnded))
        case .reported: ([end], next: .timedOut(.answer))
        case .timedOut: ([CallAction.answer, .end, .start].map { .timedOut($0) }, next: nil)
        }
    }

    var name: String {
        switch self {
        case .asked(_, let isWanted): isWanted ? "VoIP pushes asked for" : "VoIP pushes no longer asked for"
        case .registered(_, let isDone): isDone ? "VoIP token made" : "VoIP token not made"
        case .waits: "VoIP push waits"
        case .delivered: "VoIP push delivered"
        case .dropped(_, let loss): "VoIP push dropped: \(loss.rawValue)"
        case .missed: "VoIP push without a call"
        case .reported(_, _, nil): "call reported"
        case .reported(_, _, let failure?): "call refused: \(failure)"
        case .chosen(_, _, let action): "call action: \(action.rawValue)"
        case .transactionRefused(_, let failure): "call transaction refused: \(failure)"
        case .connected: "call connected"
        case .dialing: "call dialing"
        case .changed(_, _, let action): "call changed: \(action.rawValue)"
        case .changeFailed(_, _, let action): "call not changed: \(action.rawValue)"
        case .ended(_, _, .reported): "call ended by its app"
        case .ended(_, _, .user): "call ended by the user"
        case .ended(_, _, .failed): "call not answered or not started by its app"
        case .ended(_, _, .timedOut(let action)): "call ended, too late for its action: \(action.rawValue)"
        case .ended(_, _, .launchEnded): "call ended with its launch"
        }
    }

    var isOwnWake: Bool {
        switch self {
        case .waits, .delivered: true
        default: false
        }
    }
    func wakes(_ app: AppID, for reason: LaunchReason, by rules: WakesFollowTheRules) -> Bool {
        reason == .voipPush && self == .waits(app)
    }
}
