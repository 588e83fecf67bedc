public import LifeCycleModel

/// A decision about a background session or one of its tasks.
public enum TransferDecision: Hashable, Sendable, Codable {
    /// A background session was opened, either a new session or an existing one.
    case sessionOpened(TransferSessionID, isNew: Bool)
    /// All tasks of a background session have ended while its app is suspended or not running: the app is to be
    /// notified.
    case sessionDone(TransferSessionID)
    /// The app is woken or launched to handle the session's events.
    case sessionWakes(TransferSessionID)
    /// The app has called the completion handler of a session's events.
    case sessionHandled(TransferSessionID)
    /// A background session is invalid from now on.
    case sessionInvalidated(TransferSessionID)
    /// An app's request about a background session was ignored.
    case actIgnored(LaunchID, TransferActRefusal)
    case began(TransferID, attempt: Int32)
    /// A transfer was stopped, and waits for this condition.
    case stopped(TransferID, because: TransferWait)
    /// A transfer that is not under way waits for this condition from now on. So do `others` further transfers of its
    /// session.
    case waits(TransferID, for: TransferWait, others: Int)
    /// An attempt failed, and is retried after this time.
    case retries(TransferID, TransferProblem, after: Nanoseconds)
    /// A transfer was resumed in the background, and waits this long.
    case delayed(TransferID, Nanoseconds)
    /// The whole resource, of this size in bytes, has arrived.
    case completed(TransferID, size: Int64)
    /// The transfer failed and is not retried; its app receives the failure.
    case failed(TransferID, TransferFailure)
    /// The app has acknowledged the outcome.
    case delivered(TransferID)
    /// The engine reported on a transfer that does not exist, or on an attempt that is over.
    case reportIgnored(TransferID)
    /// The user asked for something that is impossible in the transfer's present state.
    case userActionIgnored(TransferID, TransferUserAction)

    /// The app that the decision is about.
    public var app: AppID {
        switch self {
        case .sessionOpened(let id, _), .sessionDone(let id), .sessionWakes(let id), .sessionHandled(let id),
            .sessionInvalidated(let id):
            id.app
        case .actIgnored(let launch, _): launch.app
        case .began(let id, _), .stopped(let id, _), .waits(let id, _, _), .retries(let id, _, _), .delayed(let id, _),
            .completed(let id, _), .failed(let id, _), .delivered(let id), .reportIgnored(let id),
            .userActionIgnored(let id, _):
            id.session.app
        }
    }
}

extension TransferDecision: ConcernDecision {
    package static func decision(in reason: ConcernReason) -> (any ConcernDecision)? {
        if case .transfer(let decision) = reason { decision } else { nil }
    }

    package func refuses(_ input: ConcernInput) -> Bool {
        switch (self, input) {
        case (.userActionIgnored(let id, _), .transfer(.userAction(let userAction, _))): id == userAction
        default: false
        }
    }
}
