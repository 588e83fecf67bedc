internal import CRoost
internal import Glibc
internal import LifeCycleModel
internal import RoostPorts
internal import Synchronization

/// An order to get a duplicate of an app's socket.
struct SocketTake: Sendable {
    /// The number among the takes, from 1.
    let number: Int64
    /// The launch that has the socket.
    let launch: LaunchID
    /// The socket, as the app names it.
    let socket: KeptSocket

    /// Gets the duplicate from the process with this pidfd, which is closed. May take arbitrarily long.
    func perform(on pidfd: Int32, reportingTo results: SocketResults) {
        var duplicate: Int32 = -1
        let code = croost_pidfd_getfd(pidfd, socket.descriptor, &duplicate)
        close(pidfd)
        guard code == 0 else {
            results.post(self, .failed(code == EBADF ? .notOpen : .notPermitted))
            return results.close([])
        }
        if let failure = self.failure(of: duplicate) {
            // The app is answered first, because the closing may hang.
            results.post(self, .failed(failure))
            results.close([duplicate])
        } else {
            results.post(self, .taken(duplicate))
        }
    }

    /// Why the duplicate cannot be watched as this socket.
    private func failure(of duplicate: Int32) -> SocketFailure? {
        let found = croost_examine_tcp(duplicate)
        if found.is_tcp == 0 { return .notTCP }
        if found.cookie != UInt64(bitPattern: socket.id.rawValue) { return .notOpen }
        return found.is_connected != 0 ? nil : .notConnected
    }
}

/// The results of takes on their way to the loop's thread, and the number of takes that are not over. For any thread.
final class SocketResults: Sendable {
    /// The end of a take.
    enum Outcome: Sendable {
        /// The duplicate, which belongs to the receiver.
        case taken(Int32)
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
        var open = 0
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

    /// The number of takes that are under way, or whose duplicate is open.
    var open: Int { state.withLock { $0.open } }

    /// Counts a take.
    func begin() { state.withLock { $0.open += 1 } }

    /// Closes the duplicates of as many takes, however long that takes; none for a take without a duplicate. With
    /// `signaling`, `descriptor` then becomes readable.
    func close(_ duplicates: [Int32], signaling: Bool = false) {
        croost_close_passed(duplicates, Int32(duplicates.count))
        state.withLock { $0.open -= max(duplicates.count, 1) }
        if signaling { eventfd_write(descriptor, 1) }
    }

    /// Posts a result. After the end, a duplicate is closed instead.
    func post(_ take: SocketTake, _ outcome: Outcome) {
        let isLate = state.withLock { state in
            if !state.isOver { state.results.append(Result(take: take, outcome: outcome)) }
            return state.isOver
        }
        if !isLate {
            eventfd_write(descriptor, 1)
        } else if case .taken(let duplicate) = outcome {
            close([duplicate])
        }
    }

    /// Takes all results, oldest first.
    func takeAll() -> [Result] {
        var count = eventfd_t()
        eventfd_read(descriptor, &count)
        return state.withLock { state in
            defer { state.results = [] }
            return state.results
        }
    }

    /// Ends the taking of results; returns the duplicates that were not taken.
    func end() -> [Int32] {
        state.withLock { $0.isOver = true }
        return takeAll().compactMap { if case .taken(let duplicate) = $0.outcome { duplicate } else { nil } }
    }
}
