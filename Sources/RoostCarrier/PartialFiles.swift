internal import Glibc
package import LifeCycleModel
package import RoostPorts

/// The directory of the partial files, which no app can reach.
///
/// `app-session-task.part` has the received bytes. A `….version` file next to it names the version of these bytes, and
/// overrides an older checkpoint. The version is written before a file is started over for another version.
package final class PartialFiles: Sendable {
    package let path: String
    /// The directory's descriptor, open as long as this object exists.
    package let descriptor: Int32

    static let suffix = ".part"
    static let versionSuffix = ".version"

    package init(path: String) throws(SystemError) {
        self.path = path
        var made = ""
        for part in path.split(separator: "/") {
            made += "/" + part
            guard mkdir(made, 0o700) == 0 || errno == EEXIST || access(made, X_OK) == 0 else {
                throw .now("create the directory for transfers", made)
            }
        }
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw .now("open the directory for transfers", path) }
        // A directory that another program has created may be open to other users.
        guard fchmod(descriptor, 0o700) == 0 || errno == EROFS else {
            let error = SystemError.now("restrict the permissions of the directory for transfers", path)
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

    /// The transfer that a file belongs to; nil for any other file name.
    package static func id(of name: String) -> TransferID? {
        guard let suffix = [suffix, versionSuffix].first(where: name.hasSuffix) else { return nil }
        let parts = name.dropLast(suffix.count).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, let app = Int32(parts[0]), let session = Int32(parts[1]), let task = Int64(parts[2])
        else { return nil }
        let id = TransferID(session: TransferSessionID(app: AppID(app), number: session), number: task)
        return stem(of: id) == name.dropLast(suffix.count) ? id : nil
    }

    /// The transfers that have files here.
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

    /// Gives the directory and its files to another user.
    func give(to user: UInt32) throws(SystemError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_uid != user || status.st_gid != user else { return }
        for id in all() {
            for name in [Self.name(of: id), Self.versionName(of: id)] {
                fchownat(descriptor, name, user, user, AT_SYMLINK_NOFOLLOW)
            }
        }
        guard fchown(descriptor, user, user) == 0 else {
            throw .now("change the owner of the directory for transfers", path)
        }
    }

    /// The disk space of an app's partial files, in bytes.
    func size(of app: AppID) -> Int64 {
        all().filter { $0.session.app == app }.reduce(0) { sum, id in
            var status = stat()
            guard fstatat(descriptor, Self.name(of: id), &status, AT_SYMLINK_NOFOLLOW) == 0 else { return sum }
            return sum + Int64(status.st_blocks) * 512
        }
    }

    /// The length of a file, in bytes; nil if there is none.
    func length(of id: TransferID) -> Int64? {
        var status = stat()
        guard fstatat(descriptor, Self.name(of: id), &status, AT_SYMLINK_NOFOLLOW) == 0,
            status.st_mode & S_IFMT == S_IFREG
        else { return nil }
        return Int64(status.st_size)
    }

    /// Releases the space reserved beyond a file's end, after a carrier died before it could release the space.
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

    /// Renames the partial file of `other` to that of `id`. If `other` has no file, the rename was done before, and
    /// nothing changes.
    package func hand(from other: TransferID, to id: TransferID) {
        guard other != id, faccessat(descriptor, Self.name(of: other), F_OK, AT_SYMLINK_NOFOLLOW) == 0 else { return }
        // The version is renamed first. Otherwise a crash in between would leave bytes of unknown version.
        if renameat(descriptor, Self.versionName(of: other), descriptor, Self.versionName(of: id)) != 0 {
            unlinkat(descriptor, Self.versionName(of: id), 0)
        }
        renameat(descriptor, Self.name(of: other), descriptor, Self.name(of: id))
        fsync(descriptor)
    }

    // MARK: Versions

    /// The version of a file's bytes; nil if no version is recorded.
    package func version(of id: TransferID) -> String? {
        let file = openat(descriptor, Self.versionName(of: id), O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(file, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    /// Records the version of a file's bytes, durably.
    package func setVersion(_ version: String, of id: TransferID) throws(SystemError) {
        let name = Self.versionName(of: id)
        let file = openat(descriptor, name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .now("create a transfer's file", path + "/" + name) }
        defer { close(file) }
        let bytes = Array(version.utf8)
        guard write(file, bytes, bytes.count) == bytes.count, fsync(file) == 0, fsync(descriptor) == 0 else {
            throw .now("write a transfer's file", path + "/" + name)
        }
    }

    package func forgetVersion(of id: TransferID) { unlinkat(descriptor, Self.versionName(of: id), 0) }
}
