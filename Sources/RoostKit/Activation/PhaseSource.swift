import Synchronization

/// The app's current phase, and the streams that follow its changes. Any thread.
final class PhaseSource: Sendable {
    private struct State {
        var phase: ScenePhase
        var next = 0
        var followers: [Int: AsyncStream<ScenePhase>.Continuation] = [:]
    }

    private let state: Mutex<State>

    init(_ phase: ScenePhase) { state = Mutex(State(phase: phase)) }

    /// The number of streams that follow the phase.
    var count: Int { state.withLock { $0.followers.count } }

    /// Records a new phase and sends it to every stream. The streams buffer values for slow readers.
    func change(to phase: ScenePhase) {
        state.withLock { state in
            guard phase != state.phase else { return }
            state.phase = phase
            for follower in state.followers.values { follower.yield(phase) }
        }
    }

    /// A stream of the current phase, then of each change.
    func follow() -> AsyncStream<ScenePhase> {
        let (stream, continuation) = AsyncStream.makeStream(of: ScenePhase.self)
        let id = state.withLock { state in
            let id = state.next
            state.next += 1
            state.followers[id] = continuation
            continuation.yield(state.phase)
            return id
        }
        continuation.onTermination = { [weak self] _ in self?.forget(id) }
        return stream
    }

    private func forget(_ id: Int) {
        // Release the continuation outside of the lock.
        let follower = state.withLock { $0.followers.removeValue(forKey: id) }
        withExtendedLifetime(follower) {}
    }
}
