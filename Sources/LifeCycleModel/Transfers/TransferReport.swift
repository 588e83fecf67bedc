/// A report of the transfer engine, or a user action on a transfer.
public enum TransferInput: Hashable, Sendable, Codable {
    /// The engine reports.
    indirect case reported(TransferReport)
    /// The user acts on a transfer.
    case wished(TransferID, TransferWish)

    var appAskedFor: AppID? {
        switch self {
        case .reported, .wished: nil
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

/// What the engine tells of a transfer.
public enum TransferReport: Hashable, Sendable, Codable {
    /// The server has answered: the body comes, from `offset` on. A clean restart begins at 0 again.
    case responded(TransferID, attempt: Int32, offset: Int64, expected: Int64?)
    /// So much has arrived, on disk or on its way there. At most two a second of each transfer.
    case progressed(TransferID, attempt: Int32, received: Int64, expected: Int64?)
    /// So much is surely on disk: each 64 MiB or 5 s.
    case checkpointed(TransferID, attempt: Int32, TransferCheckpoint)
    /// The whole body is on disk, synced, in the engine's own directory.
    case completed(TransferID, attempt: Int32, TransferResponse, size: Int64)
    /// The attempt has failed.
    case failed(TransferID, attempt: Int32, TransferProblem)
    /// It was stopped as asked; what is on disk is synced. Nil where nothing is that could be resumed.
    case stopped(TransferID, attempt: Int32, TransferCheckpoint?)
    /// The file lies where the app finds it, or could not be brought there, with the `errno` of that.
    case moved(TransferID, errno: Int32?)

    /// Which transfer it is about.
    public var id: TransferID {
        switch self {
        case .responded(let id, _, _, _), .progressed(let id, _, _, _), .checkpointed(let id, _, _),
            .completed(let id, _, _, _), .failed(let id, _, _), .stopped(let id, _, _), .moved(let id, _):
            id
        }
    }

    /// The attempt that is reported; nil for a report of a file that was moved.
    public var attempt: Int32? {
        switch self {
        case .responded(_, let attempt, _, _), .progressed(_, let attempt, _, _), .checkpointed(_, let attempt, _),
            .completed(_, let attempt, _, _), .failed(_, let attempt, _), .stopped(_, let attempt, _):
            attempt
        case .moved: nil
        }
    }
}

/// What the user does with a transfer, by `roost transfers`.
public enum TransferWish: String, Hashable, Sendable, Codable, CaseIterable {
    /// It rests until it is resumed.
    case pause
    /// It goes on.
    case resume
    /// It is cancelled; the app hears so.
    case cancel
    /// It begins at once, whatever it waits for, if there is a network at all.
    case now
}
