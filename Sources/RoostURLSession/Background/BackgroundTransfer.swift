import Foundation
import FoundationNetworking
import LifeCycleModel
import Synchronization

/// A task of a background session, which the system performs.
final class BackgroundTransfer: TaskBody {
    private struct State {
        var state = URLSessionTask.State.suspended
        /// The current request; the delegate may have replaced the original request.
        var request: TransferRequest?
        var currentRequest: URLRequest?
        var response: URLResponse?
        var error: (any Error)?
        var received: Int64 = 0
        var expected: Int64?
        /// The number of bytes that the delegate has received in its calls.
        var reported: Int64 = 0
        var isProgressScheduled = false
        var text: String?
        var priority: Float = URLSessionTask.defaultPriority
        var earliestBegin: Date?
        var clientExpectsToSend = NSURLSessionTransferSizeUnknown
        var clientExpectsToReceive = NSURLSessionTransferSizeUnknown
        var resumeHandlers: [@Sendable (Data?) -> Void] = []

        /// Records the bytes that have arrived. If the number is lower than before, the resource has changed and starts
        /// over, so the delegate has received no byte of it.
        mutating func noteArrived(_ received: Int64, of expected: Int64?) {
            if received < self.received {
                reported = 0
                self.expected = nil
            }
            self.received = received
            self.expected = expected ?? self.expected
        }
    }

    let number: Int64
    let originalRequest: URLRequest?
    /// The reason why the system was not asked; nil if the system was asked. The app receives the reason when it
    /// resumes the task.
    let refusal: RequestRefusal?
    let progress = Progress(parent: nil, userInfo: nil)
    private let session: BackgroundSession
    private let values: Mutex<State>

    /// Creates a task for the app.
    init(
        _ number: Int64, _ original: URLRequest?, _ request: TransferRequest?, refusal: RequestRefusal?,
        in session: BackgroundSession
    ) {
        self.number = number
        self.refusal = refusal
        self.session = session
        originalRequest = original
        values = Mutex(State(request: request, currentRequest: original))
        begin()
    }

    /// Creates a task that already exists in the system. Without a summary, only its end is known.
    init(_ number: Int64, _ summary: TransferSummary?, in session: BackgroundSession) {
        self.number = number
        self.session = session
        originalRequest = summary?.request.urlRequest
        refusal = nil
        var state = State(request: summary?.request, currentRequest: summary?.request.urlRequest)
        state.state = summary?.isSuspended ?? false ? .suspended : .running
        state.received = summary?.received ?? 0
        state.reported = state.received
        state.expected = summary?.expected
        state.text = summary?.text
        state.priority = Float(summary?.priority ?? 500) / 1000
        state.earliestBegin = summary?.earliestBegin.map { Date(timeIntervalSince1970: $0.seconds) }
        values = Mutex(state)
        begin()
        show(received: state.received, expected: state.expected)
    }

    private func begin() {
        progress.totalUnitCount = -1
        progress.isPausable = true
        progress.cancellationHandler = { [weak self] in self?.cancel() }
        progress.pausingHandler = { [weak self] in self?.suspend() }
        progress.resumingHandler = { [weak self] in self?.resume() }
    }

    private func show(received: Int64, expected: Int64?) {
        progress.totalUnitCount = expected ?? -1
        progress.completedUnitCount = received
    }

    // MARK: State for the app

    var identifier: Int { Int(number) }
    var currentRequest: URLRequest? { values.withLock(\.currentRequest) }
    /// The request for resume data; nil if unknown.
    var request: TransferRequest? { values.withLock(\.request) }
    var response: URLResponse? { values.withLock(\.response) }
    var error: (any Error)? { values.withLock(\.error) }
    var state: URLSessionTask.State { values.withLock(\.state) }
    var received: Int64 { values.withLock(\.received) }
    var expectedToReceive: Int64 { values.withLock(\.expected) ?? NSURLSessionTransferSizeUnknown }
    var sent: Int64 { 0 }
    var expectedToSend: Int64 { 0 }

    // MARK: The app's actions

    var text: String? {
        get { values.withLock(\.text) }
        set {
            let short = newValue.map { $0.prefix(whileBytes: TransferRequest.longestText) }
            change({ $0.text = newValue }, .setText(number, short))
        }
    }

    var priority: Float {
        get { values.withLock(\.priority) }
        set {
            let priority = min(1, max(0, newValue.isNaN ? URLSessionTask.defaultPriority : newValue))
            change({ $0.priority = priority }, .setPriority(number, Int32(priority * 1000)))
        }
    }

