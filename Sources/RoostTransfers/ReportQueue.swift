internal import CRoost
internal import Glibc
internal import LifeCycleModel
internal import RoostPorts
internal import Synchronization

/// The reports that wait for the loop, from whatever thread.
final class ReportQueue: Sendable {
    private struct State {
        var waiting: [TransferReport] = []
        /// The descriptor is readable, or about to be.
        var isTold = false
    }

    /// Readable while there are reports that the loop should take now.
    let descriptor: Int32
    private let state = Mutex(State())

    init() throws(SystemError) {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard descriptor >= 0 else { throw .now("make the queue of transfer reports", "eventfd") }
    }

    deinit { close(descriptor) }

    func post(_ report: TransferReport) { post([report]) }

    func post(_ reports: [TransferReport]) {
        guard !reports.isEmpty else { return }
        let isFirst = state.withLock { state in
            state.waiting += reports
            defer { state.isTold = true }
            return !state.isTold
        }
        // Fails only where the counter is full, and then the descriptor is readable anyway.
        if isFirst { eventfd_write(descriptor, 1) }
    }

    /// Posts one that need not be taken before the next.
    func postWithNext(_ report: TransferReport) { state.withLock { $0.waiting.append(report) } }

    func takeAll() -> [TransferReport] {
        var count = eventfd_t()
        eventfd_read(descriptor, &count)
        return state.withLock { state in
            defer { state = State() }
            return state.waiting
        }
    }
}
