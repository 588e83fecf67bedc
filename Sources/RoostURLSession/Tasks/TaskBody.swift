import Foundation
import FoundationNetworking

/// The implementation of a task: the system, or FoundationNetworking.
protocol TaskBody: AnyObject, Sendable {
    var identifier: Int { get }
    var originalRequest: URLRequest? { get }
    var currentRequest: URLRequest? { get }
    var response: URLResponse? { get }
    var error: (any Error)? { get }
    var state: URLSessionTask.State { get }
    var progress: Progress { get }
    var received: Int64 { get }
    var expectedToReceive: Int64 { get }
    var sent: Int64 { get }
    var expectedToSend: Int64 { get }

    var text: String? { get set }
    var priority: Float { get set }
    var earliestBegin: Date? { get set }
    var clientExpectsToSend: Int64 { get set }
    var clientExpectsToReceive: Int64 { get set }

    func resume()
    func suspend()
    func cancel()
    /// Cancels the task, and passes resume data to the handler; nil if the task cannot be resumed.
    func cancel(byProducingResumeData handler: @escaping @Sendable (Data?) -> Void)
}
