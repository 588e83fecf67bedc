import Foundation
import FoundationNetworking
import Synchronization

/// A task that FoundationNetworking performs.
final class ForwardedTask: TaskBody {
    private struct TaskSettings {
        var earliestBegin: Date?
        var clientExpectsToSend = NSURLSessionTransferSizeUnknown
        var clientExpectsToReceive = NSURLSessionTransferSizeUnknown
    }

    private let task: FoundationNetworking.URLSessionTask
    /// Values that only a background session uses; stored and returned.
    private let settings = Mutex(TaskSettings())

    init(_ task: FoundationNetworking.URLSessionTask) { self.task = task }

    var identifier: Int { task.taskIdentifier }
    var originalRequest: URLRequest? { task.originalRequest }
    var currentRequest: URLRequest? { task.currentRequest }
    var response: URLResponse? { task.response }
    var error: (any Error)? { task.error }
    var progress: Progress { task.progress }
    var received: Int64 { task.countOfBytesReceived }
    var expectedToReceive: Int64 { task.countOfBytesExpectedToReceive }
    var sent: Int64 { task.countOfBytesSent }
    var expectedToSend: Int64 { task.countOfBytesExpectedToSend }

    var state: URLSessionTask.State {
        switch task.state {
        case .running: .running
        case .suspended: .suspended
        case .canceling: .canceling
        case .completed: .completed
        }
    }

    var text: String? {
        get { task.taskDescription }
        set { task.taskDescription = newValue }
    }

    var priority: Float {
        get { task.priority }
        set { task.priority = newValue }
    }

    var earliestBegin: Date? {
        get { settings.withLock(\.earliestBegin) }
        set { settings.withLock { $0.earliestBegin = newValue } }
    }

    var clientExpectsToSend: Int64 {
        get { settings.withLock(\.clientExpectsToSend) }
        set { settings.withLock { $0.clientExpectsToSend = newValue } }
    }

    var clientExpectsToReceive: Int64 {
        get { settings.withLock(\.clientExpectsToReceive) }
        set { settings.withLock { $0.clientExpectsToReceive = newValue } }
    }

    func resume() { task.resume() }
    func suspend() { task.suspend() }
    func cancel() { task.cancel() }

    /// Cancels without resume data: FoundationNetworking keeps no partial data and never calls the handler.
    func cancel(byProducingResumeData handler: @escaping @Sendable (Data?) -> Void) {
        task.cancel()
        handler(nil)
    }
}
