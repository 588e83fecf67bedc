import Synchronization

/// Knows the app's phase, and hands each change to all who follow it.
final class PhaseSource: Sendable {
    private struct State {
        var phase: ScenePhase
        var next = 0
        var followers: [Int: AsyncStream<ScenePhase>.Continuation] = [:]
    }

    private let state: Mutex<State>

    init(_ phase: ScenePhase) { state = Mutex(State(phase: phase)) }

    /// How many follow it.
    var count: Int { state.withLock { $0.followers.count } }

    /// The phase is this one now. What is handed out is kept for whoever is slow.
    func change(to phase: ScenePhase) {
        state.withLock { state in
            guard phase != state.phase else { return }
            state.phase = phase
            for follower in state.followers.values { follower.yield(phase) }
        }
    }

    /// The present phase, then each change.
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
        // Let go outside of the lock.
        let follower = state.withLock { $0.followers.removeValue(forKey: id) }
        withExtendedLifetime(follower) {}
    }
}
