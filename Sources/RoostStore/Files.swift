internal import Glibc
internal import RoostPorts

extension SystemError {
    /// The error for a failed file operation with this `errno`. Its reason is the kernel's text, followed by advice for
    /// some errors.
    static func of(_ number: Int32, _ doing: String, _ subject: String) -> SystemError {
        let advice: String? =
            switch number {
            case ENOSPC, EDQUOT: "make room on the file system"
            case EROFS: "choose a place that can be written"
            case EACCES, EPERM: "check who owns it and who may use it"
            case ENOTDIR, EEXIST: "something of another kind is there; move it away"
            default: nil
            }
        return SystemError(doing: doing, subject: subject, errno: number, advice: advice)
    }
}

/// An open file descriptor, closed when its owner is destroyed.
struct Descriptor: ~Copyable {
    let rawValue: Int32

    /// Opens `path`, by default relative to the working directory, otherwise to the directory `parent`. Child processes
    /// do not inherit the descriptor.
    init(_ path: UnsafePointer<CChar>, in parent: Int32 = AT_FDCWD, _ flags: Int32, mode: mode_t = 0) throws(Errno) {
        rawValue = try Errno.retry { openat(parent, path, flags | O_CLOEXEC, mode) }
    }

    deinit { close(rawValue) }

    /// The file's metadata.
    func status() throws(Errno) -> stat {
        var status = stat()
        _ = try Errno.retry { fstat(rawValue, &status) }
        return status
    }

    /// Up to `count` bytes from `offset`; fewer at the end of the file.
    func read(at offset: Int64, count: Int) throws(Errno) -> [UInt8] {
        var failure: Errno?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            do throws(Errno) {
                while filled < count {
                    // The buffer has room here, so it has an address.
                    let got = try Errno.retry {
                        pread(rawValue, buffer.baseAddress! + filled, count - filled, off_t(offset) + off_t(filled))
                    }
                    if got == 0 { break }
                    filled += got
                }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Writes all bytes at the descriptor's current offset.
    func write(_ bytes: some Collection<UInt8>) throws(Errno) {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = try Errno.retry { rest.withUnsafeBytes { Glibc.write(rawValue, $0.baseAddress, $0.count) } }
            rest = rest.dropFirst(count)
        }
    }

    /// Waits until everything written is on disk.
    func synchronize() throws(Errno) { _ = try Errno.retry { fsync(rawValue) } }
}

/// An `errno`, thrown to a caller that knows which action failed on what.
struct Errno: Error, Hashable {
    var number: Int32

    /// Repeats a system call while it is interrupted (EINTR). Throws if the result is -1.
    static func retry<Answer: SignedInteger>(_ call: () -> Answer) throws(Errno) -> Answer {
        while true {
            let answer = call()
            if answer != -1 { return answer }
            if errno != EINTR { throw Errno(number: errno) }
        }
    }
}

/// Small files, read and written as a whole.
enum SmallFile {
    /// The maximum number of bytes that are read.
    private static let limit = 4_096

    /// The file's text without its last line break; nil if the file does not exist.
    static func read(_ path: String) throws(SystemError) -> String? {
        do throws(Errno) {
            let file = try Descriptor(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
            let bytes = try file.read(at: 0, count: limit)
            return String(decoding: bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...], as: UTF8.self)
        } catch {
            if error.number == ENOENT { return nil }
            throw SystemError.of(error.number, "read a file", path)
        }
    }

    /// Atomically replaces the file with the text and a line break, and waits until it is on disk.
    static func write(_ text: String, to path: String, in directory: String) throws(SystemError) {
        let draft = path + ".new"
        do throws(Errno) {
            let file = try Descriptor(draft, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, mode: 0o600)
            try file.write((text + "\n").utf8)
            try file.synchronize()
            _ = try Errno.retry { rename(draft, path) }
            try Descriptor(directory, O_RDONLY | O_DIRECTORY).synchronize()
        } catch {
            unlink(draft)
            throw SystemError.of(error.number, "write a file", path)
        }
    }
}
