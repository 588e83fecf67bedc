internal import Glibc
public import RoostPorts

/// The directory that holds all of a system's state, locked by one system at a time.
///
/// - `format`: the layout's version
/// - `lock`: locked by the running system, with its pid; the kernel releases it when the system ends
/// - `system-id`: names the system, for example in its cgroup; random, and new for each copy of the directory
/// - `directory-id`: the identity of the directory for which the id was created
/// - `sockets`: the path of the running system's sockets
/// - `store.db`: the persisted state
/// - `bundles`: installed apps
/// - `containers`: the apps' data
/// - `logs`: the apps' output
/// - `decisions`: the newest decisions about each app
/// - `journal`: the system's events
/// - `transfers`: partial files of unfinished downloads
public final class StateDirectory {
    /// The layout version that this program reads and writes.
    public static let format = 1

    /// The directory's absolute path.
    public let path: String
    /// The system's id: twelve random hexadecimal digits, created with the directory, or at the first use of a copy.
    public let systemID: String
    /// The id of the system whose directory this is a fresh copy of; nil if the directory is no copy, or was used
    /// before.
    public let formerID: String?

    private let identity: DirectoryIdentity

    /// The file `SQLiteStore` opens.
    public var store: String { path + "/store.db" }
    /// The directory of installed apps.
    public var bundles: String { path + "/bundles" }
    /// The directory of apps' data.
    public var containers: String { path + "/containers" }
    /// The directory of apps' output.
    public var logs: String { path + "/logs" }
    /// The directory of the system's journal.
    public var journal: String { path + "/journal" }
    /// The directory of unfinished downloads.
    public var transfers: String { path + "/transfers" }

    private let lock: Descriptor

    /// Opens the directory at `path`, creating it if it is missing, and locks it for the lifetime of this value.
    /// `holder` is the pid that other programs find in the lock file; nil for this process.
    public init(path: String, holder: Int32? = nil) throws(SystemError) {
        try Self.makeDirectories(path)
        let path = try Self.absolute(path)
        try Self.checkIsOurs(path)
        lock = try Self.lock(path, holder: holder ?? getpid())
        self.path = path
        try Self.restrict(path)
        if try SmallFile.read(path + "/format") == nil {
            try SmallFile.write(String(Self.format), to: path + "/format", in: path)
        }
        for name in ["bundles", "containers", "logs", "journal", "transfers"] {
            try Self.makeDirectory("\(path)/\(name)")
        }
        identity = try DirectoryIdentity(of: path)
        let noted = try Self.readSystemID(path)
        if let noted, try Self.isOriginal(path) {
            (systemID, formerID) = (noted, nil)
        } else {
            (systemID, formerID) = (Self.drawSystemID(), noted)
            try SmallFile.write(systemID, to: path + "/system-id", in: path)
        }
    }

    /// Binds the id to this directory. In a copy, call this last: until then each start treats the directory as a copy.
    public func bind() throws(SystemError) { try identity.note(in: path) }

    /// Notes the path of the running system's sockets, for commands with another environment.
    public func note(sockets: String) throws(SystemError) {
        guard try SmallFile.read(path + "/sockets") != sockets else { return }
        try SmallFile.write(sockets, to: path + "/sockets", in: path)
    }

    /// The last noted socket directory of the system `systemID`; nil if no directory is noted.
    public static func sockets(of systemID: String, in path: String) -> String? {
        guard let noted = try? SmallFile.read(path + "/sockets"), noted.hasPrefix("/"), noted.hasSuffix("/" + systemID)
        else { return nil }
        return noted
    }

