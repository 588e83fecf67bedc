internal import Glibc
public import RoostPorts

/// The room files take on disk.
public enum DiskUse {
    /// What everything below a directory takes, in bytes: its blocks, as `du` counts them, a file of several names once.
    ///
    /// Follows no link and leaves the file system it begins in by no mount. Takes as long as the files are many: for a
    /// thread other than the loop's. An app may add and remove meanwhile: what goes, or is locked away, counts nothing.
    /// Throws where the directory itself can't be read.
    public static func bytes(below path: String) throws(SystemError) -> Int64 {
        let directory = try Directories.open(path)
        defer { close(directory) }
        var status = stat()
        guard fstat(directory, &status) == 0 else { throw .now("measure a directory", path) }
        var walk = Walk(device: UInt64(status.st_dev), bytes: Int64(status.st_blocks) * 512)
        try walk.add(directory, path: path, depth: 0)
        return walk.bytes
    }

    private struct Walk {
        let device: UInt64
        var bytes: Int64
        /// Files of several names that have been counted.
        var counted: Set<UInt64> = []
        /// Each level holds a descriptor; deeper ones are not entered, and no path reaches them either.
        private static let depthLimit = 256

        init(device: UInt64, bytes: Int64) {
            self.device = device
            self.bytes = bytes
        }

        mutating func add(_ directory: Int32, path: String, depth: Int) throws(SystemError) {
            for name in try Directories.names(in: directory, path: path) {
                var status = stat()
                guard fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0, UInt64(status.st_dev) == device
                else { continue }
                let isDirectory = status.st_mode & S_IFMT == S_IFDIR
                if isDirectory || status.st_nlink < 2 || counted.insert(UInt64(status.st_ino)).inserted {
                    bytes += Int64(status.st_blocks) * 512
                }
                guard isDirectory, depth < Self.depthLimit else { continue }
                let child = openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
                guard child >= 0 else { continue }
                defer { close(child) }
                try? add(child, path: path, depth: depth + 1)
            }
        }
    }
}
