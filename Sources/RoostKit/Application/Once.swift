import Synchronization

/// A flag that identifies the first of several calls, from any thread.
final class Once: Sendable {
    private let isOver = Atomic(false)

    /// True for the first call only.
    func isFirst() -> Bool { !isOver.exchange(true, ordering: .relaxed) }
}
