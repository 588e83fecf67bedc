internal import CRoost
internal import Glibc
internal import LifeCycleModel

/// Shows whether the system of a cgroup tree runs. Its supervisor holds a lock on the tree's directory, independent of
/// the paths of its state directory and sockets.
///
/// A running system holds the lock shared, and a tool that checks for it takes the lock exclusively. Two systems never
/// share one tree.
final class TreeHold {
    private let descriptor: Int32

    /// How long a starting system waits for a tool that holds the lock.
    private static let patience = Nanoseconds.seconds(1)

    /// The lock of the system itself. Nil if it cannot be taken; tools then believe that the system does not run.
    init?(running root: String) {
        descriptor = Self.open(root)
        let end = croost_monotonic() + Self.patience.rawValue
        while flock(descriptor, LOCK_SH | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK, croost_monotonic() < end else { return nil }
            _ = croost_wait_for(-1, 0, 1_000_000)
        }
    }

    /// The lock of a tool; nil if the system runs.
    init?(idle root: String) {
        descriptor = Self.open(root)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    private static func open(_ root: String) -> Int32 { Glibc.open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
}

extension CgroupTree {
    /// Whether this user may thaw the tree: false for another user's tree.
    var mayBeThawed: Bool { access(root + "/" + Knob.freeze.rawValue, W_OK) == 0 }
}
