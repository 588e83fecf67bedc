internal import CRoost
internal import Glibc
internal import LifeCycleModel
internal import RoostPorts
internal import Synchronization

/// The reports that wait for the loop, from whatever thread.
final class ReportQueue: Sendable {
    /// Readable while there are reports.
    let descriptor: Int32
    private let waiting = Mutex<[TransferReport]>([])

    init() throws(SystemError) {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard descriptor >= 0 else { throw .now("make the queue of transfer reports", "eventfd") }
    }

    deinit { close(descriptor) }

    func post(_ report: TransferReport) {
        let isFirst = waiting.withLock { reports in
            reports.append(report)
            return reports.count == 1
        }
        // Fails only where the counter is full, and then the descriptor is readable anyway.
        if isFirst { eventfd_write(descriptor, 1) }
    }

    func takeAll() -> [TransferReport] {
        var count = eventfd_t()
        eventfd_read(descriptor, &count)
        return waiting.withLock { reports in
            defer { reports = [] }
            return reports
        }
    }
}