    var earliestBegin: Date? {
        get { values.withLock(\.earliestBegin) }
        set {
            let time = newValue.map { Nanoseconds(seconds: $0.timeIntervalSince1970) }
            change({ $0.earliestBegin = newValue }, .setEarliestBegin(number, time))
        }
    }

    /// Stored without effect: a download sends no body.
    var clientExpectsToSend: Int64 {
        get { values.withLock(\.clientExpectsToSend) }
        set { values.withLock { $0.clientExpectsToSend = newValue } }
    }

    var clientExpectsToReceive: Int64 {
        get { values.withLock(\.clientExpectsToReceive) }
        set {
            change(
                { $0.clientExpectsToReceive = newValue },
                .setExpectedToReceive(number, newValue < 0 ? nil : newValue))
        }
    }

    func resume() {
        guard change({ $0.state = .running }, from: [.suspended], .resume(number)) else { return }
        if let refusal { session.fail(self, TransferFailure(code: Int32(refusal.code), reason: refusal.reason)) }
    }

    func suspend() { change({ $0.state = .suspended }, from: [.running], .suspend(number)) }

    func cancel() {
        let isNew = change(
            { $0.state = .canceling }, from: [.running, .suspended], .cancel(number, keepsPartial: false))
        if isNew { failIfRefused() }
    }

    func cancel(byProducingResumeData handler: @escaping @Sendable (Data?) -> Void) {
        let isNew = change(
            {
                $0.state = .canceling
                $0.resumeHandlers.append(handler)
            }, from: [.running, .suspended], .cancel(number, keepsPartial: true))
        if isNew { failIfRefused() } else { session.later { handler(nil) } }
    }

    private func failIfRefused() {
        guard refusal != nil else { return }
        session.fail(self, TransferFailure(code: Int32(NSURLErrorCancelled), reason: "canceled"))
    }

    /// Changes the task and sends the change in one step, so that changes arrive in order. Returns false, without
    /// effect, if the task is in none of `states`.
    @discardableResult private func change(
        _ change: (inout sending State) -> Void,
        from states: [URLSessionTask.State] = [.running, .suspended, .canceling],
        _ act: TransferAct
    ) -> Bool {
        values.withLock { state in
            guard states.contains(state.state) else { return false }
            change(&state)
            if refusal == nil { session.say(act) }
            return true
        }
    }

    /// Replaces the request with the delegate's answer to `willBeginDelayedRequest`.
    func use(_ request: TransferRequest, _ current: URLRequest) {
        values.withLock { ($0.request, $0.currentRequest) = (request, current) }
    }

    // MARK: News from the system

    /// Records arrived bytes. Returns true if a progress call is due and none is planned yet.
    func hasReceived(_ received: Int64, of expected: Int64?) -> Bool {
        show(received: received, expected: expected)
        return values.withLock { state in
            state.noteArrived(received, of: expected)
            defer { state.isProgressScheduled = true }
            return !state.isProgressScheduled
        }
    }

    /// The progress since the delegate's last call: new bytes, total, and expected total; nil without new bytes.
    func takeProgress() -> (new: Int64, received: Int64, expected: Int64)? {
        values.withLock { state in
            state.isProgressScheduled = false
            let new = state.received - state.reported
            guard new > 0 else { return nil }
            state.reported = state.received
            return (new, state.received, state.expected ?? NSURLSessionTransferSizeUnknown)
        }
    }

    func hasResumed(at offset: Int64, of expected: Int64?) {
        show(received: offset, expected: expected)
        values.withLock { state in
            state.received = offset
            state.reported = offset
            state.expected = expected ?? state.expected
        }
    }

    func hasDownloaded(_ response: HTTPURLResponse?, size: Int64) {
        show(received: size, expected: size)
        values.withLock { state in
            state.noteArrived(size, of: size)
            state.response = response
        }
    }

    /// Completes the task. Returns the handlers that wait for resume data.
    func end(_ error: (any Error)?) -> [@Sendable (Data?) -> Void] {
        values.withLock { state in
            state.state = .completed
            state.error = error
            defer { state.resumeHandlers = [] }
            return state.resumeHandlers
        }
    }
}

extension String {
    /// The longest prefix of whole characters with at most `limit` bytes of UTF-8.
    func prefix(whileBytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var room = limit
        return String(
            prefix {
                room -= $0.utf8.count
                return room >= 0
            })
    }
}
