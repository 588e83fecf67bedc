import Foundation
import FoundationNetworking
import LifeCycleModel
import RoostKit
import Synchronization

/// A background session. The object sends the app's requests to the system, and the system's news to the delegate, on
/// the delegate's queue and in order. Like the app's session object, it lives until the session is invalidated.
final class BackgroundSession: TransferListener {
    private struct State {
        /// The app's session object; retained, as the delegate is, until the session is invalidated.
        var owner: URLSession?
        var delegate: (any URLSessionDelegate)?
        /// The tasks without an outcome, and the tasks whose delegate call has not returned.
        var tasks: [Int64: URLSessionDownloadTask] = [:]
        var next = firstNumber()
        var id: TransferSessionID?
        /// Whether the tasks of earlier launches are included.
        var knowsTasks = false
        var waitingForTasks: [@Sendable () -> Void] = []
        var isInvalidating = false
    }

    let identifier: SessionIdentifier
    let queue: DelegateQueue
    private let app: AppSession
    private let state: Mutex<State>

    private init(
        _ identifier: SessionIdentifier, app: AppSession, delegate: (any URLSessionDelegate)?, queue: OperationQueue?
    ) {
        self.identifier = identifier
        self.app = app
        self.queue = DelegateQueue(queue)
        state = Mutex(State(delegate: delegate))
    }

    /// Opens a session, or returns the existing session with this identifier: a second session would receive no news
    ///
    static func open(
        _ configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?, queue: OperationQueue?
    ) -> BackgroundSession {
        guard let identifier = SessionIdentifier(configuration.identifier ?? "") else {
            preconditionFailure(
                "a background session needs an identifier, of at most \(SessionIdentifier.longest) bytes")
        }
        let app = AppSession.current
        let session = BackgroundSession(identifier, app: app, delegate: delegate, queue: queue)
        let other = app.open(identifier, TransferSessionConfiguration(configuration), listener: session)
        if delegate == nil, other == nil {
            app.log("A background URLSession needs a delegate; without one, the app is not notified of \(identifier).")
        }
        guard let other = other as? BackgroundSession else { return session }
        app.log("A background URLSession with identifier \(identifier) already exists!")
        return other
    }

    /// Sets the app's session object. From then on the delegate may be called.
    func begin(_ owner: URLSession) {
        let isFirst = state.withLock { state in
            guard state.owner == nil else { return false }
            state.owner = owner
            return true
        }
        if isFirst { queue.start() }
    }

    var delegate: (any URLSessionDelegate)? { state.withLock(\.delegate) }

    /// A random first task number. Numbers must differ from those of every earlier launch, whose tasks may still exist
    /// and are loaded later. First numbers are far apart, and all numbers stay below 2^53, which numbers in any
    /// language can hold.
    private static func firstNumber() -> Int64 { Int64(UInt32.random(in: 1...UInt32.max)) << 20 + 1 }

    // MARK: The app's actions

    /// Sends a request about the session to the system.
    func say(_ act: TransferAct) { app.transfer(act, of: identifier) }

    /// Calls a closure on the delegate's queue.
    func later(_ call: @escaping @Sendable () -> Void) { queue.add(call) }

    func downloadTask(_ request: URLRequest) -> URLSessionDownloadTask {
        do throws(RequestRefusal) {
            return make(request, try TransferRequest(request))
        } catch {
            return make(request, nil, refusal: error)
        }
    }

    func downloadTask(resuming data: Data) -> URLSessionDownloadTask {
        guard let resume = ResumeData(data) else {
            return make(
                nil, nil,
                refusal: RequestRefusal(code: NSURLErrorCannotOpenFile, reason: "cannot read the resume data"))
        }
        return make(resume.request.urlRequest, resume.request, resumes: resume.task)
    }

    /// A task that fails as soon as it is resumed.
    func refused(_ request: URLRequest?, code: Int, reason: String) -> BackgroundTransfer {
        BackgroundTransfer(
            nextNumber(), request, nil, refusal: RequestRefusal(code: code, reason: reason), in: self)
    }

    private func nextNumber() -> Int64 {
        state.withLock { state in
            guard !state.isInvalidating else {
                preconditionFailure("Task created in a session that has been invalidated")
            }
            defer { state.next += 1 }
            return state.next
        }
    }

