public import Foundation
import FoundationNetworking

/// Makes tasks that ask servers, and tells a delegate what becomes of them.
///
/// The downloads of a session whose configuration is `URLSessionConfiguration.background(withIdentifier:)` are carried by
/// Roost's system, whatever becomes of the app. Every other session is FoundationNetworking's, under the same names.
public final class URLSession: NSObject, @unchecked Sendable {
    // Sendable: all of it is constant.

    /// What to do with a delayed request.
    public enum DelayedRequestDisposition: Int, Sendable {
        /// Send it as it is.
        case continueLoading = 0
        /// Send another.
        case useNewRequest = 1
        /// Send none: the task is cancelled.
        case cancel = 2
    }

    /// What to do with an answer.
    public enum ResponseDisposition: Int, Sendable {
        /// Take no more of it.
        case cancel = 0
        /// Take it.
        case allow = 1
    }

    /// Who does the work.
    enum Worker {
        case system(BackgroundSession)
        case foundation(FoundationNetworking.URLSession, ForwardingDelegate?)
    }

    /// The session for what needs no configuration and no delegate.
    public static let shared = URLSession(foundation: .shared)

    let worker: Worker
    private let made: URLSessionConfiguration

    /// For the app's own use.
    public let sessionDescription: String? = nil

    /// A session without a delegate.
    public convenience init(configuration: URLSessionConfiguration) {
        self.init(configuration: configuration, delegate: nil, delegateQueue: nil)
    }

    /// A session whose delegate is called on a queue, in order; nil for a queue of its own. The delegate is held until the
    /// session is invalidated.
    ///
    /// A background session attaches to the tasks that there are, of whatever launch. To be made with the same identifier
    /// at every launch, and once: a second object of the same identifier is one more name for the first.
    public init(
        configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?,
        delegateQueue queue: OperationQueue?
    ) {
        // A copy of a configuration is a configuration.
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

    /// A copy of what it was made with.
    public var configuration: URLSessionConfiguration { made.copy() as? URLSessionConfiguration ?? made }

    /// Where the delegate is called.
    public var delegateQueue: OperationQueue {
        switch worker {
        case .system(let session): session.queue.operations
        case .foundation(let session, _): session.delegateQueue
        }
    }

    /// Who is told; nil once it is invalidated.
    public var delegate: (any URLSessionDelegate)? {
        switch worker {
        case .system(let session): session.delegate
        case .foundation(_, let forwarding): forwarding?.delegate
        }
    }

    // MARK: The session

    /// Lets the tasks end, and then is over.
    public func finishTasksAndInvalidate() {
        switch worker {
        case .system(let session): session.finishTasksAndInvalidate()
        case .foundation(let session, _): session.finishTasksAndInvalidate()
        }
    }

    /// Cancels the tasks, and then is over.
    public func invalidateAndCancel() {
        switch worker {
        case .system(let session): session.invalidateAndCancel()
        case .foundation(let session, _): session.invalidateAndCancel()
        }
    }

    /// The tasks that are not done; in a background session those of earlier launches as well. The handler is called on the
    /// delegate's queue.
    @preconcurrency public func getAllTasks(completionHandler: @escaping @Sendable ([URLSessionTask]) -> Void) {
        switch worker {
        case .system(let session): session.tasks { completionHandler($0) }
        case .foundation(let session, let forwarding):
            session.getAllTasks { tasks in completionHandler(tasks.compactMap { Forwarded.task($0, of: forwarding) }) }
        }
    }

    /// As `getAllTasks(completionHandler:)`, sorted by kind.
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

    /// The tasks that are not done.
    public var allTasks: [URLSessionTask] {
        get async {
            await withCheckedContinuation { continuation in
                getAllTasks { continuation.resume(returning: $0) }
            }
        }
    }

    /// The tasks that are not done, sorted by kind.
    public var tasks: ([URLSessionDataTask], [URLSessionUploadTask], [URLSessionDownloadTask]) {
        get async {
            await withCheckedContinuation { continuation in
                getTasksWithCompletionHandler { continuation.resume(returning: ($0, $1, $2)) }
            }
        }
    }

    /// Forgets cookies, caches and credentials.
    @preconcurrency public func reset(completionHandler: @escaping @Sendable () -> Void) {
        switch worker {
        case .system(let session): session.later(completionHandler)
        case .foundation(let session, _): session.reset(completionHandler: completionHandler)
        }
    }

    /// Writes what is kept to disk.
    @preconcurrency public func flush(completionHandler: @escaping @Sendable () -> Void) {
        switch worker {
        case .system(let session): session.later(completionHandler)
        case .foundation(let session, _): session.flush(completionHandler: completionHandler)
        }
    }
}
