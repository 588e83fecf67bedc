internal import Glibc
internal import LifeCycleModel
internal import RoostPorts
internal import Synchronization

/// The directory the partial files lie in, which no app reaches.
///
/// `app-session-task.part` holds what has arrived. Beside it `….version` may lie: then the bytes are of the version it
/// names, whatever an older checkpoint says. It is written before a file is begun anew for another version.
final class PartialFiles: Sendable {
    let path: String
    /// The directory, open as long as this is there.
    let descriptor: Int32
    /// Whose versions are, or may be, written down. Nobody else writes to the directory.
    private let versions = Mutex<Set<TransferID>>([])

    static let suffix = ".part"
    static let versionSuffix = ".version"

    init(path: String) throws(SystemError) {
        self.path = path
        var made = ""
        for part in path.split(separator: "/") {
            made += "/" + part
            guard mkdir(made, 0o700) == 0 || errno == EEXIST || access(made, X_OK) == 0 else {
                throw .now("make the directory for transfers", made)
            }
        }
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw .now("open the directory for transfers", path) }
        // Made by somebody else's hand it may be open to others.
        guard fchmod(descriptor, 0o700) == 0 || errno == EROFS else {
            let error = SystemError.now("close the directory for transfers to others", path)
            close(descriptor)
            throw error
        }
        // Learns what versions are written down.
        _ = all()
    }

    deinit { close(descriptor) }

    static func stem(of id: TransferID) -> String {
        "\(id.session.app.rawValue)-\(id.session.number)-\(id.number)"
    }

    static func name(of id: TransferID) -> String { stem(of: id) + suffix }

    static func versionName(of id: TransferID) -> String { stem(of: id) + versionSuffix }

    /// Whose file this is; nil for a name that is none of ours.
    static func id(of name: String) -> TransferID? {
        guard let suffix = [suffix, versionSuffix].first(where: name.hasSuffix) else { return nil }
        let parts = name.dropLast(suffix.count).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, let app = Int32(parts[0]), let session = Int32(parts[1]), let task = Int64(parts[2])
        else { return nil }
        let id = TransferID(session: TransferSessionID(app: AppID(app), number: session), number: task)
        return stem(of: id) == name.dropLast(suffix.count) ? id : nil
    }

    /// The transfers there are files of.
    func all() -> Set<TransferID> {
        let own = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard own >= 0, let stream = fdopendir(own) else {
            if own >= 0 { close(own) }
            return []
        }
        defer { closedir(stream) }
        var found: Set<TransferID> = []
        var versions: Set<TransferID> = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard let id = Self.id(of: name) else { continue }
            found.insert(id)
            if name.hasSuffix(Self.versionSuffix) { versions.insert(id) }
        }
        self.versions.withLock { $0.formUnion(versions) }
        return found
    }

    func remove(_ id: TransferID) {
        unlinkat(descriptor, Self.name(of: id), 0)
        forgetVersion(of: id)
    }

    /// Makes the partial file of `other` that of `id`. Where it has none, `id` keeps what it has: done before.
    func hand(from other: TransferID, to id: TransferID) {
        guard other != id, faccessat(descriptor, Self.name(of: other), F_OK, AT_SYMLINK_NOFOLLOW) == 0 else { return }
        // The version first: a crash in between must not leave bytes without what tells their version.
        if renameat(descriptor, Self.versionName(of: other), descriptor, Self.versionName(of: id)) != 0 {
            unlinkat(descriptor, Self.versionName(of: id), 0)
        }
        versions.withLock { if $0.remove(other) != nil { $0.insert(id) } }
        renameat(descriptor, Self.name(of: other), descriptor, Self.name(of: id))
        fsync(descriptor)
    }

    // MARK: Versions

    /// The version a file's bytes are of; nil where nothing says so.
    func version(of id: TransferID) -> String? {
        let file = openat(descriptor, Self.versionName(of: id), O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(file, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    /// Says so, durably.
    func setVersion(_ version: String, of id: TransferID) throws(SystemError) {
        _ = versions.withLock { $0.insert(id) }
        let name = Self.versionName(of: id)
        let file = openat(descriptor, name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .now("make a transfer's file", path + "/" + name) }
        defer { close(file) }
        let bytes = Array(version.utf8)
        guard write(file, bytes, bytes.count) == bytes.count, fsync(file) == 0, fsync(descriptor) == 0 else {
            throw .now("write a transfer's file", path + "/" + name)
        }
    }

    func forgetVersion(of id: TransferID) {
        if versions.withLock({ $0.remove(id) }) != nil { unlinkat(descriptor, Self.versionName(of: id), 0) }
    }
}
