internal import Glibc
public import RoostPorts

/// Disk space used by files.
public enum DiskUse {
    /// The minimum size of a file, in bytes: even an empty file takes an inode and a name.
    static let least: Int64 = 4096
    /// The maximum number of files with several names that are recognized. Beyond that number, each name counts.
    private static let mostLinked = 1 << 20

    /// The disk space used below a directory, in bytes. Blocks count as in `du`, a file with several names counts once,
    /// and each file or directory counts for at least 4 KiB. `Int64.max` if the directory names do not fit in
    /// `TreeWalk.mostNames`: that exceeds every limit.
    ///
    /// The measurement follows no symbolic link and enters no other file system. It unlocks directories of ours that
    /// the app has locked. An app may add, move and remove files meanwhile; files that disappear count as zero.
    ///
    /// The time grows with the number of files, so do not call it on the loop's thread. A deep tree takes no extra
    /// memory. Throws if the directory itself cannot be read.
    public static func bytes(below path: String) throws(SystemError) -> Int64 {
        try bytes(below: path, mostNames: TreeWalk.mostNames)
    }

    static func bytes(below path: String, mostNames: Int) throws(SystemError) -> Int64 {
        var top = stat()
        let directory = TreeWalk.open(Array(path.utf8CString), in: AT_FDCWD, &top)
        guard directory >= 0 else { throw .now("measure a directory", path) }
        defer { close(directory) }
        let device = top.st_dev
        var sum = max(Int64(top.st_blocks) * 512, least)
        var linked: Set<UInt64> = []
        let end = try TreeWalk.go(below: directory, path: path, mostNames: mostNames) {
            (entry: TreeWalk.Entry) throws(SystemError) -> Bool in
            let status = entry.status
            guard status.st_dev == device else { return false }
            let inode = UInt64(status.st_ino)
            if !entry.isDirectory, status.st_nlink > 1 {
                if linked.contains(inode) { return false }
                if linked.count < mostLinked { linked.insert(inode) }
            }
            sum += max(Int64(status.st_blocks) * 512, least)
            return true
        }
        switch end {
        case .complete, .moved: return sum
        case .tooWide: return .max
        }
    }
}
