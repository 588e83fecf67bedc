/// A download task as the app makes it.
public struct NewTransfer: Hashable, Sendable, Codable {
    /// `taskIdentifier`.
    public var number: Int64
    /// The app's `URLRequest`.
    public var request: TransferRequest
    /// The app's own task whose partial file it resumes, from resume data.
    public var resumes: TransferID?

    /// Without `resumes`, the transfer begins at the first byte.
    public init(number: Int64, request: TransferRequest, resumes: TransferID? = nil) {
        self.number = number
        self.request = request
        self.resumes = resumes
    }
}

/// An app's request about one of its background sessions, or a task of it.
public enum TransferAct: Hashable, Sendable, Codable {
    /// The app made the session object: opens the existing session, or a new one. The request is sent again after a
    /// reconnection.
    case open(TransferSessionConfiguration)
    /// The app made a download task.
    case make(NewTransfer)
    case resume(Int64)
    case suspend(Int64)
    /// `cancel()`, or `cancel(byProducingResumeData:)`.
    case cancel(Int64, keepsPartial: Bool)
    /// `priority`, in thousandths.
    case setPriority(Int64, Int32)
    /// `taskDescription`, of at most `TransferRequest.longestText` bytes.
    case setText(Int64, String?)
    /// `earliestBeginDate`, on the wall clock.
    case setEarliestBegin(Int64, Nanoseconds?)
    /// `countOfBytesClientExpectsToReceive`.
    case setExpectedToReceive(Int64, Int64?)
    /// The delegate's answer to `willBeginDelayedRequest`.
    case proceed(Int64, DelayedRequestDisposition)
    /// A page of `getAllTasks`: the tasks with a higher number.
    case list(after: Int64)
    /// The delegate calls for these outcomes have returned: the outcomes are delivered.
    case acknowledge([Int64])
    /// The most outcomes that are acknowledged at once.
    public static let mostAcknowledged = 1000

    case finishTasksAndInvalidate
    case invalidateAndCancel
    /// The app called the completion handler of `handleEventsForBackgroundURLSession`.
    case handled
}

/// `URLSession.DelayedRequestDisposition`, with the new request.
public enum DelayedRequestDisposition: Hashable, Sendable, Codable {
    case continueLoading
    case useNewRequest(TransferRequest)
    case cancel
}

/// A call of an app's code that concerns its background sessions.
public enum TransferCall: Hashable, Sendable, Codable, DeliveredCall {
    /// All transfers of a session have ended: `application(_:handleEventsForBackgroundURLSession:completionHandler:)`
    ///
    case handleEvents(SessionIdentifier)

    /// The delegate methods, as Apple writes them.
    public enum Method: String, CaseIterable {
        case handleEventsForBackgroundURLSession =
            "application(_:handleEventsForBackgroundURLSession:completionHandler:)"
    }

    var method: Method {
        switch self {
        case .handleEvents: .handleEventsForBackgroundURLSession
        }
    }

    func handler(of callback: CallbackID) -> CompletionHandler? {
        switch self {
        case .handleEvents(let session): .session(session)
        }
    }

    func replaces(_ older: ConcernCall) -> Bool { older == .transfer(self) }
    func withdraws(_ older: ConcernCall) -> Bool { false }
}

/// News of a session that the app has open.
public enum TransferNews: Hashable, Sendable, Codable {
    /// The most tasks in `listed`.
    public static let mostListed = 200

    /// The session is open. The id names the session in resume data. `lowestFree` is a number above the numbers of all
    /// its tasks.
    case opened(TransferSessionID, lowestFree: Int64)
    /// The session's tasks, in the order of their numbers, including those with a pending outcome. A new launch of the
    /// app learns of them only from this list. `isLast` says that no page follows.
    case listed([TransferSummary], isLast: Bool)
    /// `didWriteData`: the number of bytes that have arrived. Only the newest number counts, and some numbers are not
    /// sent.
    case progressed(Int64, received: Int64, expected: Int64?)
    /// `didResumeAtOffset`.
    case resumed(Int64, offset: Int64, expected: Int64?)
    /// `willBeginDelayedRequest`: the task waits for the answer.
    case willBegin(Int64)
    /// `didFinishDownloadingTo`, then `didCompleteWithError` without an error. `file` is a path below the app's
    /// container.
    case downloaded(Int64, file: String, TransferResponse, size: Int64)
    /// `didCompleteWithError`.
    case failed(Int64, TransferFailure)
    /// `urlSessionDidFinishEvents(forBackgroundURLSession:)`: all pending outcomes are delivered.
    case eventsFinished
    /// `didBecomeInvalidWithError`.
    case invalidated
}

/// A task in the result of `getAllTasks`.
public struct TransferSummary: Hashable, Sendable, Codable {
    /// `taskIdentifier`.
    public var number: Int64
    /// `originalRequest`.
    public var request: TransferRequest
    /// `taskDescription`.
    public var text: String?
    /// `priority`, in thousandths.
    public var priority: Int32
    /// `earliestBeginDate`.
    public var earliestBegin: Nanoseconds?
    /// Whether the app has suspended the task, or not resumed it yet.
    public var isSuspended: Bool
    /// `countOfBytesReceived`.
    public var received: Int64
    /// `countOfBytesExpectedToReceive`.
    public var expected: Int64?

    /// Created by the brain from its record, and by an app that reads the system's message.
    public init(
        number: Int64, request: TransferRequest, text: String?, priority: Int32, earliestBegin: Nanoseconds?,
        isSuspended: Bool, received: Int64, expected: Int64?
    ) {
        self.number = number
        self.request = request
        self.text = text
        self.priority = priority
        self.earliestBegin = earliestBegin
        self.isSuspended = isSuspended
        self.received = received
        self.expected = expected
    }
}

extension TransferNews: AppMessage {
    package func subjectBuiltUpon(for app: AppID) -> RecordSubject? { .sessions(of: app) }
    package var isProgress: Bool { if case .progressed = self { true } else { false } }
}