    /// The uid that owns the directory at `path`; nil if it cannot be read.
    public static func owner(of path: String) -> UInt32? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_uid : nil
    }

    /// Binds the id in the directory at `path` to that directory, and returns the id; nil without an id. This is for a
    /// directory that was moved or restored. Throws `EEXIST` for a copy if the original is still in its place.
    public static func claim(_ path: String) throws(SystemError) -> String? {
        guard try exists(path), let id = try readSystemID(path) else { return nil }
        let path = try absolute(path)
        let identity = try DirectoryIdentity(of: path)
        if let original = try DirectoryIdentity(notedIn: path), !original.isSame(as: identity), !original.path.isEmpty,
            let there = try? DirectoryIdentity(of: original.path), there.isSame(as: original)
        {
            throw SystemError(
                doing: "keep the system's id", subject: path, errno: EEXIST,
                reason: "the directory it was copied from is still at \(original.path), and keeps the id; "
                    + "`roost up` gives the copy an id of its own")
        }
        // The new path of a moved directory is noted, too, so that a copy finds the original there.
        try identity.note(in: path)
        return id
    }

    /// Whether the id in the directory at `path` was created for that directory. A directory without a noted identity
    /// is older than this check and counts as the original.
    private static func isOriginal(_ path: String) throws(SystemError) -> Bool {
        guard let noted = try DirectoryIdentity(notedIn: path) else { return true }
        return try DirectoryIdentity(of: path).isSame(as: noted)
    }

    /// The system id of the directory at `path`, for the command line; does not lock. Nil if no system has run there
    /// yet. In a copy, the id belongs to the other directory's system.
    public static func systemID(of path: String) throws(SystemError) -> String? {
        guard try exists(path), try isOriginal(path) else { return nil }
        return try readSystemID(path)
    }

    /// Whether the directory at `path` is a state directory with a layout that this program reads.
    public static func exists(_ path: String) throws(SystemError) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == ENOENT { return false }
            throw SystemError.of(errno, "read the status of the state directory", path)
        }
        guard try SmallFile.read(path + "/format") != nil else { return false }
        try checkIsOurs(path)
        return true
    }

    /// Runs `body` while no system can start in the directory at `path`. Creates nothing there. Throws `EWOULDBLOCK` if
    /// a system is running.
    public static func whileIdle<Answer>(_ path: String, _ body: () throws -> Answer) throws -> Answer {
        if access(path + "/lock", F_OK) != 0, errno == ENOENT { return try body() }
        let lock = try locking(path) { () throws(Errno) in
            try Descriptor(path + "/lock", O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        }
        try hold(lock, path)
        let answer = try body()
        // Keep the lock until here.
        withExtendedLifetime(lock) {}
        return answer
    }

    /// The pid in the lock file of the directory at `path`: of the current or the last holder. Nil if the file has no
    /// pid.
    public static func holder(of path: String) throws(SystemError) -> Int32? {
        try SmallFile.read(path + "/lock").flatMap { Int32($0) }
    }

    /// Refuses a directory with a newer layout, and a directory that has only other files.
    private static func checkIsOurs(_ path: String) throws(SystemError) {
        let doing = "open the state directory"
        if let text = try SmallFile.read(path + "/format") {
            guard let version = Int(text), version > 0 else {
                throw SystemError(
                    doing: doing, subject: path + "/format", errno: 0,
                    reason: "it does not hold a version number; if this is no state directory, choose another")
            }
            guard version <= format else {
                throw SystemError(
                    doing: doing, subject: path, errno: 0,
                    reason: "its format is version \(version) and this Roost knows versions up to \(format): "
                        + "use the newer Roost, or another directory")
            }
            return
        }
        // A run that was interrupted while creating the directory may have left these files.
        let ours = ["lock", "format.new"]
        guard try names(in: path, doing: doing).allSatisfy(ours.contains) else {
            throw SystemError(
                doing: doing, subject: path, errno: ENOTEMPTY,
                reason: "it holds files, but none of them is Roost's: choose an empty directory")
        }
    }

    private static func names(in path: String, doing: String) throws(SystemError) -> [String] {
        do throws(Errno) {
            let directory = try Descriptor(path, O_RDONLY | O_DIRECTORY)
            return try FileTree.names(in: directory).map(FileTree.text)
        } catch {
            throw SystemError.of(error.number, doing, path)
        }
    }

    private static func lock(_ path: String, holder: Int32) throws(SystemError) -> Descriptor {
        let lock = try locking(path) { () throws(Errno) in
            try Descriptor(path + "/lock", O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
        }
        try hold(lock, path)
        try locking(path) { () throws(Errno) in
            // Overwrite in place: on a full disk, a truncated file could not be written again.
            let text = "\(holder)\n".utf8
            try lock.write(text)
            _ = try Errno.retry { ftruncate(lock.rawValue, off_t(text.count)) }
        }
        return lock
    }

    private static let lockDoing = "lock the state directory"

    private static func locking<Answer: ~Copyable>(
        _ path: String, _ body: () throws(Errno) -> Answer
    ) throws(SystemError) -> Answer {
        do throws(Errno) {
            return try body()
        } catch {
            throw SystemError.of(error.number, lockDoing, path)
        }
    }

    /// Takes the lock on an open lock file. The lock is released when the descriptor is closed.
    private static func hold(_ lock: borrowing Descriptor, _ path: String) throws(SystemError) {
        do throws(Errno) {
            _ = try Errno.retry { flock(lock.rawValue, LOCK_EX | LOCK_NB) }
        } catch {
            guard error.number == EWOULDBLOCK else { throw SystemError.of(error.number, lockDoing, path) }
            // The holder may not have written its pid yet.
            let holder = try SmallFile.read(path + "/lock").flatMap { Int32($0) }.map { " (pid \($0))" } ?? ""
            throw SystemError(
                doing: lockDoing, subject: path, errno: EWOULDBLOCK,
                reason: "it is in use by a running system\(holder)")
        }
    }

    private static func readSystemID(_ path: String) throws(SystemError) -> String? {
        let file = path + "/system-id"
        guard let text = try SmallFile.read(file) else { return nil }
        guard text.utf8.count == 12, text.utf8.allSatisfy({ "0123456789abcdef".utf8.contains($0) }) else {
            throw SystemError(
                doing: "read the system's id", subject: file, errno: 0,
                reason: "it does not hold twelve hexadecimal digits; remove it while no system runs, to draw a new id")
        }
        return text
    }

    private static func drawSystemID() -> String {
        let digits = String(UInt64.random(in: 0..<(1 << 48)), radix: 16)
        return String(repeating: "0", count: 12 - digits.count) + digits
    }

    /// Creates the directory and its parents if they are missing.
    private static func makeDirectories(_ path: String) throws(SystemError) {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw SystemError.of(EINVAL, "create the state directory", path)
        }
        var parent = path.utf8.first == UInt8(ascii: "/") ? "/" : ""
        for part in path.utf8.split(separator: UInt8(ascii: "/")) {
            parent += String(decoding: part, as: UTF8.self)
            try makeDirectory(parent)
            parent += "/"
        }
    }

    private static func makeDirectory(_ path: String) throws(SystemError) {
        if mkdir(path, 0o700) == 0 { return }
        let number = errno
        var status = stat()
        // On a read-only file system, or in another user's directory, `mkdir` may report something other than EEXIST.
        guard stat(path, &status) == 0 else { throw SystemError.of(number, "create a directory", path) }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw SystemError.of(ENOTDIR, "create a directory", path) }
    }

    private static func absolute(_ path: String) throws(SystemError) -> String {
        guard let resolved = realpath(path, nil) else { throw SystemError.of(errno, "open the state directory", path) }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Denies reading and writing to other users: the store holds the tokens by which apps prove their identity. Search
    /// permission may stay, because apps with their own uids need it to reach their files.
    private static func restrict(_ path: String) throws(SystemError) {
        do throws(Errno) {
            let directory = try Descriptor(path, O_RDONLY | O_DIRECTORY)
            guard try directory.status().st_mode & 0o066 != 0 else { return }
            _ = try Errno.retry { fchmod(directory.rawValue, 0o700) }
        } catch {
            throw SystemError.of(error.number, "restrict the permissions of the state directory", path)
        }
    }
}
