internal import CRoost
internal import Glibc
internal import LifeCycleModel
internal import RoostPorts
internal import Synchronization

/// The results of work on apps' sockets on their way to the loop's thread. For any thread.
final class SocketResults: Sendable {
    /// The end of a take.
    enum Outcome: Sendable {
        /// The duplicate, which belongs to the receiver.
        case taken(SocketDuplicate)
        /// There is no duplicate, for this reason.
        case failed(SocketFailure)
    }

    /// A take and its end.
    struct Result: Sendable {
        let take: SocketTake
        let outcome: Outcome
    }

    private struct State {
        var results: [Result] = []
        /// The apps for which a piece of work is done.
        var finished: [AppID] = []
        var isOver = false
    }

    private let state = Mutex(State())
    /// Readable while results wait.
    let descriptor: Int32

    /// No results. Fails only if descriptors have run out.
    init() throws(SystemError) {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard descriptor >= 0 else { throw .now("watch the sockets of apps", "eventfd") }
    }

    deinit { Glibc.close(descriptor) }

    /// Posts a result. After the end, a duplicate is closed instead, which may take arbitrarily long.
    func post(_ take: SocketTake, _ outcome: Outcome) {
        let isLate = state.withLock { state in
            if !state.isOver { state.results.append(Result(take: take, outcome: outcome)) }
            return state.isOver
        }
        if !isLate { signal() } else if case .taken(let duplicate) = outcome { duplicate.close() }
    }

    /// A piece of work for an app is done.
    func finish(_ app: AppID) {
        let isLate = state.withLock { state in
            state.finished.append(app)
            return state.isOver
        }
        if !isLate { signal() }
    }

    /// Makes `descriptor` readable.
    func signal() { eventfd_write(descriptor, 1) }

    /// Takes the results and the apps whose work is done, oldest first.
    func takeAll() -> ([Result], finished: [AppID]) {
        var count = eventfd_t()
        eventfd_read(descriptor, &count)
        return state.withLock { state in
            defer { (state.results, state.finished) = ([], []) }
            return (state.results, state.finished)
        }
    }

    /// Ends the taking of results; returns the duplicates that were not taken.
    func end() -> [SocketDuplicate] {
        state.withLock { $0.isOver = true }
        return takeAll().0.compactMap { if case .taken(let duplicate) = $0.outcome { duplicate } else { nil } }
    }
}
