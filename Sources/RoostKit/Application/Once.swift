import Synchronization

/// Tells the first of several calls, on whatever threads.
final class Once: Sendable {
    private let isOver = Atomic(false)

    /// True once.
    func isFirst() -> Bool { !isOver.exchange(true, ordering: .relaxed) }
}
