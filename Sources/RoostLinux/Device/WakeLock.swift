internal import Glibc
public import RoostPorts

/// A kernel wake lock. While the lock is held, the device does not go to sleep by itself (`/sys/power/wake_lock`, with
/// `CONFIG_PM_WAKELOCKS`).
public final class WakeLock: PowerControl {
    private let name: String
    private let directory: String

    /// A lock named after the system. `directory` contains the kernel's two files.
    public init(systemID: String, directory: String = "/sys/power") {
        name = "roost-\(systemID)"
        self.directory = directory
    }

    /// Takes or releases the lock. Throws if the kernel has no wake locks, or if the file is not writable.
    public func keepAwake(_ isKept: Bool) throws(SystemError) {
        let path = directory + (isKept ? "/wake_lock" : "/wake_unlock")
        guard Files.write(name, to: path) else { throw .now("take a wake lock", path) }
    }
}
