/// A download task as the app makes it.
public struct NewTransfer: Hashable, Sendable, Codable {
    /// `taskIdentifier`.
    public var number: Int64
    /// What is asked for.
    public var request: TransferRequest
    /// The app's own task whose partial file it goes on with, from resume data: its session and its number.
    public var resumes: TransferID?

    /// A task of these.
    public init(number: Int64, request: TransferRequest, resumes: TransferID? = nil) {
        self.number = number
        self.request = request
        self.resumes = resumes
    }
}

/// What an app does with a background session of its own, or with a task of it.
public enum TransferAct: Hashable, Sendable, Codable {
    /// The session object was made: attaches to what there is, or begins a session. Said again after a reconnection.
    case open(TransferSessionConfiguration)
    /// A download task was made.
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
    /// `getAllTasks`, a page: those with a number above this one.
    case list(after: Int64)
    /// Outcomes whose delegate calls have returned: they are delivered.
    case acknowledge([Int64])
    /// The most outcomes that are acknowledged at once.
    public static let mostAcknowledged = 1000

    case finishTasksAndInvalidate
    case invalidateAndCancel
    /// The completion handler of `handleEventsForBackgroundURLSession` was called.
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
    /// All transfers of a session are done: `application(_:handleEventsForBackgroundURLSession:completionHandler:)`.
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
}

/// What the system tells an app of a session it has open.
public enum TransferNews: Hashable, Sendable, Codable {
    /// The most tasks that `listed` holds.
    public static let mostListed = 200

    /// The session is open, and is this one, by which resume data names it; `lowestFree` is a number above every task's
    /// that there is.
    case opened(TransferSessionID, lowestFree: Int64)
    /// The tasks there are, in the order of their numbers, those among them whose outcome is still owed: an app that was
    /// launched anew knows of them by this alone. `isLast` where none is left.
    case listed([TransferSummary], isLast: Bool)
    /// `didWriteData`: so much has arrived. The newest counts; some are left out.
    case progressed(Int64, received: Int64, expected: Int64?)
    /// `didResumeAtOffset`.
    case resumed(Int64, offset: Int64, expected: Int64?)
    /// `willBeginDelayedRequest`: it waits for the answer.
    case willBegin(Int64)
    /// `didFinishDownloadingTo`, then `didCompleteWithError` without an error: the file lies below the container.
    case downloaded(Int64, file: String, TransferResponse, size: Int64)
    /// `didCompleteWithError`.
    case failed(Int64, TransferFailure)
    /// `urlSessionDidFinishEvents(forBackgroundURLSession:)`: everything owed was delivered.
    case eventsFinished
    /// `didBecomeInvalidWithError`.
    case invalidated
}

/// A task as `getAllTasks` tells it.
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
    /// Whether it is suspended, by the app.
    public var isSuspended: Bool
    /// `countOfBytesReceived`.
    public var received: Int64
    /// `countOfBytesExpectedToReceive`.
    public var expected: Int64?

    /// A summary of these.
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
