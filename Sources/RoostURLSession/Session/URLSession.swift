public import Foundation
import FoundationNetworking

/// A session that creates tasks for network requests and reports to a delegate. Any thread.
///
/// If its configuration is `URLSessionConfiguration.background(withIdentifier:)`, Roost's system performs its
/// downloads, even while the app is suspended or not running. FoundationNetworking performs the work of every
/// other session, with the same names.
public final class URLSession: NSObject, @unchecked Sendable {
    // Sendable: all of its properties are constant.

    /// The answer to `willBeginDelayedRequest`.
    public enum DelayedRequestDisposition: Int, Sendable {
        /// Send the request unchanged.
        case continueLoading = 0
        /// Send another request.
        case useNewRequest = 1
        /// Send no request: the task is canceled.
        case cancel = 2
    }

    /// The decision about a received response.
    public enum ResponseDisposition: Int, Sendable {
        /// Do not receive the body.
        case cancel = 0
        /// Receive the body.
        case allow = 1
    }

    /// The implementation that performs the work.
    enum Worker {
        case system(BackgroundSession)
        case foundation(FoundationNetworking.URLSession, ForwardingDelegate?)
    }

    /// The session for requests without a configuration or delegate.
    public static let shared = URLSession(foundation: .shared)

    let worker: Worker
    private let made: URLSessionConfiguration

    /// A description for the app's own use; always nil.
    public let sessionDescription: String? = nil

    /// Creates a session without a delegate.
    public convenience init(configuration: URLSessionConfiguration) {
        self.init(configuration: configuration, delegate: nil, delegateQueue: nil)
    }

    /// Creates a session. The session calls its delegate on a queue, in order; nil creates a new serial queue. The
    /// session retains the delegate until it is invalidated.
    ///
    /// A background session attaches to its existing tasks, including the tasks of earlier launches. Create it with the
    /// same identifier at every launch. A second object with the same identifier represents the same session
    ///
    public init(
        configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?,
        delegateQueue queue: OperationQueue?
    ) {
        // The cast succeeds: a copy of a configuration is a configuration.
        made = configuration.copy() as? URLSessionConfiguration ?? configuration
        if made.identifier != nil {
            let session = BackgroundSession.open(made, delegate: delegate, queue: queue)
            worker = .system(session)
            super.init()
            session.begin(self)
        } else {
            let forwarding = delegate.map(ForwardingDelegate.init)
            worker = .foundation(
                FoundationNetworking.URLSession(
                    configuration: made.base, delegate: forwarding, delegateQueue: queue), forwarding)
            super.init()
            forwarding?.begin(self)
        }
    }

    private init(foundation: FoundationNetworking.URLSession) {
        made = .default
        worker = .foundation(foundation, nil)
        super.init()
    }

    /// A copy: changes to it have no effect on the session.
    public var configuration: URLSessionConfiguration { made.copy() as? URLSessionConfiguration ?? made }

    /// The queue on which the delegate is called.
    public var delegateQueue: OperationQueue {
        switch worker {
        case .system(let session): session.queue.operations
        case .foundation(let session, _): session.delegateQueue
        }
    }

    /// The delegate; nil without a delegate, or if the session is invalid.
    public var delegate: (any URLSessionDelegate)? {
        switch worker {
        case .system(let session): session.delegate
        case .foundation(_, let forwarding): forwarding?.delegate
        }
    }

    // MARK: The session

    /// Invalidates the session after its tasks have ended.
    public func finishTasksAndInvalidate() {
        switch worker {
        case .system(let session): session.finishTasksAndInvalidate()
        case .foundation(let session, _): session.finishTasksAndInvalidate()
        }
    }

    /// Cancels the tasks and invalidates the session.
    public func invalidateAndCancel() {
        switch worker {
        case .system(let session): session.invalidateAndCancel()
        case .foundation(let session, _): session.invalidateAndCancel()
        }
    }

    /// Passes the unfinished tasks to a handler, on the delegate's queue. A background session includes the tasks of
    /// earlier launches.
    @preconcurrency public func getAllTasks(completionHandler: @escaping @Sendable ([URLSessionTask]) -> Void) {
        switch worker {
        case .system(let session): session.tasks { completionHandler($0) }
        case .foundation(let session, let forwarding):
            session.getAllTasks { tasks in completionHandler(tasks.compactMap { Forwarded.task($0, of: forwarding) }) }
        }
    }

    /// Passes the unfinished tasks to a handler, sorted by kind, on the delegate's queue.
    @preconcurrency public func getTasksWithCompletionHandler(
        _ completionHandler:
            @escaping @Sendable ([URLSessionDataTask], [URLSessionUploadTask], [URLSessionDownloadTask]) -> Void
    ) {
        getAllTasks { tasks in
            completionHandler(
                tasks.compactMap { $0 is URLSessionUploadTask ? nil : $0 as? URLSessionDataTask },
                tasks.compactMap { $0 as? URLSessionUploadTask }, tasks.compactMap { $0 as? URLSessionDownloadTask })
        }
    }

    /// The unfinished tasks.
    public var allTasks: [URLSessionTask] {
        get async {
            await withCheckedContinuation { continuation in
                getAllTasks { continuation.resume(returning: $0) }
            }
        }
    }

    /// The unfinished tasks, sorted by kind.
    public var tasks: ([URLSessionDataTask], [URLSessionUploadTask], [URLSessionDownloadTask]) {
        get async {
            await withCheckedContinuation { continuation in
                getTasksWithCompletionHandler { continuation.resume(returning: ($0, $1, $2)) }
            }
        }
    }

    /// Removes cookies, caches and credentials. A background session only calls the handler.
    @preconcurrency public func reset(completionHandler: @escaping @Sendable () -> Void) {
        switch worker {
        case .system(let session): session.later(completionHandler)
        case .foundation(let session, _): session.reset(completionHandler: completionHandler)
        }
    }

    /// Writes pending data to disk. A background session only calls the handler.
    @preconcurrency public func flush(completionHandler: @escaping @Sendable () -> Void) {
        switch worker {
        case .system(let session): session.later(completionHandler)
        case .foundation(let session, _): session.flush(completionHandler: completionHandler)
        }
    }
}
