internal import CRoost
internal import Glibc
package import RoostPorts
internal import Synchronization

/// Reports for the loop, which any thread may post.
package final class ReportQueue<Report: Sendable>: Sendable {
    private struct State {
        var waiting: [Report] = []
        /// Whether the descriptor is readable, or about to be.
        var isTold = false
    }

    /// Readable while there are reports that the loop should take now.
    package let descriptor: Int32
    private let state = Mutex(State())

    package init() throws(SystemError) {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard descriptor >= 0 else { throw .now("create the queue of transfer reports", "eventfd") }
    }

    deinit { close(descriptor) }

    package func post(_ report: Report) {
        postWithNext(report)
        announce()
    }

    /// Posts a report that can wait for the next report, or for a call of `announce`.
    package func postWithNext(_ report: Report) { state.withLock { $0.waiting.append(report) } }

    /// Makes the descriptor readable if reports are waiting.
    package func announce() {
        let isFirst = state.withLock { state in
            guard !state.isTold, !state.waiting.isEmpty else { return false }
            state.isTold = true
            return true
        }
        // The write fails only if the counter is full; the descriptor is then readable anyway.
        if isFirst { eventfd_write(descriptor, 1) }
    }

    /// Makes the descriptor readable without a report.
    package func wake() { eventfd_write(descriptor, 1) }

    package func takeAll() -> [Report] {
        var count = eventfd_t()
        eventfd_read(descriptor, &count)
        return state.withLock { state in
            defer { state = State() }
            return state.waiting
        }
    }
}
