/// A report of the transfer engine, or a user action on a transfer.
public enum TransferInput: Hashable, Sendable, Codable {
    /// A report of the engine.
    indirect case reported(TransferReport)
    /// An action by `roost transfers`; an app's own actions are a `TransferAct`.
    case userAction(TransferID, TransferUserAction)

    var appAskedFor: AppID? {
        switch self {
        case .reported, .userAction: nil
        }
    }
}

/// Work for the transfer engine.
public enum TransferOutput: Hashable, Sendable, Codable {
    /// Begin or resume a transfer, as `Device.transferJob` describes it; answered by reports of this attempt.
    case begin(TransferID, attempt: Int32)
    /// Stop a transfer in progress; answered by the report `stopped`.
    case stop(TransferID)
    /// Move a completed transfer's file into its app's container; answered by the report `moved`.
    case move(TransferID)
    /// Delete the files of a transfer.
    case discard(TransferID)

    /// The transfer to act on.
    public var id: TransferID {
        switch self {
        case .begin(let id, _), .stop(let id), .move(let id), .discard(let id): id
        }
    }
}

extension TransferOutput: AdapterWork {
    package var subjectBuiltUpon: RecordSubject? { if case .stop = self { nil } else { .transfer(id) } }
    package var subjectInOrder: RecordSubject? { .transfer(id) }
}

/// A report of the engine on a transfer.
public enum TransferReport: Hashable, Sendable, Codable {
    /// The server has answered: the body arrives from `offset` on. A restart from the beginning has the offset 0.
    case responded(TransferID, attempt: Int32, offset: Int64, expected: Int64?)
    /// The number of bytes that have arrived, on disk or on their way there. At most two reports a second for each
    /// transfer.
    case progressed(TransferID, attempt: Int32, received: Int64, expected: Int64?)
    /// The number of bytes that are synced to disk, reported each 64 MiB or 5 s.
    case checkpointed(TransferID, attempt: Int32, TransferCheckpoint)
    /// The whole body is on disk, synced, in the engine's own directory.
    case completed(TransferID, attempt: Int32, TransferResponse, size: Int64)
    /// The attempt failed; the problem says whether a retry may succeed.
    case failed(TransferID, attempt: Int32, TransferProblem)
    /// The attempt was stopped as asked, and its bytes are synced. Nil if no byte can be resumed.
    case stopped(TransferID, attempt: Int32, TransferCheckpoint?)
    /// The file was moved into the app's container, or could not be moved, with the `errno`.
    case moved(TransferID, errno: Int32?)

    /// The transfer that the report is about.
    public var id: TransferID {
        switch self {
        case .responded(let id, _, _, _), .progressed(let id, _, _, _), .checkpointed(let id, _, _),
            .completed(let id, _, _, _), .failed(let id, _, _), .stopped(let id, _, _), .moved(let id, _):
            id
        }
    }

    /// The attempt that the report is about; nil for `moved`.
    public var attempt: Int32? {
        switch self {
        case .responded(_, let attempt, _, _), .progressed(_, let attempt, _, _), .checkpointed(_, let attempt, _),
            .completed(_, let attempt, _, _), .failed(_, let attempt, _), .stopped(_, let attempt, _):
            attempt
        case .moved: nil
        }
    }
}

/// An action of the user on a transfer, by `roost transfers`.
public enum TransferUserAction: String, Hashable, Sendable, Codable, CaseIterable {
    /// Pause the transfer until it is resumed.
    case pause
    /// Undo `pause`. The transfer then waits as any other.
    case resume
    /// Cancel the transfer; the app is notified.
    case cancel
    /// Begin the transfer at once, despite its other waits, if there is a network.
    case now
}
