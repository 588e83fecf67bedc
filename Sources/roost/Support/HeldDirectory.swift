import Glibc
import RoostGuardian
import RoostLinux
import RoostStore

/// Whether a system holds a state directory, by the kernel's list of locks. The lock itself is not touched, because a
/// starting system must get the lock.
enum HeldDirectory {
    static func isHeld(_ path: String) -> Bool {
        var status = stat()
        guard stat(path + "/lock", &status) == 0, let locks = Files.text("/proc/locks") else { return false }
        let lock = File(status)
        return locks.split(separator: "\n").contains { File(lockedIn: $0) == lock }
    }

    /// The pid of the guardian that restarts the directory's supervisor, while no supervisor holds the lock. Nil if
    /// that guardian has gone or is stopped. The pid comes from the lock file, and another process may have this pid by
    /// now, so the command line is checked.
    static func guardian(of path: String) -> Int32? {
        guard let holder = try? StateDirectory.holder(of: path), holder > 0, !isStopped(holder),
            let line = Files.text("/proc/\(holder)/cmdline")
        else { return nil }
        return line.prefix { $0 != "\0" } == GuardianOrders.programName ? holder : nil
    }

    /// Whether a process is stopped by a signal: `4711 (roost) T …`.
    private static func isStopped(_ pid: Int32) -> Bool {
        guard let text = Files.text("/proc/\(pid)/stat") else { return false }
        return text.lastIndex(of: ")").map { text[$0...].hasPrefix(") T") } ?? false
    }

    /// The device and inode of a file.
    private struct File: Hashable {
        let major: UInt64
        let minor: UInt64
        let inode: UInt64

        init(_ status: stat) {
            let device = UInt64(status.st_dev)
            major = (device >> 8) & 0xFFF | (device >> 32) & ~0xFFF
            minor = device & 0xFF | (device >> 12) & 0xFFFF_FF00
            inode = UInt64(status.st_ino)
        }

        /// Reads `1: FLOCK  ADVISORY  WRITE 4711 fe:01:1234 0 EOF`, with a hexadecimal device; nil for other locks.
        init?(lockedIn line: Substring) {
            let fields = line.split(separator: " ")
            guard fields.count > 5, fields[1] == "FLOCK", fields[3] == "WRITE" else { return nil }
            let parts = fields[5].split(separator: ":")
            guard parts.count == 3, let major = UInt64(parts[0], radix: 16), let minor = UInt64(parts[1], radix: 16),
                let inode = UInt64(parts[2])
            else { return nil }
            (self.major, self.minor, self.inode) = (major, minor, inode)
        }
    }
}
