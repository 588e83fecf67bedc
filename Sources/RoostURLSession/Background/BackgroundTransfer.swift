import Foundation
import FoundationNetworking
import LifeCycleModel
import Synchronization

/// A task of a background session: the system does its work.
final class BackgroundTransfer: TaskBody {
    private struct State {
        var state = URLSessionTask.State.suspended
        /// What is asked for now: the delegate may have put another request in the place of the first.
        var request: TransferRequest?
        var currentRequest: URLRequest?
        var response: URLResponse?
        var error: (any Error)?
        var received: Int64 = 0
        var expected: Int64?
        /// How much the delegate has heard of.
        var told: Int64 = 0
        var isToldLater = false
        var text: String?
        var priority: Float = URLSessionTask.defaultPriority
        var earliestBegin: Date?
        var clientExpectsToSend = NSURLSessionTransferSizeUnknown
        var clientExpectsToReceive = NSURLSessionTransferSizeUnknown
        var resumeHandlers: [@Sendable (Data?) -> Void] = []

        /// Where less is there than before, the resource has changed, and comes anew: nothing of this one was told.
        mutating func noteArrived(_ received: Int64, of expected: Int64?) {
            if received < self.received {
                told = 0
                self.expected = nil
            }
            self.received = received
            self.expected = expected ?? self.expected
        }
    }

    let number: Int64
    let originalRequest: URLRequest?
    /// Why the system was not asked: the app hears so once it resumes the task.
    let refusal: RequestRefusal?
    let progress = Progress(parent: nil, userInfo: nil)
    private let session: BackgroundSession
    private let values: Mutex<State>

    /// A task that the app makes.
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

    /// A task that there is already; without a summary, one that is only heard of by its end.
    init(_ number: Int64, _ summary: TransferSummary?, in session: BackgroundSession) {
        self.number = number
        self.session = session
        originalRequest = summary?.request.urlRequest
        refusal = nil
        var state = State(request: summary?.request, currentRequest: summary?.request.urlRequest)
        state.state = summary?.isSuspended ?? false ? .suspended : .running
        state.received = summary?.received ?? 0
        state.told = state.received
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

    // MARK: What the app reads

    var identifier: Int { Int(number) }
    var currentRequest: URLRequest? { values.withLock(\.currentRequest) }
    /// What resume data is made of.
    var request: TransferRequest? { values.withLock(\.request) }
    var response: URLResponse? { values.withLock(\.response) }
    var error: (any Error)? { values.withLock(\.error) }
    var state: URLSessionTask.State { values.withLock(\.state) }
    var received: Int64 { values.withLock(\.received) }
    var expectedToReceive: Int64 { values.withLock(\.expected) ?? NSURLSessionTransferSizeUnknown }
    var sent: Int64 { 0 }
    var expectedToSend: Int64 { 0 }

    // MARK: What the app says

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

    /// Of no use to a download.
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
        session.fail(self, TransferFailure(code: Int32(NSURLErrorCancelled), reason: "cancelled"))
    }

    /// Changes the task and tells the system, in one: so that whoever changes it next is heard next. False where the task is
    /// not in one of these states.
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

    /// The delegate's answer to `willBeginDelayedRequest`: from here on it is another request.
    func use(_ request: TransferRequest, _ current: URLRequest) {
        values.withLock { ($0.request, $0.currentRequest) = (request, current) }
    }

    // MARK: What becomes of it

    /// So much has arrived; true where the delegate is to hear of it and does not yet.
    func hasReceived(_ received: Int64, of expected: Int64?) -> Bool {
        show(received: received, expected: expected)
        return values.withLock { state in
            state.noteArrived(received, of: expected)
            defer { state.isToldLater = true }
            return !state.isToldLater
        }
    }

    /// What the delegate has not heard of: how much has arrived since, and in all.
    func takeProgress() -> (new: Int64, received: Int64, expected: Int64)? {
        values.withLock { state in
            state.isToldLater = false
            let new = state.received - state.told
            guard new > 0 else { return nil }
            state.told = state.received
            return (new, state.received, state.expected ?? NSURLSessionTransferSizeUnknown)
        }
    }

    func hasResumed(at offset: Int64, of expected: Int64?) {
        show(received: offset, expected: expected)
        values.withLock { state in
            state.received = offset
            state.told = offset
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

    /// It is done. Returns the handlers that wait for resume data.
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
    /// The longest beginning of whole characters that has at most so many bytes.
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
