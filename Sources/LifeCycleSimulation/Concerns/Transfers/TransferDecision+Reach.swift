import LifeCycleModel
import LifeCyclePolicy

extension TransferDecision: SimulatedReason {
    private static let session = TransferSessionID(app: LaunchID.sample.app, number: 1)
    private static let id = TransferID(session: session, number: 1)

    /// No history reaches two refusals: its requests are too small to fill an app's quota, and few apps request lists
    /// again and again. Tests of the brain cover both refusals.
    private static let refusals = TransferActRefusal.allCases.filter { $0 != .tooMuchText && $0 != .tooManyLists }

    static let samples: [TransferDecision] = everyKind(from: .sessionOpened(session, isNew: true)) { decision in
        switch decision {
        case .sessionOpened: ([true, false].map { .sessionOpened(session, isNew: $0) }, next: .sessionDone(session))
        case .sessionDone: ([decision], next: .sessionWakes(session))
        case .sessionWakes: ([decision], next: .sessionHandled(session))
        case .sessionHandled: ([decision], next: .sessionInvalidated(session))
        case .sessionInvalidated: ([decision], next: .actIgnored(.sample, .noSuchTask))
        case .actIgnored:
            (refusals.map { .actIgnored(.sample, $0) }, next: .began(id, attempt: 1))
        case .began: ([decision], next: .stopped(id, because: .network))
        case .stopped:
            // A stop by the app or the user is a different decision.
            (
                [.network, .wifi, .inexpensive, .lowDataMode, .battery, .lowPowerMode, .turn].map {
                    .stopped(id, because: $0)
                },
                next: .waits(id, for: .turn, others: 0)
            )
        case .waits:
            (
                [
                    .network, .wifi, .inexpensive, .lowDataMode, .battery, .lowPowerMode, .earliestBegin, .connection,
                    .turn,
                ].map { .waits(id, for: $0, others: 0) },
                next: .retries(id, TransferProblem(code: -1, reason: "", isRetryable: true), after: .zero)
            )
        case .retries: ([decision], next: .delayed(id, .zero))
        case .delayed: ([decision], next: .completed(id, size: 0))
        case .completed: ([decision], next: .failed(id, TransferFailure(code: -1, reason: "")))
        case .failed: (failures.map { .failed(id, $0) }, next: .delivered(id))
        case .delivered: ([decision], next: .reportIgnored(id))
        case .reportIgnored: ([decision], next: .userActionIgnored(id, .now))
        case .userActionIgnored: (TransferUserAction.allCases.map { .userActionIgnored(id, $0) }, next: nil)
        }
    }

    /// Too many tasks, canceled, timed out, bad URL, bad certificate, container not writable; and the cancellations by
    /// the system.
    private static let failures =
        [-1, -999, -1001, -1002, -1202, -3003].map { TransferFailure(code: $0, reason: "") }
        + [TransferCancelledReason.userForceQuit, .backgroundUpdatesDisabled].map {
            TransferFailure(code: -999, reason: "", cancelledReason: $0)
        }
        + [TransferFailure(code: -3003, reason: "", cancelledReason: .insufficientResources)]

    var name: String {
        switch self {
        case .sessionOpened(_, let isNew): isNew ? "session made" : "session opened again"
        case .sessionDone: "session done"
        case .sessionWakes: "woken for a session"
        case .sessionHandled: "session handled"
        case .sessionInvalidated: "session invalidated"
        case .actIgnored(_, let refusal): "transfer act ignored: \(refusal.rawValue)"
        case .began: "transfer began"
        case .stopped(_, let wait): "transfer stopped: \(wait.rawValue)"
        case .waits(_, let wait, _): "transfer waits: \(wait.rawValue)"
        case .retries: "transfer tried again"
        case .delayed: "transfer delayed"
        case .completed: "transfer completed"
        case .failed(_, let failure):
            "transfer failed: \(failure.code)" + (failure.cancelledReason.map { ", \($0)" } ?? "")
        case .delivered: "transfer delivered"
        case .reportIgnored: "transfer report ignored"
        case .userActionIgnored(_, let action): "transfer action ignored: \(action.rawValue)"
        }
    }

    var isOwnWake: Bool { if case .sessionWakes = self { true } else { false } }
    func wakes(_ app: AppID, for reason: LaunchReason, by rules: WakesFollowTheRules) -> Bool {
        guard case .sessionWakes(let id) = self, id.app == app else { return false }
        return reason == (rules.newsstand.contains(id) ? .newsstand : .urlSession)
    }
}
