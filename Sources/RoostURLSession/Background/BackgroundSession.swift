import Foundation
import FoundationNetworking
import LifeCycleModel
import RoostKit
import Synchronization

/// A background session: what the app says goes to the system, what the system says to the delegate, on its queue and in
/// order. It lives until it is invalidated, as the session does that the app has.
final class BackgroundSession: TransferListener {
    private struct State {
        /// The app's object: held, as the delegate is, until the session is invalidated.
        var owner: URLSession?
        var delegate: (any URLSessionDelegate)?
        /// Those that have no outcome yet, or whose delegate has not returned.
        var tasks: [Int64: URLSessionDownloadTask] = [:]
        var next = firstNumber()
        var id: TransferSessionID?
        /// Whether the tasks of earlier launches are among them.
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

    /// Opens a session. The one there is where the app has it open already: a second would never be told apart.
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
            app.log("A background URLSession needs a delegate: nobody will hear of \(identifier).")
        }
        guard let other = other as? BackgroundSession else { return session }
        app.log("A background URLSession with identifier \(identifier) already exists!")
        return other
    }

    /// The app's object is made: its delegate may be called with it.
    func begin(_ owner: URLSession) {
        let isFirst = state.withLock { state in
            guard state.owner == nil else { return false }
            state.owner = owner
            return true
        }
        if isFirst { queue.start() }
    }

    var delegate: (any URLSessionDelegate)? { state.withLock(\.delegate) }

    /// Numbers are to be unlike those of every earlier launch, whose tasks may still be there, and are read at once: they
    /// begin at a random place, far from every other, and stay below 2^53, which every language's numbers hold.
    private static func firstNumber() -> Int64 { Int64(UInt32.random(in: 1...UInt32.max)) << 20 + 1 }

    // MARK: What the app does

    /// Says something to the system.
    func say(_ act: TransferAct) { app.transfer(act, of: identifier) }

    /// Has something called on the delegate's queue.
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
                refusal: RequestRefusal(code: NSURLErrorCannotOpenFile, reason: "the resume data cannot be read"))
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

    /// Hands over the tasks that are not done, once those of earlier launches are known.
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

    // MARK: What becomes of it

    func hear(_ news: TransferNews) {
        switch news {
        case .opened(let id, _): state.withLock { $0.id = id }
        case .listed(let page, let isLast): list(page, isLast: isLast)
        case .progressed(let number, let received, let expected):
            guard let (task, body) = known(number), body.hasReceived(received, of: expected) else { return }
            later { [self] in tellProgress(of: task, body) }
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

    /// A task that the system was not asked for fails.
    func fail(_ body: BackgroundTransfer, _ failure: TransferFailure) {
        later { [self] in
            // One that is no download is kept by whoever has it.
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

    /// Calls the delegate, on its queue.
    private func tell(_ call: @escaping @Sendable (URLSession, (any URLSessionDelegate)?) -> Void) {
        later { [self] in
            let (owner, delegate) = state.withLock { ($0.owner, $0.delegate) }
            if let owner { call(owner, delegate) }
        }
    }

    private func tellProgress(of task: URLSessionDownloadTask, _ body: BackgroundTransfer) {
        let (owner, delegate) = state.withLock { ($0.owner, $0.delegate) }
        guard let owner, let told = body.takeProgress() else { return }
        (delegate as? any URLSessionDownloadDelegate)?.urlSession(
            owner, downloadTask: task, didWriteData: told.new, totalBytesWritten: told.received,
            totalBytesExpectedToWrite: told.expected)
    }

    /// `willBeginDelayedRequest`: the answer may come at any time, on any thread; the first counts.
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
        // Without a request, or with one that cannot be sent, there is nothing to go on with.
        case (.useNewRequest, nil), (.cancel, _): say(.proceed(number, .cancel))
        }
    }

    /// The file, then the end; and only when both calls have returned the system may forget it.
    private func deliver(_ file: String, to task: URLSessionDownloadTask, _ body: BackgroundTransfer) {
        let kept = KeptFile(location: app.container.appendingPathComponent(file))
        let (owner, delegate) = state.withLock { ($0.owner, $0.delegate) }
        let found = kept.prepare()
        if found != .delivered { tellProgress(of: task, body) }
        switch found {
        case .there:
            if let owner {
                (delegate as? any URLSessionDownloadDelegate)?.urlSession(
                    owner, downloadTask: task, didFinishDownloadingTo: kept.location)
            }
            conclude(task, body, nil)
            kept.finish()
        case .delivered:
            // The launch that was told ended before the system heard so.
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
            // What was held is let go outside of the lock.
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
