public import Foundation
public import FoundationNetworking

/// A task of a session. It is made suspended: `resume()` sets it going. For any thread.
///
/// A task's state may be asked at any time; there is no key-value observing on Linux, the delegate tells of changes.
public class URLSessionTask: NSObject, @unchecked Sendable {
    // Sendable: it holds nothing but its body, which is.

    /// Where a task is.
    public enum State: Int, Sendable {
        /// It goes on, or waits for its turn.
        case running = 0
        /// It rests until it is resumed.
        case suspended = 1
        /// It was cancelled, and its delegate is yet to hear so.
        case canceling = 2
        /// It is done.
        case completed = 3
    }

    /// What most tasks have.
    public static let defaultPriority: Float = 0.5
    /// For what may wait.
    public static let lowPriority: Float = 0.25
    /// For what somebody waits for.
    public static let highPriority: Float = 0.75

    let body: any TaskBody

    init(_ body: any TaskBody) {
        self.body = body
        super.init()
    }

    /// Its number in its session. Those of a background session's are unlike those of every earlier launch.
    public var taskIdentifier: Int { body.identifier }
    /// The request it was made with.
    public var originalRequest: URLRequest? { body.originalRequest }
    /// The request as it is now.
    public var currentRequest: URLRequest? { body.currentRequest }
    /// The head of the answer. That of a background session's task is there with its file: `nil` in `didWriteData`.
    public var response: URLResponse? { body.response }
    /// Why it failed.
    public var error: (any Error)? { body.error }
    /// Where it is.
    public var state: State { body.state }
    /// How far it is, to be shown.
    public var progress: Progress { body.progress }

    /// How much has arrived.
    public var countOfBytesReceived: Int64 { body.received }
    /// How much is to arrive; `NSURLSessionTransferSizeUnknown` where the server has not said.
    public var countOfBytesExpectedToReceive: Int64 { body.expectedToReceive }
    /// How much of the body was sent.
    public var countOfBytesSent: Int64 { body.sent }
    /// How much is to be sent.
    public var countOfBytesExpectedToSend: Int64 { body.expectedToSend }

    /// For the app's own use. The system keeps that of a background session's task, up to 4 KiB of it.
    public var taskDescription: String? {
        get { body.text }
        set { body.text = newValue }
    }

    /// How it stands among others, from 0 to 1.
    public var priority: Float {
        get { body.priority }
        set { body.priority = newValue }
    }

    /// Before which a background session does not begin it.
    public var earliestBeginDate: Date? {
        get { body.earliestBegin }
        set { body.earliestBegin = newValue }
    }

    /// How much the app believes it will send.
    public var countOfBytesClientExpectsToSend: Int64 {
        get { body.clientExpectsToSend }
        set { body.clientExpectsToSend = newValue }
    }

    /// How much the app believes will arrive.
    public var countOfBytesClientExpectsToReceive: Int64 {
        get { body.clientExpectsToReceive }
        set { body.clientExpectsToReceive = newValue }
    }

    /// Sets it going.
    public func resume() { body.resume() }

    /// Lets it rest.
    public func suspend() { body.suspend() }

    /// Ends it: its delegate hears so, with `NSURLErrorCancelled`.
    public func cancel() { body.cancel() }
}

// Sendable, as what they inherit from: none of these adds anything it holds.

/// A task whose answer comes in pieces of data.
public class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}

/// A task that sends a body of its own.
public final class URLSessionUploadTask: URLSessionDataTask, @unchecked Sendable {}

/// A task whose answer comes as a file.
public final class URLSessionDownloadTask: URLSessionTask, @unchecked Sendable {
    /// Ends it, and hands over what another task can go on with: nil where there is nothing, or nothing by which the server
    /// could tell that its file is still the same. The handler is called on the delegate's queue.
    @preconcurrency public func cancel(byProducingResumeData completionHandler: @escaping @Sendable (Data?) -> Void) {
        body.cancel(byProducingResumeData: completionHandler)
    }

    /// As `cancel(byProducingResumeData:)`.
    public func cancelByProducingResumeData() async -> Data? {
        await withCheckedContinuation { continuation in
            cancel { continuation.resume(returning: $0) }
        }
    }
}
