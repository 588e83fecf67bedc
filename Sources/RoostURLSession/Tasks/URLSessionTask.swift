public import Foundation
public import FoundationNetworking

/// A task of a session. A new task is suspended; `resume()` starts it. Any thread.
///
/// The properties may be read at any time. Linux has no key-value observing, so only the delegate reports changes.
public class URLSessionTask: NSObject, @unchecked Sendable {
    // Sendable, because its only property, the body, is Sendable.

    /// The state of a task; raw values are Apple's.
    public enum State: Int, Sendable {
        /// The task is running, or waits for its turn.
        case running = 0
        /// The task is paused until it is resumed.
        case suspended = 1
        /// The task was canceled, but its delegate was not called yet.
        case canceling = 2
        /// The task is done.
        case completed = 3
    }

    /// The priority of most tasks.
    public static let defaultPriority: Float = 0.5
    /// The priority of work that may wait.
    public static let lowPriority: Float = 0.25
    /// The priority of work that the user waits for.
    public static let highPriority: Float = 0.75

    let body: any TaskBody

    init(_ body: any TaskBody) {
        self.body = body
        super.init()
    }

    /// The task's number in its session. A background session never reuses a number, even across launches.
    public var taskIdentifier: Int { body.identifier }
    /// The request that the task was created with.
    public var originalRequest: URLRequest? { body.originalRequest }
    /// The current request. It differs from `originalRequest` if the delegate gave a new request.
    public var currentRequest: URLRequest? { body.currentRequest }
    /// The response's head. For a background session's task, the head arrives with the file, so the response is nil in
    /// `didWriteData`.
    public var response: URLResponse? { body.response }
    /// The reason for the failure; nil if the task has not failed.
    public var error: (any Error)? { body.error }
    /// The current state.
    public var state: State { body.state }
    /// The progress, for display.
    public var progress: Progress { body.progress }

    /// The number of bytes that have arrived.
    public var countOfBytesReceived: Int64 { body.received }
    /// The expected number of bytes; `NSURLSessionTransferSizeUnknown` if unknown.
    public var countOfBytesExpectedToReceive: Int64 { body.expectedToReceive }
    /// The number of sent bytes of the body.
    public var countOfBytesSent: Int64 { body.sent }
    /// The number of bytes to send.
    public var countOfBytesExpectedToSend: Int64 { body.expectedToSend }

    /// A text for the app's own use; nil for none. The system persists up to 4 KiB of it for a background session's
    /// task.
    public var taskDescription: String? {
        get { body.text }
        set { body.text = newValue }
    }

    /// The relative priority, from 0 to 1.
    public var priority: Float {
        get { body.priority }
        set { body.priority = newValue }
    }

    /// The earliest time at which a background session starts the task; nil for no limit.
    public var earliestBeginDate: Date? {
        get { body.earliestBegin }
        set { body.earliestBegin = newValue }
    }

    /// The app's estimate of the bytes to send.
    public var countOfBytesClientExpectsToSend: Int64 {
        get { body.clientExpectsToSend }
        set { body.clientExpectsToSend = newValue }
    }

    /// The app's estimate of the bytes to receive.
    public var countOfBytesClientExpectsToReceive: Int64 {
        get { body.clientExpectsToReceive }
        set { body.clientExpectsToReceive = newValue }
    }

    /// Starts or resumes the task.
    public func resume() { body.resume() }

    /// Pauses the task.
    public func suspend() { body.suspend() }

    /// Cancels the task; its delegate receives `NSURLErrorCancelled`.
    public func cancel() { body.cancel() }
}

// Sendable: these subclasses add no properties.

/// A task whose response arrives as pieces of data.
public class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}

/// A task that sends a body.
public final class URLSessionUploadTask: URLSessionDataTask, @unchecked Sendable {}

/// A task whose response arrives as a file.
public final class URLSessionDownloadTask: URLSessionTask, @unchecked Sendable {
    /// Cancels the task, and passes resume data to a handler on the delegate's queue. The data is nil if no
    /// bytes have arrived, or if the server did not identify the file's version.
    @preconcurrency public func cancel(byProducingResumeData completionHandler: @escaping @Sendable (Data?) -> Void) {
        body.cancel(byProducingResumeData: completionHandler)
    }

    /// Cancels the task and returns resume data; see `cancel(byProducingResumeData:)`.
    public func cancelByProducingResumeData() async -> Data? {
        await withCheckedContinuation { continuation in
            cancel { continuation.resume(returning: $0) }
        }
    }
}
