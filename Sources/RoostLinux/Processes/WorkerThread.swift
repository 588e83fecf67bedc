internal import CRoost
internal import Glibc
public import RoostPorts
internal import Synchronization

/// Threads for work that the loop must not wait for.
///
/// The threads are created at the start, so work continues even when the machine has no thread left. Each thread runs
/// one piece of work after the other. Without work, the threads sleep in the kernel, without wake-ups.
///
/// If pieces of work may hang, further threads help: such a thread starts when work waits and no thread is free, and ends
/// when no work waits.
public final class WorkerThread: Sendable {
    private let queue: WorkQueue

    /// Starts `count` threads with a name of at most 15 bytes, which `ps -T` shows, and later helpers up to `most`
    /// threads. The threads inherit the signal mask of the thread that starts them. Throws if the machine has no thread
    /// or descriptor left.
    public init(_ name: String, count: Int = 1, most: Int? = nil) throws(SystemError) {
        queue = try WorkQueue(name, helpers: max(0, (most ?? count) - count))
        for _ in 0..<count { try start { $0.work() } }
    }

    deinit { queue.end() }

    /// Queues `piece` for any of the threads. Never waits.
    public func post(_ piece: @escaping @Sendable () -> Void) {
        guard queue.add(piece) else { return }
        // Without a further thread, the piece waits for the others.
        do { try start { $0.help() } } catch { queue.endHelp() }
    }

    private func start(_ body: @escaping @Sendable (WorkQueue) -> Void) throws(SystemError) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        // Work on these threads walks deep directories.
        pthread_attr_setstacksize(&attributes, 1 << 20)
        var thread = pthread_t()
        let box = Unmanaged.passRetained(Body(queue: queue, run: body))
        let code = pthread_create(
            &thread, &attributes,
            { box in
                // Balances the retain above.
                if let box {
                    let body = Unmanaged<Body>.fromOpaque(box).takeRetainedValue()
                    body.run(body.queue)
                }
                return nil
            }, box.toOpaque())
        guard code == 0 else {
            box.release()
            throw SystemError(doing: "start a thread", subject: queue.name, errno: code)
        }
    }
}

/// The work of a new thread.
private final class Body: Sendable {
    let queue: WorkQueue
    let run: @Sendable (WorkQueue) -> Void

    init(queue: WorkQueue, run: @escaping @Sendable (WorkQueue) -> Void) { (self.queue, self.run) = (queue, run) }
}

/// The pieces of work, in their order.
private final class WorkQueue: Sendable {
    private struct State {
        var pieces: [@Sendable () -> Void] = []
        /// The number of threads that wait for work.
        var free = 0
        /// The number of helpers that may start.
        var helpers: Int
        var isOver = false

        mutating func next() -> (@Sendable () -> Void)? { pieces.isEmpty ? nil : pieces.removeFirst() }
    }

    private let state: Mutex<State>
    /// The number of pieces. A read waits for the next piece.
    private let counter: Int32
    let name: String

    init(_ name: String, helpers: Int) throws(SystemError) {
        self.name = name
        state = Mutex(State(helpers: helpers))
        counter = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_SEMAPHORE))
        guard counter >= 0 else { throw .now("create a work queue", "eventfd") }
    }

    deinit { close(counter) }

    /// Queues a piece. Returns whether a helper has to be started for it.
    func add(_ piece: @escaping @Sendable () -> Void) -> Bool {
        let needsHelp = state.withLock { state in
            state.pieces.append(piece)
            guard state.pieces.count > state.free, state.helpers > 0 else { return false }
            state.helpers -= 1
            return true
        }
        eventfd_write(counter, 1)
        return needsHelp
    }

    /// Does what waits now.
    func help() {
        croost_name_thread(name)
        while let piece = state.withLock({ $0.next() }) { piece() }
        endHelp()
    }

    func endHelp() { state.withLock { $0.helpers += 1 } }

    /// Ends the threads once all pieces are done.
    func end() {
        state.withLock { $0.isOver = true }
        // At least one for each thread.
        eventfd_write(counter, 1 << 20)
    }

    func work() {
        croost_name_thread(name)
        while true {
            state.withLock { $0.free += 1 }
            var count: eventfd_t = 0
            let code = eventfd_read(counter, &count)
            let error = errno
            let piece = state.withLock { state in
                state.free -= 1
                return code == 0 ? state.next() : nil
            }
            guard code == 0 else {
                if error == EINTR { continue }
                return
            }
            if let piece {
                piece()
            } else if state.withLock({ $0.isOver }) {
                return
            }
        }
    }
}
