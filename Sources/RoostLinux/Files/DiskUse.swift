internal import Glibc
public import RoostPorts

/// The room files take on disk.
public enum DiskUse {
    /// The least that a file counts for: one without content takes an inode and a name.
    static let least: Int64 = 4096
    /// How many files of several names are known again by their second name; of any more, each name counts.
    private static let mostLinked = 1 << 20

    /// The disk space used below a directory, in bytes. Blocks are counted as `du` counts them, a file with several names
    /// counts once, and each file or directory counts for at least 4 KiB.
    ///
    /// Follows no link and leaves the file system it begins in by no mount. Takes as long as the files are many, and no
    /// more memory for deep trees: for a thread other than the loop's. A directory of ours that the app has locked is
    /// unlocked. An app may add, move and remove meanwhile: what goes counts nothing. A tree so wide that the names of
    /// its directories don't fit in `TreeWalk.mostNames` counts as more than any limit allows, `Int64.max`. Throws
    /// where the directory itself can't be read.
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
