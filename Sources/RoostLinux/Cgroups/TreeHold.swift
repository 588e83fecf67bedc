internal import CRoost
internal import Glibc
internal import LifeCycleModel

/// Tells whether the system of a cgroup tree runs: a supervisor holds a lock on the tree's directory, wherever its state
/// directory and its sockets are.
///
/// The lock is shared where a system runs, and exclusive for those who look: two systems never want one tree.
final class TreeHold {
    private let descriptor: Int32

    /// How long a system that begins waits for one who looks.
    private static let patience = Nanoseconds.seconds(1)

    /// The hold of the system itself; nil where it cannot be had, and others take the system for one that is gone.
    init?(running root: String) {
        descriptor = Self.open(root)
        let end = croost_monotonic() + Self.patience.rawValue
        while flock(descriptor, LOCK_SH | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK, croost_monotonic() < end else { return nil }
            _ = croost_wait_for(-1, 0, 1_000_000)
        }
    }

    /// The hold of one who looks; nil where the system runs.
    init?(idle root: String) {
        descriptor = Self.open(root)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    private static func open(_ root: String) -> Int32 { Glibc.open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
}

extension CgroupTree {
    /// Whether this user may thaw what is in it: it is not another user's.
    var mayBeThawed: Bool { access(root + "/" + Knob.freeze.rawValue, W_OK) == 0 }
}
