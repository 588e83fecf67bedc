import LifeCycleModel

/// A background session's task in this launch: the app's requests about it, and whether its outcome was delivered.
///
/// ```
///   open ──outcome──▶ delivered ──acknowledged──▶ done
/// ```
struct KnownTransfer: Hashable, Sendable {
    enum Ending: Hashable, Sendable {
        case open
        /// The app's delegate has received the outcome.
        case delivered
        /// The delegate's calls have returned. Only the number remains, in the session.
        case done
    }

    let number: Int64
    private(set) var ending = Ending.open

    // The app's requests in this launch; nil without a request.
    private var made: NewTransfer?
    private var priority: Int32?
    private var text: String??
    private var earliestBegin: Nanoseconds??
    private var expectedToReceive: Int64??
    private var isSuspended: Bool?
    private var cancelKeepsPartial: Bool?
    private(set) var answer: DelayedRequestDisposition?

    init(number: Int64) { self.number = number }

    /// Records a request of the app.
    mutating func note(_ act: TransferAct) {
        guard ending == .open else { return }
        switch act {
        case .make(let new): made = new
        case .resume: isSuspended = false
        case .suspend: isSuspended = true
        case .cancel(_, let keepsPartial): cancelKeepsPartial = keepsPartial
        case .setPriority(_, let new): priority = new
        case .setText(_, let new): text = .some(new)
        case .setEarliestBegin(_, let new): earliestBegin = .some(new)
        case .setExpectedToReceive(_, let new): expectedToReceive = .some(new)
        case .proceed(_, let new): answer = new
        case .open, .list, .acknowledge, .finishTasksAndInvalidate, .invalidateAndCancel, .handled: break
        }
    }

    /// Marks the outcome as delivered, and drops the requests that are no longer needed.
    mutating func deliver() {
        self = Self(number: number)
        ending = .delivered
    }

    /// The requests that restore this state in a system that does not know the task.
    var acts: [TransferAct] {
        guard ending == .open else { return [] }
        let acts: [TransferAct?] = [
            made.map { .make($0) }, priority.map { .setPriority(number, $0) }, text.map { .setText(number, $0) },
            earliestBegin.map { .setEarliestBegin(number, $0) },
            expectedToReceive.map { .setExpectedToReceive(number, $0) },
            isSuspended.map { $0 ? .suspend(number) : .resume(number) },
            cancelKeepsPartial.map { .cancel(number, keepsPartial: $0) }, answer.map { .proceed(number, $0) },
        ]
        return acts.compactMap(\.self)
    }
}