    private func make(
        _ original: URLRequest?, _ request: TransferRequest?, refusal: RequestRefusal? = nil, resumes: TransferID? = nil
    ) -> URLSessionDownloadTask {
        let number = nextNumber()
        let body = BackgroundTransfer(number, original, request, refusal: refusal, in: self)
        let task = URLSessionDownloadTask(body)
        state.withLock { $0.tasks[number] = task }
        if refusal == nil, let request {
            say(.make(NewTransfer(number: number, request: request, resumes: resumes)))
        }
        return task
    }

    /// Passes the unfinished tasks to a handler, once the tasks of earlier launches are known. Called on the delegate's
    /// queue.
    func tasks(_ handler: @escaping @Sendable ([URLSessionDownloadTask]) -> Void) {
        let call: @Sendable () -> Void = { [self] in
            handler(
                state.withLock { $0.tasks.sorted { $0.key < $1.key }.map(\.value) }
                    .filter { $0.state != .completed })
        }
        let isNow = state.withLock { state in
            if !state.knowsTasks { state.waitingForTasks.append(call) }
            return state.knowsTasks
        }
        if isNow { later(call) }
    }

    func finishTasksAndInvalidate() { invalidate(.finishTasksAndInvalidate) }
    func invalidateAndCancel() { invalidate(.invalidateAndCancel) }

    private func invalidate(_ act: TransferAct) {
        state.withLock { $0.isInvalidating = true }
        say(act)
    }

    // MARK: Messages from the system

    func receive(_ news: TransferNews) {
        switch news {
        case .opened(let id, _): state.withLock { $0.id = id }
        case .listed(let page, let isLast): list(page, isLast: isLast)
        case .progressed(let number, let received, let expected):
            guard let (task, body) = known(number), body.hasReceived(received, of: expected) else { return }
            later { [self] in deliverProgress(of: task, body) }
        case .resumed(let number, let offset, let expected):
            guard let (task, body) = known(number) else { return }
            body.hasResumed(at: offset, of: expected)
            tell { session, delegate in
                (delegate as? any URLSessionDownloadDelegate)?.urlSession(
                    session, downloadTask: task, didResumeAtOffset: offset,
                    expectedTotalBytes: expected ?? NSURLSessionTransferSizeUnknown)
            }
        case .willBegin(let number):
            guard let (task, _) = known(number) else { return }
            ask(task)
        case .downloaded(let number, let file, let response, let size):
            let (task, body) = known(number) ?? add(number, nil)
            let answer = response.httpResponse(for: body.currentRequest)
            body.hasDownloaded(answer, size: size)
            later { [self] in deliver(file, to: task, body) }
        case .failed(let number, let failure):
            let (task, body) = known(number) ?? add(number, nil)
            later { [self] in
                conclude(task, body, failure)
                say(.acknowledge([number]))
            }
        case .eventsFinished:
            tell { session, delegate in delegate?.urlSessionDidFinishEvents(forBackgroundURLSession: session) }
        case .invalidated: end()
        }
    }

    /// Fails a task that the system was never asked to perform.
    func fail(_ body: BackgroundTransfer, _ failure: TransferFailure) {
        later { [self] in
            // Only the app's own object refers to a task that is not a download.
            conclude(known(body.number)?.task ?? URLSessionTask(body), body, failure)
        }
    }

    private func list(_ page: [TransferSummary], isLast: Bool) {
        for summary in page where known(summary.number) == nil { _ = add(summary.number, summary) }
        guard isLast else { return }
        let waiting = state.withLock { state in
            state.knowsTasks = true
            defer { state.waitingForTasks = [] }
            return state.waitingForTasks
        }
        for call in waiting { later(call) }
    }

    private func known(_ number: Int64) -> (task: URLSessionDownloadTask, body: BackgroundTransfer)? {
        guard let task = state.withLock({ $0.tasks[number] }), let body = task.body as? BackgroundTransfer else {
            return nil
        }
        return (task, body)
    }

    private func add(
        _ number: Int64, _ summary: TransferSummary?
    ) -> (task: URLSessionDownloadTask, body: BackgroundTransfer) {
        let body = BackgroundTransfer(number, summary, in: self)
        let task = URLSessionDownloadTask(body)
        state.withLock { $0.tasks[number] = task }
        return (task, body)
    }

    // MARK: The delegate's calls

