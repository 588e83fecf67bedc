internal import Glibc
public import RoostPorts

/// The directory with a system's sockets, for its user only.
///
/// The directory is outside the state directory, because a Unix socket's path has at most 107 bytes and a state
/// directory may be deep.
public struct RuntimeDirectory: Hashable, Sendable {
    /// Its absolute path.
    public let path: String

    /// The socket for the command line tool `roost`.
    public var controlSocket: String { path + "/control" }
    /// The socket to which apps connect, in `ROOST_SOCKET`.
    public var appSocket: String { path + "/apps" }

    /// The file with the cookie that a client of the control socket must send first. Only the system's user can read
    /// it, and that user's sandboxed apps cannot.
    public var cookieFile: String { Self.cookieFile(beside: controlSocket) }

    private static func cookieFile(beside controlSocket: String) -> String {
        Sandbox.parent(of: controlSocket) + "/cookie"
    }

    /// The subdirectory for a sandbox's user database files of apps.
    static let entries = "/users"

    /// The file that a running system locks.
    private var lock: String { path + "/lock" }

    /// Locks the directory until the returned value is destroyed. Two systems with one id would take each other's
    /// sockets. Throws `EWOULDBLOCK` if another system holds the lock.
    public func hold() throws(SystemError) -> RuntimeLock {
        let doing = "lock the directory for sockets"
        while true {
            let descriptor = open(lock, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw .now(doing, path) }
            let held = RuntimeLock(descriptor)
            var code: Int32
            repeat { code = flock(descriptor, LOCK_EX | LOCK_NB) } while code != 0 && errno == EINTR
            guard code == 0 else {
                guard errno == EWOULDBLOCK else { throw .now(doing, path) }
                throw SystemError(
                    doing: doing, subject: path, errno: EWOULDBLOCK,
                    reason: "a system with the same id runs: one of the two state directories is a copy of the other; "
                        + "remove system-id in the copy to draw a new id")
            }
            // The previous holder may have removed the file meanwhile.
            var (status, there) = (stat(), stat())
            if fstat(descriptor, &status) == 0, stat(lock, &there) == 0, status.st_ino == there.st_ino { return held }
        }
    }

    /// The maximum length of a socket's path, in bytes, without the NUL.
    static let longestSocketPath = 107

    /// The directory of the system `systemID`, without access to the file system: `$XDG_RUNTIME_DIR/roost/<id>`. If
    /// that variable is unset, `/run/roost/<id>` for root and `/tmp/roost-<uid>/<id>` for other users.
    ///
    /// Throws `ENAMETOOLONG` if a socket's path would be too long, and `EINVAL` if the id is not a plain name.
    public init(systemID: String, environment: [String: String]) throws(SystemError) {
        try self.init(systemID: systemID, environment: environment, user: getuid())
    }

    init(systemID: String, environment: [String: String], user: UInt32) throws(SystemError) {
        let parts = Self.parts(systemID: systemID, environment: environment, user: user)
        path = parts.base + "/" + parts.names.joined(separator: "/")
        guard !systemID.isEmpty, systemID != ".", systemID != "..", !systemID.utf8.contains(UInt8(ascii: "/")) else {
            throw SystemError(
                doing: "name the directory for sockets", subject: systemID, errno: EINVAL,
                reason: "it is not a system id")
        }
        guard controlSocket.utf8.count <= Self.longestSocketPath else {
            throw SystemError(
                doing: "name the directory for sockets", subject: path, errno: ENAMETOOLONG,
                reason: "a socket's path may have \(Self.longestSocketPath) bytes; set XDG_RUNTIME_DIR to a shorter one"
            )
        }
    }

