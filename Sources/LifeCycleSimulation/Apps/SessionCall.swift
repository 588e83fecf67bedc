public import LifeCycleModel

/// A call to a method of a background session's delegate, for one task or for the session.
public struct SessionCall: Hashable, Sendable {
    /// The methods, by the part of their names after `urlSession`. Progress calls are left out.
    public enum Method: String, Hashable, Sendable, CaseIterable {
        case willBeginDelayedRequest, didResumeAtOffset, didFinishDownloadingTo, didCompleteWithError
        case urlSessionDidFinishEvents
    }

    /// The delegate's method.
    public let method: Method
    /// The identifier of the background session whose delegate is called.
    public let session: SessionIdentifier
    /// The task; nil if the call is for the session.
    public let task: Int64?
    /// The URL of the task; nil if there is no task.
    public let url: String?
    /// The reason for a failed task; nil if the task did not fail.
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
