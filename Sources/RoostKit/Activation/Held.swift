import Synchronization

/// A thread-safe flag that several closures share.
final class Held: Sendable {
    private let flag = Mutex(false)

    var value: Bool { flag.withLock { $0 } }

    func set(_ value: Bool) { flag.withLock { $0 = value } }
}
