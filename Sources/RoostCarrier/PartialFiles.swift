internal import Glibc
package import LifeCycleModel
package import RoostPorts

/// The directory the partial files lie in, which no app reaches.
///
/// `app-session-task.part` holds what has arrived. Beside it `….version` may lie: then the bytes are of the version it
/// names, whatever an older checkpoint says. It is written before a file is begun anew for another version.
package final class PartialFiles: Sendable {
    package let path: String
    /// The directory, open as long as this is there.
    package let descriptor: Int32

    static let suffix = ".part"
    static let versionSuffix = ".version"

    package init(path: String) throws(SystemError) {
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
    }

    deinit { close(descriptor) }

    package static func stem(of id: TransferID) -> String {
        "\(id.session.app.rawValue)-\(id.session.number)-\(id.number)"
    }

    package static func name(of id: TransferID) -> String { stem(of: id) + suffix }

    package static func versionName(of id: TransferID) -> String { stem(of: id) + versionSuffix }

    /// Whose file this is; nil for a name that is none of ours.
    package static func id(of name: String) -> TransferID? {
        guard let suffix = [suffix, versionSuffix].first(where: name.hasSuffix) else { return nil }
        let parts = name.dropLast(suffix.count).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, let app = Int32(parts[0]), let session = Int32(parts[1]), let task = Int64(parts[2])
        else { return nil }
        let id = TransferID(session: TransferSessionID(app: AppID(app), number: session), number: task)
        return stem(of: id) == name.dropLast(suffix.count) ? id : nil
    }

    /// The transfers there are files of.
    package func all() -> Set<TransferID> {
        let own = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard own >= 0, let stream = fdopendir(own) else {
            if own >= 0 { close(own) }
            return []
        }
        defer { closedir(stream) }
        var found: Set<TransferID> = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard let id = Self.id(of: name) else { continue }
            found.insert(id)
        }
        return found
    }

    /// Makes the directory and the files in it another user's.
    func give(to user: UInt32) throws(SystemError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_uid != user || status.st_gid != user else { return }
        for id in all() {
            for name in [Self.name(of: id), Self.versionName(of: id)] {
                fchownat(descriptor, name, user, user, AT_SYMLINK_NOFOLLOW)
            }
        }
        guard fchown(descriptor, user, user) == 0 else { throw .now("give the directory for transfers away", path) }
    }

    /// What those of an app take on the disk.
    func size(of app: AppID) -> Int64 {
        all().filter { $0.session.app == app }.reduce(0) { sum, id in
            var status = stat()
            guard fstatat(descriptor, Self.name(of: id), &status, AT_SYMLINK_NOFOLLOW) == 0 else { return sum }
            return sum + Int64(status.st_blocks) * 512
        }
    }

    /// Gives back the room that was set aside beyond a file's end, where a carrier could not.
    func trim(_ id: TransferID) {
        let file = openat(descriptor, Self.name(of: id), O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
        _ = ftruncate(file, status.st_size)
    }

    package func remove(_ id: TransferID) {
        unlinkat(descriptor, Self.name(of: id), 0)
        forgetVersion(of: id)
    }

    /// Makes the partial file of `other` that of `id`. Where it has none, `id` keeps what it has: done before.
    package func hand(from other: TransferID, to id: TransferID) {
        guard other != id, faccessat(descriptor, Self.name(of: other), F_OK, AT_SYMLINK_NOFOLLOW) == 0 else { return }
        // The version first: a crash in between must not leave bytes without what tells their version.
        if renameat(descriptor, Self.versionName(of: other), descriptor, Self.versionName(of: id)) != 0 {
            unlinkat(descriptor, Self.versionName(of: id), 0)
        }
        renameat(descriptor, Self.name(of: other), descriptor, Self.name(of: id))
        fsync(descriptor)
    }

    // MARK: Versions

    /// The version a file's bytes are of; nil where nothing says so.
    package func version(of id: TransferID) -> String? {
        let file = openat(descriptor, Self.versionName(of: id), O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(file, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    /// Says so, durably.
    package func setVersion(_ version: String, of id: TransferID) throws(SystemError) {
        let name = Self.versionName(of: id)
        let file = openat(descriptor, name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .now("make a transfer's file", path + "/" + name) }
        defer { close(file) }
        let bytes = Array(version.utf8)
        guard write(file, bytes, bytes.count) == bytes.count, fsync(file) == 0, fsync(descriptor) == 0 else {
            throw .now("write a transfer's file", path + "/" + name)
        }
    }

    package func forgetVersion(of id: TransferID) { unlinkat(descriptor, Self.versionName(of: id), 0) }
}
