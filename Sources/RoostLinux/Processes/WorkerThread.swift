internal import CRoost
internal import Glibc
public import RoostPorts
internal import Synchronization

/// Threads of ours, made once at the start, that do whatever the loop must not wait for.
///
/// They are there before anything is asked for: where the machine has no thread left to give, work goes on. One thread
/// does its pieces one after the other. With nothing to do they sleep in the kernel, without wake-ups.
public final class WorkerThread: Sendable {
    private let queue: WorkQueue

    /// Starts `count` threads under a name of at most 15 bytes, which `ps -T` shows. Signals are held back from them as
    /// from the caller. Throws where the machine has no thread or descriptor left.
    public init(_ name: String, count: Int = 1) throws(SystemError) {
        queue = try WorkQueue(name)
        for _ in 0..<count { try start(name) }
    }

    deinit { queue.end() }

    /// Has `piece` done, on any thread of these. Never waits.
    public func post(_ piece: @escaping @Sendable () -> Void) { queue.add(piece) }

    private func start(_ name: String) throws(SystemError) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        // Deep directories are walked on it.
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

/// What is to be done, in its order.
private final class WorkQueue: Sendable {
    private struct State {
        var pieces: [@Sendable () -> Void] = []
        var isOver = false
    }

    private let state = Mutex(State())
    /// Counts the pieces: a read of it waits for the next.
    private let counter: Int32
    private let name: String

    init(_ name: String) throws(SystemError) {
        self.name = name
        counter = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_SEMAPHORE))
        guard counter >= 0 else { throw .now("make a queue of work", "eventfd") }
    }

    deinit { close(counter) }

    func add(_ piece: @escaping @Sendable () -> Void) {
        state.withLock { $0.pieces.append(piece) }
        eventfd_write(counter, 1)
    }

    /// Has the threads end when everything is done.
    func end() {
        state.withLock { $0.isOver = true }
        // As many as there could be threads.
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
