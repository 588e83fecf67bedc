internal import Glibc
internal import RoostPorts

/// The file an app's output goes to.
///
/// At a launch, a file that has grown beyond `limit` is copied to `<path>.1`, which it replaces, and emptied: a process
/// that still has it open goes on at its new end. `LogWatch` does the same while its app runs.
///
/// An app of our own user may put anything in the file's place. No link is followed, and a pipe, whose opening would
/// wait for a reader, is replaced by a file.
struct LogFile {
    let path: String

    /// How many bytes a log may have at a launch.
    static let limit: Int64 = 4 << 20
    /// How many bytes are kept in the older log, the newest ones: the loop waits while they are copied, some ten
    /// milliseconds, and must not for gigabytes.
    static let longestOlder: Int64 = 16 << 20

    /// How many bytes may be set aside behind a log's end, which its length does not show (`fallocate`): more than a
    /// file system sets aside of its own accord for one so short.
    static let mostBehind: Int64 = 16 << 20

    /// What the older log of the log `path` is called.
    static func older(_ path: String) -> String { path + ".1" }

    /// A descriptor for appending, the caller's to close. Makes the file where it is missing.
    func open() throws(SystemError) -> Int32 {
        let log = try openRegular()
        var status = stat()
        guard fstat(log, &status) == 0 else { return log }
        if status.st_size > Self.limit {
            // Where there is no room for a copy, nothing is lost: the log stays as it is.
            if copyToOlder(log, size: Int64(status.st_size)) { ftruncate(log, 0) }
        } else if Self.isTooLarge(status, limit: Self.limit) {
            giveBackRoom(of: log, status)
        }
        return log
    }

    /// Whether a log is longer than `limit`, or has more than `mostBehind` set aside behind its end.
    static func isTooLarge(_ status: stat, limit: Int64) -> Bool {
        let size = Int64(status.st_size)
        return size > limit || Int64(status.st_blocks) * 512 - size > mostBehind
    }

    /// Cuts the log where it ends: what is set aside behind it goes, and no word of it.
    private func giveBackRoom(of log: Int32, _ status: stat) { ftruncate(log, status.st_size) }

    /// Empties the log if it is longer than `limit`, while its app may be writing, and says whether it was. Before, the
    /// newest `limit` bytes are copied to the older log, if `isCopied`. A line in the log says how much is in neither;
    /// nothing says what the app writes between the look and the emptying. Room set aside behind the end of a log that
    /// is not longer is given back, if it is more than `mostBehind`.
    func shorten(limit: Int64, isCopied: Bool) -> Bool {
        guard let log = try? openIfRegular() else { return false }
        defer { close(log) }
        var status = stat()
        guard fstat(log, &status) == 0, Self.isTooLarge(status, limit: limit) else { return false }
        guard status.st_size > limit else {
            giveBackRoom(of: log, status)
            return false
        }
        let size = Int64(status.st_size)
        // Where there is no room for a copy it has to go without one: this is what keeps the disk from filling up.
        let kept = isCopied && copyToOlder(log, size: size, longest: limit) ? limit : 0
        ftruncate(log, 0)
        if size > kept {
            _ = Files.writeAll("roost: \(size - kept) bytes that were printed here are not kept\n".utf8, to: log)
        }
        return true
    }

    private func openRegular() throws(SystemError) -> Int32 {
        if let log = try openIfRegular() { return log }
        unlink(path)
        if let log = try openIfRegular() { return log }
        throw SystemError(
            doing: "open the app's log file", subject: path, errno: EEXIST,
            reason: "a link, pipe or socket is in its place and comes back: remove it")
    }

    /// Nil where a link, pipe or socket is in the file's place.
    private func openIfRegular() throws(SystemError) -> Int32? {
        let log = Glibc.open(
            path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK, 0o600)
        guard log >= 0 else {
            // A link; a socket, or a pipe nobody reads.
            if errno == ELOOP || errno == ENXIO { return nil }
            throw .now("open the app's log file", path)
        }
        var status = stat()
        switch fstat(log, &status) == 0 ? status.st_mode & S_IFMT : 0 {
        case S_IFREG:
            // The app is to find an ordinary file as its output.
            _ = fcntl(log, F_SETFL, fcntl(log, F_GETFL) & ~O_NONBLOCK)
            return log
        case S_IFIFO:
            close(log)
            return nil
        default:
            close(log)
            throw SystemError(
                doing: "open the app's log file", subject: path, errno: EINVAL,
                reason: "it is not a regular file: remove it")
        }
    }

    private func copyToOlder(_ log: Int32, size: Int64, longest: Int64 = longestOlder) -> Bool {
        let source = Glibc.open("/proc/self/fd/\(log)", O_RDONLY | O_CLOEXEC)
        guard source >= 0 else { return false }
        defer { close(source) }
        unlink(Self.older(path))
        let target = Glibc.open(Self.older(path), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard target >= 0 else { return false }
        defer { close(target) }
        var offset = max(0, size - longest)
        var chunk = [UInt8](repeating: 0, count: 1 << 18)
        while offset < size {
            let count = pread(source, &chunk, min(chunk.count, Int(size - offset)), off_t(offset))
            guard count > 0 else { return count == 0 }
            guard Files.writeAll(chunk[..<count], to: target) else { return false }
            offset += Int64(count)
        }
        return true
    }
}
