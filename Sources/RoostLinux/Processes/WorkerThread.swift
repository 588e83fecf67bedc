internal import CRoost
internal import Glibc
public import RoostPorts
internal import Synchronization

/// Threads for work that the loop must not wait for.
///
/// The threads are created at the start, so work continues even when the machine has no thread left. Each thread runs
/// one piece of work after the other. Without work, the threads sleep in the kernel, without wake-ups.
public final class WorkerThread: Sendable {
    private let queue: WorkQueue

    /// Starts `count` threads with a name of at most 15 bytes, which `ps -T` shows. The threads inherit the caller's
    /// signal mask. Throws if the machine has no thread or descriptor left.
    public init(_ name: String, count: Int = 1) throws(SystemError) {
        queue = try WorkQueue(name)
        for _ in 0..<count { try start(name) }
    }

    deinit { queue.end() }

    /// Queues `piece` for any of the threads. Never waits.
    public func post(_ piece: @escaping @Sendable () -> Void) { queue.add(piece) }

    private func start(_ name: String) throws(SystemError) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        // Work on these threads walks deep directories.
        pthread_attr_setstacksize(&attributes, 1 << 20)
        var thread = pthread_t()
        let box = Unmanaged.passRetained(queue)
        let code = pthread_create(
            &thread, &attributes,
            { box in
                // Balances the retain above.
                if let box { Unmanaged<WorkQueue>.fromOpaque(box).takeRetainedValue().work() }
                return nil
            }, box.toOpaque())
        guard code == 0 else {
            box.release()
            throw SystemError(doing: "start a thread", subject: name, errno: code)
        }
    }
}

/// The pieces of work, in their order.
private final class WorkQueue: Sendable {
    private struct State {
        var pieces: [@Sendable () -> Void] = []
        var isOver = false
    }

    private let state = Mutex(State())
    /// The number of pieces. A read waits for the next piece.
    private let counter: Int32
    private let name: String

    init(_ name: String) throws(SystemError) {
        self.name = name
        counter = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_SEMAPHORE))
        guard counter >= 0 else { throw .now("create a work queue", "eventfd") }
    }

    deinit { close(counter) }

    func add(_ piece: @escaping @Sendable () -> Void) {
        state.withLock { $0.pieces.append(piece) }
        eventfd_write(counter, 1)
    }

    /// Ends the threads once all pieces are done.
    func end() {
        state.withLock { $0.isOver = true }
        // At least one for each thread.
        eventfd_write(counter, 1 << 20)
    }

    func work() {
        croost_name_thread(name)
        while true {
            var count: eventfd_t = 0
            guard eventfd_read(counter, &count) == 0 else {
                if errno == EINTR { continue }
                return
            }
            let piece: (@Sendable () -> Void)? = state.withLock { $0.pieces.isEmpty ? nil : $0.pieces.removeFirst() }
            if let piece {
                piece()
            } else if state.withLock({ $0.isOver }) {
                return
            }
        }
    }
}
