/// An attempt at a transfer, as the engine's job.
public struct TransferJob: Hashable, Sendable {
    /// The transfer's identifier.
    public var id: TransferID
    /// The attempt's number. Each report has it, so that a late report is recognized.
    public var attempt: Int32
    /// The request, with the header fields of its session and the networks that the session allows.
    public var request: TransferRequest
    /// The bytes that are known to be on disk; nil to begin from the start.
    public var checkpoint: TransferCheckpoint?
    /// The transfers whose partial file this transfer may reuse, oldest first. The engine uses the last transfer that
    /// has a file. Empty if this transfer has its own partial file.
    public var resumes: [TransferID]
    /// The time without a received byte after which the attempt fails.
    public var requestTimeout: Nanoseconds
    /// Whether a carrier process ended during the transfer. The engine then runs the transfer in its own process.
    public var isSuspect: Bool

    /// Created by the brain, and by the carrier when it reads the supervisor's message.
    public init(
        id: TransferID, attempt: Int32, request: TransferRequest, checkpoint: TransferCheckpoint?,
        resumes: [TransferID] = [], requestTimeout: Nanoseconds, isSuspect: Bool = false
    ) {
        self.id = id
        self.attempt = attempt
        self.request = request
        self.checkpoint = checkpoint
        self.resumes = resumes
        self.requestTimeout = requestTimeout
        self.isSuspect = isSuspect
    }
}
