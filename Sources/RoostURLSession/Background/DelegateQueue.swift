import Foundation
import Synchronization

/// Calls a delegate on its operation queue, one call after the other, in order: also on a queue that would run several at
/// once.
final class DelegateQueue: Sendable {
    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var next = 0
        /// Until it is started nothing is called.
        var isRunning = true
    }

    let operations: OperationQueue
    private let state = Mutex(State())

    /// Calls on `operations`; nil for a queue of its own.
    init(_ operations: OperationQueue?) {
        if let operations {
            self.operations = operations
        } else {
            self.operations = OperationQueue()
            self.operations.maxConcurrentOperationCount = 1
        }
    }

    /// Begins to call.
    func start() {
        let isDue = state.withLock { state in
            state.isRunning = state.next < state.waiting.count
            return state.isRunning
        }
        if isDue { schedule() }
    }

    /// Has something called after all that was added before.
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
