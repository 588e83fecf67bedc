import LifeCycleModel
import LifeCyclePolicy

extension Expected {
    private static let session = TransferSessionID(app: AppID(1), number: 1)
    private static let id = TransferID(session: session, number: 1)
    private static let launchOfIt = LaunchID(app: AppID(1), number: 1)

    /// A history's requests are too small to fill an app's bytes, and few of its apps ask for lists again and again: tests
    /// of the brain show these two.
    private static let refusals = TransferActRefusal.allCases.filter { $0 != .tooMuchText && $0 != .tooManyLists }

    /// The decisions about transfers, in each of the variants that the report tells apart.
    static let transfers: [TransferDecision] = {
        var all: [TransferDecision] = []
        var kind: TransferDecision? = .sessionOpened(session, isNew: true)
        while let decision = kind {
            let (variants, next) = variants(of: decision)
            all += variants
            kind = next
        }
        return all
    }()

    private static func variants(of decision: TransferDecision) -> ([TransferDecision], next: TransferDecision?) {
        switch decision {
        case .sessionOpened: ([true, false].map { .sessionOpened(session, isNew: $0) }, next: .sessionDone(session))
        case .sessionDone: ([decision], next: .sessionWakes(session))
        case .sessionWakes: ([decision], next: .sessionHandled(session))
        case .sessionHandled: ([decision], next: .sessionInvalidated(session))
        case .sessionInvalidated: ([decision], next: .actIgnored(launchOfIt, .noSuchTask))
        case .actIgnored:
            (refusals.map { .actIgnored(launchOfIt, $0) }, next: .began(id, attempt: 1))
        case .began: ([decision], next: .stopped(id, because: .network))
        case .stopped:
            // What the app or the user stops is said otherwise.
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
                next: .retries(id, TransferProblem(code: -1, reason: "", mayPass: true), after: .zero)
            )
        case .retries: ([decision], next: .delayed(id, .zero))
        case .delayed: ([decision], next: .completed(id, size: 0))
        case .completed: ([decision], next: .failed(id, TransferFailure(code: -1, reason: "")))
        case .failed: (failures.map { .failed(id, $0) }, next: .delivered(id))
        case .delivered: ([decision], next: .reportIgnored(id))
        case .reportIgnored: ([decision], next: .wishIgnored(id, .now))
        case .wishIgnored: (TransferWish.allCases.map { .wishIgnored(id, $0) }, next: nil)
        }
    }

    /// Too many tasks, cancelled, not done in time, no URL for it, a bad certificate, no way into the container; and
    /// what the system cancels.
    private static let failures =
        [-1, -999, -1001, -1002, -1202, -3003].map { TransferFailure(code: $0, reason: "") }
        + [TransferCancelledReason.userForceQuit, .backgroundUpdatesDisabled].map {
            TransferFailure(code: -999, reason: "", cancelledReason: $0)
        }
        + [TransferFailure(code: -3003, reason: "", cancelledReason: .insufficientResources)]
}
