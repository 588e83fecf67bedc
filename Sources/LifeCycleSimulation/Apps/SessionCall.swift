public import LifeCycleModel

/// A method of a background session's delegate, as it is called for one task, or for the session.
public struct SessionCall: Hashable, Sendable {
    /// The methods, by what follows `urlSession` in their names; how a download goes on in between is told as well, and is
    /// no matter here.
    public enum Method: String, Hashable, Sendable, CaseIterable {
        case willBeginDelayedRequest, didResumeAtOffset, didFinishDownloadingTo, didCompleteWithError
        case urlSessionDidFinishEvents
    }

    /// Which.
    public let method: Method
    /// Of which session.
    public let session: SessionIdentifier
    /// Of which of its tasks; nil for what is the session's.
    public let task: Int64?
    /// What that downloads; nil where there is no task.
    public let url: String?
    /// Why it came to nothing; nil where it did not.
    public let failure: TransferFailure?

    init(
        _ method: Method, of session: SessionIdentifier, task: Int64? = nil, url: String? = nil,
        failure: TransferFailure? = nil
    ) {
        self.method = method
        self.session = session
        self.task = task
        self.url = url
        self.failure = failure
    }
}
