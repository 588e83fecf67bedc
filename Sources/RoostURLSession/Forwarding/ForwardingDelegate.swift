import Foundation
import FoundationNetworking
import Synchronization

/// The delegate of a FoundationNetworking session. Every call is forwarded to the app's delegate with this module's
/// types.
final class ForwardingDelegate: NSObject, FoundationNetworking.URLSessionDataDelegate,
    FoundationNetworking.URLSessionDownloadDelegate
{
    private struct State {
        /// The app's session object; retained, as the delegate is, until the session is invalidated.
        var owner: URLSession?
        var delegate: (any URLSessionDelegate)?
        var tasks: [Int: URLSessionTask] = [:]
    }

    private let state: Mutex<State>

    init(_ delegate: any URLSessionDelegate) { state = Mutex(State(delegate: delegate)) }

    var delegate: (any URLSessionDelegate)? { state.withLock(\.delegate) }

    func begin(_ owner: URLSession) { state.withLock { $0.owner = owner } }

    func knows(_ task: URLSessionTask) { state.withLock { $0.tasks[task.taskIdentifier] = task } }

    func task(_ task: FoundationNetworking.URLSessionTask) -> URLSessionTask? {
        state.withLock { $0.tasks[task.taskIdentifier] }
    }

    /// The delegate to call, with this module's session and task; nil if the session is over or the task is unknown.
    private func target<Task: URLSessionTask>(
        _ task: FoundationNetworking.URLSessionTask, _ type: Task.Type
    ) -> (session: URLSession, task: Task, delegate: any URLSessionDelegate)? {
        let (owner, delegate, known) = state.withLock { ($0.owner, $0.delegate, $0.tasks[task.taskIdentifier]) }
        guard let owner, let delegate, let task = known as? Task else { return nil }
        return (owner, task, delegate)
    }

    func urlSession(_ session: FoundationNetworking.URLSession, didBecomeInvalidWithError error: (any Error)?) {
        let (owner, delegate) = state.withLock { state in
            defer { (state.owner, state.delegate) = (nil, nil) }
            return (state.owner, state.delegate)
        }
        if let owner { delegate?.urlSession(owner, didBecomeInvalidWithError: error) }
    }

    func urlSession(
        _ session: FoundationNetworking.URLSession, task: FoundationNetworking.URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        let target = target(task, URLSessionTask.self)
        state.withLock { _ = $0.tasks.removeValue(forKey: task.taskIdentifier) }
        guard let target else { return }
        (target.delegate as? any URLSessionTaskDelegate)?.urlSession(
            target.session, task: target.task, didCompleteWithError: error)
    }

    func urlSession(
        _ session: FoundationNetworking.URLSession, task: FoundationNetworking.URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        guard let target = target(task, URLSessionTask.self),
            let delegate = target.delegate as? any URLSessionTaskDelegate
        else { return completionHandler(request) }
        delegate.urlSession(
            target.session, task: target.task, willPerformHTTPRedirection: response, newRequest: request,
            completionHandler: completionHandler)
    }

    func urlSession(
        _ session: FoundationNetworking.URLSession, task: FoundationNetworking.URLSessionTask,
        didSendBodyData bytesSent: Int64, totalBytesSent: Int64, totalBytesExpectedToSend: Int64
    ) {
        guard let target = target(task, URLSessionTask.self) else { return }
        (target.delegate as? any URLSessionTaskDelegate)?.urlSession(
            target.session, task: target.task, didSendBodyData: bytesSent, totalBytesSent: totalBytesSent,
            totalBytesExpectedToSend: totalBytesExpectedToSend)
    }

    func urlSession(
        _ session: FoundationNetworking.URLSession, dataTask: FoundationNetworking.URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (FoundationNetworking.URLSession.ResponseDisposition) -> Void
    ) {
        guard let target = target(dataTask, URLSessionDataTask.self),
            let delegate = target.delegate as? any URLSessionDataDelegate
        else { return completionHandler(.allow) }
        delegate.urlSession(target.session, dataTask: target.task, didReceive: response) {
            completionHandler($0 == .allow ? .allow : .cancel)
        }
    }

    func urlSession(
        _ session: FoundationNetworking.URLSession, dataTask: FoundationNetworking.URLSessionDataTask,
        didReceive data: Data
    ) {
        guard let target = target(dataTask, URLSessionDataTask.self) else { return }
        (target.delegate as? any URLSessionDataDelegate)?.urlSession(
            target.session, dataTask: target.task, didReceive: data)
    }

    func urlSession(
        _ session: FoundationNetworking.URLSession, downloadTask: FoundationNetworking.URLSessionDownloadTask,
        didFinishDownloadingTo location: URL
    ) {
        guard let target = target(downloadTask, URLSessionDownloadTask.self) else { return }
        (target.delegate as? any URLSessionDownloadDelegate)?.urlSession(
            target.session, downloadTask: target.task, didFinishDownloadingTo: location)
    }

    func urlSession(
        _ session: FoundationNetworking.URLSession, downloadTask: FoundationNetworking.URLSessionDownloadTask,
        didWriteData bytesWritten: Int64, totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
        guard let target = target(downloadTask, URLSessionDownloadTask.self) else { return }
        (target.delegate as? any URLSessionDownloadDelegate)?.urlSession(
            target.session, downloadTask: target.task, didWriteData: bytesWritten,
            totalBytesWritten: totalBytesWritten, totalBytesExpectedToWrite: totalBytesExpectedToWrite)
    }
}
