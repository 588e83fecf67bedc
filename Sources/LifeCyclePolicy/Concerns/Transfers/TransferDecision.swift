public import LifeCycleModel

/// A decision about a background session, or a task of it.
public enum TransferDecision: Hashable, Sendable, Codable {
    /// A background session was opened; a new one, or one that was there.
    case sessionOpened(TransferSessionID, isNew: Bool)
    /// All tasks of a background session are done, and its app is to hear so, which is suspended or not running.
    case sessionDone(TransferSessionID)
    /// Its app is woken, or launched, to hear so.
    case sessionWakes(TransferSessionID)
    /// The app has called the completion handler of a session's events.
    case sessionHandled(TransferSessionID)
    /// A background session is invalid from here on.
    case sessionInvalidated(TransferSessionID)
    /// What an app did with a background session came to nothing.
    case actIgnored(LaunchID, TransferActRefusal)
    /// An attempt at a transfer was begun.
    case began(TransferID, attempt: Int32)
    /// It was stopped, to wait for this.
    case stopped(TransferID, because: TransferWait)
    /// It has not begun, or not again, and waits for this from now on; so do so many others of its session.
    case waits(TransferID, for: TransferWait, others: Int)
    /// An attempt failed, and another is made after so long.
    case retries(TransferID, TransferProblem, after: Nanoseconds)
    /// It was resumed off the foreground, and waits for so long.
    case delayed(TransferID, Nanoseconds)
    /// All of it has arrived.
    case completed(TransferID, size: Int64)
    /// It came to nothing.
    case failed(TransferID, TransferFailure)
    /// The app has taken what became of it.
    case delivered(TransferID)
    /// The engine told of a transfer that is not there, or of an attempt that is over.
    case reportIgnored(TransferID)
    /// The user wanted something of a transfer that is impossible as things are.
    case wishIgnored(TransferID, TransferWish)

    /// The app it is about.
    public var app: AppID {
        switch self {
        case .sessionOpened(let id, _), .sessionDone(let id), .sessionWakes(let id), .sessionHandled(let id),
            .sessionInvalidated(let id):
            id.app
        case .actIgnored(let launch, _): launch.app
        case .began(let id, _), .stopped(let id, _), .waits(let id, _, _), .retries(let id, _, _), .delayed(let id, _),
            .completed(let id, _), .failed(let id, _), .delivered(let id), .reportIgnored(let id),
            .wishIgnored(let id, _):
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
        case (.wishIgnored(let id, _), .transfer(.wished(let wished, _))): id == wished
        default: false
        }
    }
}