    /// Creates the directory of the system `systemID`, mode 0700; 0755 if apps with other uids must reach the sockets.
    ///
    /// Every directory of ours on the way must be a real directory with our uid, and gets this mode. A symbolic link
    /// (`ELOOP`, `ENOTDIR`) or another owner (`EPERM`) is refused, because its creator could read our messages.
    public static func prepare(
        systemID: String, environment: [String: String], isOpenToApps: Bool = false
    ) throws(SystemError) -> RuntimeDirectory {
        try prepare(systemID: systemID, environment: environment, user: getuid(), isOpenToApps: isOpenToApps)
    }

    static func prepare(
        systemID: String, environment: [String: String], user: UInt32, isOpenToApps: Bool = false
    ) throws(SystemError) -> RuntimeDirectory {
        let result = try RuntimeDirectory(systemID: systemID, environment: environment, user: user)
        let (base, names) = parts(systemID: systemID, environment: environment, user: user)
        var path = base
        var directory = Glibc.open(base, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else {
            throw .now("open the directory for sockets", base, advice: "create it, or set XDG_RUNTIME_DIR to another")
        }
        defer { close(directory) }
        if environment["XDG_RUNTIME_DIR"] == base { try check(directory, base, user: user, mode: nil) }
        for name in names {
            path += "/" + name
            let next = try Directories.open(name, in: directory, makingItWith: 0o700, path: path)
            close(directory)
            directory = next
            try check(directory, path, user: user, mode: isOpenToApps ? 0o755 : 0o700)
        }
        return result
    }

    /// Creates a random cookie, 128 bits in hexadecimal, and replaces the previous one.
    public func makeCookie() throws(SystemError) -> String {
        var source = SystemRandomNumberGenerator()
        let cookie = (0..<16).map { _ in
            let digits = String(source.next() as UInt8, radix: 16)
            return digits.count < 2 ? "0" + digits : digits
        }.joined()
        unlink(cookieFile)
        let file = open(cookieFile, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .now("write the control socket's cookie", cookieFile) }
        defer { close(file) }
        guard Files.writeAll((cookie + "\n").utf8, to: file) else {
            throw .now("write the control socket's cookie", cookieFile)
        }
        return cookie
    }

    /// The cookie of the system that listens at a control socket; nil if it cannot be read.
    public static func cookie(for controlSocket: String) -> String? {
        Files.text(cookieFile(beside: controlSocket))?.split(separator: "\n").first.map(String.init)
    }

    /// Removes the directory and the sockets in it, at the system's end.
    public func remove() {
        let entries = path + Self.entries
        for name in Files.names(in: entries) ?? [] { unlink(entries + "/" + name) }
        rmdir(entries)
        for file in [cookieFile, controlSocket, appSocket, lock] { unlink(file) }
        rmdir(path)
    }

    private static func parts(
        systemID: String, environment: [String: String], user: UInt32
    ) -> (base: String, names: [String]) {
        // The XDG specification says to ignore a relative path.
        if var base = environment["XDG_RUNTIME_DIR"], base.hasPrefix("/") {
            while base.count > 1, base.hasSuffix("/") { base.removeLast() }
            return (base, ["roost", systemID])
        }
        return user == 0 ? ("/run", ["roost", systemID]) : ("/tmp", ["roost-\(user)", systemID])
    }

    private static func check(_ directory: Int32, _ path: String, user: UInt32, mode: mode_t?) throws(SystemError) {
        var status = stat()
        guard fstat(directory, &status) == 0 else { throw .now("read the status of the directory for sockets", path) }
        guard status.st_uid == user else {
            throw SystemError(
                doing: "use the directory for sockets", subject: path, errno: EPERM,
                reason:
                    "it belongs to user \(status.st_uid), not to \(user): set XDG_RUNTIME_DIR to a directory of yours,"
                    + " or unset it")
        }
        if let mode, status.st_mode & 0o777 != mode, fchmod(directory, mode) != 0 {
            throw .now("restrict the permissions of the directory for sockets", path)
        }
    }
}

/// The lock on a runtime directory, for the lifetime of this value.
public final class RuntimeLock {
    private let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }
}
