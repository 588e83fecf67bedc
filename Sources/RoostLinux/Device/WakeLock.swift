internal import Glibc
public import RoostPorts

/// A wake lock of the kernel's: as long as it is held the device does not go to sleep by itself
/// (`/sys/power/wake_lock`, with `CONFIG_PM_WAKELOCKS`).
public final class WakeLock: PowerControl {
    private let name: String
    private let directory: String

    /// A lock called after the system. `directory` is where the kernel has the two files.
    public init(systemID: String, directory: String = "/sys/power") {
        name = "roost-\(systemID)"
        self.directory = directory
    }

    /// Takes the lock, or gives it back. Throws where the kernel has none, or it may not be written.
    public func keepAwake(_ isKept: Bool) throws(SystemError) {
        let path = directory + (isKept ? "/wake_lock" : "/wake_unlock")
        guard Files.write(name, to: path) else { throw .now("keep the device awake", path) }
    }
}
