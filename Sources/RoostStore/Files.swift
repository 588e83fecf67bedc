internal import Glibc
internal import RoostPorts

extension SystemError {
    /// The failure of a file's call with this `errno`, in the kernel's words and, if there is any, with advice.
    static func of(_ number: Int32, _ doing: String, _ subject: String) -> SystemError {
        let advice: String? =
            switch number {
            case ENOSPC, EDQUOT: "make room on the file system"
            case EROFS: "choose a place that can be written"
            case EACCES, EPERM: "check who owns it and who may use it"
            case ENOTDIR, EEXIST: "something of another kind is in the way; move it away"
            default: nil
            }
        return SystemError(doing: doing, subject: subject, errno: number, advice: advice)
    }
}

/// An open file descriptor, closed at the end of its owner.
struct Descriptor: ~Copyable {
    let rawValue: Int32

    /// Opens `path`, from the directory `parent` where that is given; never handed on to a child.
    init(_ path: UnsafePointer<CChar>, in parent: Int32 = AT_FDCWD, _ flags: Int32, mode: mode_t = 0) throws(Errno) {
        rawValue = try Errno.retry { openat(parent, path, flags | O_CLOEXEC, mode) }
    }

    deinit { close(rawValue) }

    /// What the kernel says of the file.
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
                    // Without an address the buffer would have no room, and this would not be reached.
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

    /// Writes all bytes where the descriptor stands.
    func write(_ bytes: some Collection<UInt8>) throws(Errno) {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = try Errno.retry { rest.withUnsafeBytes { Glibc.write(rawValue, $0.baseAddress, $0.count) } }
            rest = rest.dropFirst(count)
        }
    }

    /// Waits until what was written is on disk.
    func synchronize() throws(Errno) { _ = try Errno.retry { fsync(rawValue) } }
}

/// An `errno`, thrown where the caller knows best what was being done to what.
struct Errno: Error, Hashable {
    var number: Int32

    /// Calls the kernel until it is not interrupted; its answer, unless that is -1.
    static func retry<Answer: SignedInteger>(_ call: () -> Answer) throws(Errno) -> Answer {
        while true {
            let answer = call()
            if answer != -1 { return answer }
            if errno != EINTR { throw Errno(number: errno) }
        }
    }
}

/// Small files, read and written whole.
enum SmallFile {
    /// The largest that is read.
    private static let limit = 4_096

    /// The file's text without its last line break; nil where there is no such file.
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

    /// Writes the file with a line break at its end, all or nothing, and waits until it is on disk.
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