    /// Calls the delegate on its queue.
    private func tell(_ call: @escaping @Sendable (URLSession, (any URLSessionDelegate)?) -> Void) {
        later { [self] in
            let (owner, delegate) = state.withLock { ($0.owner, $0.delegate) }
            if let owner { call(owner, delegate) }
        }
    }

    private func deliverProgress(of task: URLSessionDownloadTask, _ body: BackgroundTransfer) {
        let (owner, delegate) = state.withLock { ($0.owner, $0.delegate) }
        guard let owner, let progress = body.takeProgress() else { return }
        (delegate as? any URLSessionDownloadDelegate)?.urlSession(
            owner, downloadTask: task, didWriteData: progress.new, totalBytesWritten: progress.received,
            totalBytesExpectedToWrite: progress.expected)
    }

    /// Calls `willBeginDelayedRequest`. The answer may come at any time, on any thread; only the first answer counts.
    private func ask(_ task: URLSessionDownloadTask) {
        let isFirst = Mutex(true)
        let number = Int64(task.taskIdentifier)
        let answer: @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void = { [self] answer, request in
            let counts = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            if counts { proceed(number, answer, request) }
        }
        tell { session, delegate in
            guard let delegate = delegate as? any URLSessionTaskDelegate, let request = task.originalRequest else {
                return answer(.continueLoading, nil)
            }
            delegate.urlSession(
                session, task: task, willBeginDelayedRequest: request, completionHandler: answer)
        }
    }

    private func proceed(_ number: Int64, _ answer: URLSession.DelayedRequestDisposition, _ request: URLRequest?) {
        switch (answer, request.flatMap { try? TransferRequest($0) }) {
        case (.continueLoading, _): say(.proceed(number, .continueLoading))
        case (.useNewRequest, let new?):
            if let request { known(number)?.body.use(new, request) }
            say(.proceed(number, .useNewRequest(new)))
        // Cancel if the new request is missing, or if the system would not accept it.
        case (.useNewRequest, nil), (.cancel, _): say(.proceed(number, .cancel))
        }
    }

    /// Delivers the file, then the completion. The system may discard the download only after both calls have returned.
    private func deliver(_ file: String, to task: URLSessionDownloadTask, _ body: BackgroundTransfer) {
        let kept = KeptFile(location: app.container.appendingPathComponent(file))
        let (owner, delegate) = state.withLock { ($0.owner, $0.delegate) }
        let found = kept.prepare()
        if found != .delivered { deliverProgress(of: task, body) }
        switch found {
        case .there:
            if let owner {
                (delegate as? any URLSessionDownloadDelegate)?.urlSession(
                    owner, downloadTask: task, didFinishDownloadingTo: kept.location)
            }
            conclude(task, body, nil)
            kept.finish()
        case .delivered:
            // The launch that received the file ended before the system received the acknowledgment.
            _ = body.end(nil)
            forget(body)
        case .lost:
            conclude(
                task, body,
                TransferFailure(code: Int32(NSURLErrorFileDoesNotExist), reason: "the downloaded file is gone"))
        }
        say(.acknowledge([body.number]))
    }

    private func conclude(_ task: URLSessionTask, _ body: BackgroundTransfer, _ failure: TransferFailure?) {
        let id = state.withLock(\.id)
        var resume: Data?
        if let id, let request = body.request, let failure {
            resume =
                ResumeData(TransferID(session: id, number: body.number), request, failure.resumable).flatMap(\.data)
        }
        let error = failure?.error(url: body.currentRequest?.url, resumeData: resume)
        for handler in body.end(error) { handler(resume) }
        let (owner, delegate) = state.withLock { ($0.owner, $0.delegate) }
        if let owner {
            (delegate as? any URLSessionTaskDelegate)?.urlSession(owner, task: task, didCompleteWithError: error)
        }
        forget(body)
    }

    private func forget(_ body: BackgroundTransfer) {
        state.withLock { _ = $0.tasks.removeValue(forKey: body.number) }
    }

    private func end() {
        tell { session, delegate in delegate?.urlSession(session, didBecomeInvalidWithError: nil) }
        later { [self] in
            // Release these references outside of the lock.
            withExtendedLifetime(
                state.withLock { state in
                    defer {
                        state.owner = nil
                        state.delegate = nil
                        state.tasks = [:]
                    }
                    return (state.owner, state.delegate, state.tasks)
                }
            ) {}
        }
    }
}
