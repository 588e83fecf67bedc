import Foundation
import Synchronization

/// A serial queue for delegate calls on top of an operation queue. Calls run one at a time and in order, even if the
/// operation queue is concurrent.
final class DelegateQueue: Sendable {
    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var next = 0
        /// True while a call is scheduled, and until `start()`, so that nothing runs earlier.
        var isRunning = true
    }

    let operations: OperationQueue
    private let state = Mutex(State())

    /// Calls on `operations`; nil creates a new serial queue.
    init(_ operations: OperationQueue?) {
        if let operations {
            self.operations = operations
        } else {
            self.operations = OperationQueue()
            self.operations.maxConcurrentOperationCount = 1
        }
    }

    /// Starts calling.
    func start() {
        let isDue = state.withLock { state in
            state.isRunning = state.next < state.waiting.count
            return state.isRunning
        }
        if isDue { schedule() }
    }

    /// Adds a call behind all earlier calls.
    func add(_ call: @escaping @Sendable () -> Void) {
        let isDue = state.withLock { state in
            state.waiting.append(call)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if isDue { schedule() }
    }

    private func schedule() {
        operations.addOperation { [self] in
            take()?()
            let isMore = state.withLock { state in
                state.isRunning = state.next < state.waiting.count
                return state.isRunning
            }
            if isMore { schedule() }
        }
    }

    private func take() -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard state.next < state.waiting.count else { return nil }
            let call = state.waiting[state.next]
            state.next += 1
            if state.next == state.waiting.count || state.next >= 1024 {
                state.waiting.removeFirst(state.next)
                state.next = 0
            }
            return call
        }
    }
}
