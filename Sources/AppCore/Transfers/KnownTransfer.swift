import LifeCycleModel

/// A task of a background session as this launch knows it: what the app has said of it, and whether its outcome was told.
///
/// ```
///   open ──outcome──▶ told ──acknowledged──▶ done
/// ```
struct KnownTransfer: Hashable, Sendable {
    enum Ending: Hashable, Sendable {
        case open
        /// The app's delegate has it.
        case told
        /// The delegate's calls have returned: all that is left is its number, with its session.
        case done
    }

    let number: Int64
    private(set) var ending = Ending.open

    // What was said of it in this launch; nil for what was not.
    private var made: NewTransfer?
    private var priority: Int32?
    private var text: String??
    private var earliestBegin: Nanoseconds??
    private var expectedToReceive: Int64??
    private var isSuspended: Bool?
    private var cancelKeepsPartial: Bool?
    private(set) var answer: DelayedRequestDisposition?

    init(number: Int64) { self.number = number }

    /// The app has said this of it.
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

    /// Its outcome is told: what was said of it is of no more use.
    mutating func tell() {
        self = Self(number: number)
        ending = .told
    }

    /// What brings a system that may have heard none of it to where the app is.
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
