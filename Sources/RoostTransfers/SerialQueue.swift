internal import NIOPosix
internal import Synchronization

/// A serial queue on the threads that may block. Jobs run one at a time, in order.
final class SerialQueue: Sendable {
    typealias Job = @Sendable () -> Void

    private struct State {
        var waiting: [Job] = []
        var isRunning = false
    }

    private let pool: NIOThreadPool
    private let state = Mutex(State())

    init(on pool: NIOThreadPool) { self.pool = pool }

    func enqueue(_ job: @escaping Job) {
        let isFirst = state.withLock { state in
            state.waiting.append(job)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        // The pool outlives everything that uses it.
        if isFirst { pool.submit { _ in self.run() } }
    }

    private func run() {
        while true {
            let jobs = state.withLock { state in
                defer { state.waiting = [] }
                state.isRunning = !state.waiting.isEmpty
                return state.waiting
            }
            if jobs.isEmpty { return }
            for job in jobs { job() }
        }
    }
}
