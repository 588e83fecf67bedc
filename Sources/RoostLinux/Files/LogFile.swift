internal import Glibc
internal import RoostPorts

/// The file that receives an app's output.
///
/// At a launch, a file larger than `limit` is copied over `<path>.1` and then emptied. A process that still has the
/// file open continues at its new end. `LogWatch` does the same while the app runs.
///
/// An app that runs as our own user may put anything in the file's place. Links are not followed. A pipe is replaced by
/// a file, because opening it would wait for a reader.
struct LogFile {
    let path: String

    /// The maximum size of a log at a launch, in bytes.
    static let limit: Int64 = 4 << 20
    /// The maximum size of the older log, in bytes; the newest bytes are kept. The loop waits about ten milliseconds
    /// for the copy, and must not wait for gigabytes.
    static let longestOlder: Int64 = 16 << 20

    /// The maximum space that may be allocated beyond a log's end (`fallocate`), in bytes. The log's length does not
    /// show this space. A file system by itself allocates less for such a short file.
    static let mostBehind: Int64 = 16 << 20

    static func older(_ path: String) -> String { path + ".1" }

    /// A descriptor for appending, which the caller closes. Creates the file if it is missing.
    func open() throws(SystemError) -> Int32 {
        let log = try openRegular()
        var status = stat()
        guard fstat(log, &status) == 0 else { return log }
        if status.st_size > Self.limit {
            // Without room for a copy, the log stays as it is and nothing is lost.
            if copyToOlder(log, size: Int64(status.st_size)) { ftruncate(log, 0) }
        } else if Self.isTooLarge(status, limit: Self.limit) {
            giveBackRoom(of: log, status)
        }
        return log
    }

    /// Whether a log is longer than `limit`, or has more than `mostBehind` allocated beyond its end.
    static func isTooLarge(_ status: stat, limit: Int64) -> Bool {
        let size = Int64(status.st_size)
        return size > limit || Int64(status.st_blocks) * 512 - size > mostBehind
    }

    /// Frees the space allocated beyond the log's end. The content stays.
    private func giveBackRoom(of log: Int32, _ status: stat) { ftruncate(log, status.st_size) }

    /// Empties the log if it is longer than `limit`, while its app may be writing. Returns whether the log was emptied.
    ///
    /// If `isCopied`, the newest `limit` bytes are first copied to the older log. A line in the log says how many bytes
    /// are in neither. Output that the app writes between the check and the emptying is lost without notice.
    ///
    /// If the log is not too long but has more than `mostBehind` allocated beyond its end, that space is freed.
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
        // Without room for a copy, empty the log without a copy. Otherwise the disk could fill up.
        let kept = isCopied && copyToOlder(log, size: size, longest: limit) ? limit : 0
        ftruncate(log, 0)
        if size > kept {
            _ = Files.writeAll("roost: \(size - kept) bytes of output were dropped here\n".utf8, to: log)
        }
        return true
    }

    private func openRegular() throws(SystemError) -> Int32 {
        if let log = try openIfRegular() { return log }
        unlink(path)
        if let log = try openIfRegular() { return log }
        throw SystemError(
            doing: "open the app's log file", subject: path, errno: EEXIST,
            reason: "a link, pipe or socket keeps appearing in its place: remove it")
    }

    /// The open log; nil if a link, pipe or socket is in its place.
    private func openIfRegular() throws(SystemError) -> Int32? {
        let log = Glibc.open(
            path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK, 0o600)
        guard log >= 0 else {
            // The path is a link, a socket, or a pipe without a reader.
            if errno == ELOOP || errno == ENXIO { return nil }
            throw .now("open the app's log file", path)
        }
        var status = stat()
        switch fstat(log, &status) == 0 ? status.st_mode & S_IFMT : 0 {
        case S_IFREG:
            // The app expects an ordinary blocking file as its output.
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
