internal import Glibc
internal import LifeCycleModel
internal import RoostPorts

/// A path below an app's container. The app may change the directories at any time, so each step uses a descriptor and
/// follows no symbolic link.
struct Destination {
    /// EXDEV: the file must be copied.
    static let otherFilesystem = EXDEV

    private let container: String
    private let directories: [String]
    private let name: String

    /// Throws if `path` does not lead down from the container.
    init(path: String, below container: String) throws(SystemError) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard container.hasPrefix("/"), let name = parts.last,
            parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." && !$0.utf8.contains(0) })
        else {
            throw SystemError(
                doing: "move a downloaded file", subject: path, errno: EINVAL,
                reason: "this is not a path below the app's container")
        }
        self.container = container
        directories = parts.dropLast()
        self.name = name
    }

    /// Moves a transfer's file here and gives it to the container's owner. Does nothing if the file was moved before.
    ///
    /// The move is durable after two syncs: first of the returned directory, then of the directory of `files`. The
    /// caller closes the returned descriptor. Throws `EXDEV` if the file must be copied.
    func take(_ id: TransferID, from files: PartialFiles) throws(SystemError) -> Int32 {
        let source = PartialFiles.name(of: id)
        var status = stat()
        let isThere = fstatat(files.descriptor, source, &status, AT_SYMLINK_NOFOLLOW) == 0
        guard isThere || errno == ENOENT else { throw .now("find a downloaded file", files.path) }
        guard !isThere || status.st_mode & S_IFMT == S_IFREG else {
            throw failure("move a downloaded file", EINVAL, "it is not a regular file")
        }
        let (directory, owner) = try openDirectory(makingMissing: isThere)
        do throws(SystemError) {
            guard isThere else {
                guard isFile(in: directory) else { throw failure("find a downloaded file", ENOENT) }
                return directory
            }
            if status.st_uid != owner.st_uid || status.st_gid != owner.st_gid {
                guard fchownat(files.descriptor, source, owner.st_uid, owner.st_gid, AT_SYMLINK_NOFOLLOW) == 0
                else { throw now("change the owner of a downloaded file") }
            }
            guard renameat(files.descriptor, source, directory, name) == 0 else { throw now("move a downloaded file") }
            files.forgetVersion(of: id)
            return directory
        } catch {
            close(directory)
            throw error
        }
    }

    /// Copies a transfer's file here from another filesystem. The copy appears whole and is durable on return.
    func takeCopy(_ id: TransferID, from files: PartialFiles) throws(SystemError) {
        let source = openat(
            files.descriptor, PartialFiles.name(of: id), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard source >= 0 else { throw .now("open a downloaded file", files.path) }
        defer { close(source) }
        let (directory, owner) = try openDirectory(makingMissing: true)
        defer { close(directory) }
        try copy(source, into: directory, owner: owner)
        // The source is removed only after the copy is durable.
        guard fsync(directory) == 0 else { throw now("sync the directory of a downloaded file") }
        files.remove(id)
        guard fsync(files.descriptor) == 0 else { throw now("sync the directory for transfers", files.path) }
    }

    /// Deletes the moved file, if it is still here, and the files that the app's side has added next to it.
    func remove() {
        guard let (directory, _) = try? openDirectory(makingMissing: false) else { return }
        defer { close(directory) }
        for name in [name, name + TransferRecord.keptSuffix, name + TransferRecord.deliveredSuffix]
        where isFile(in: directory, name) {
            unlinkat(directory, name, 0)
        }
    }

    // MARK: Opening the directory

    private func openDirectory(makingMissing: Bool) throws(SystemError) -> (descriptor: Int32, owner: stat) {
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        var directory = open(container, flags)
        guard directory >= 0 else { throw now("open the app's container", container) }
        var owner = stat()
        guard fstat(directory, &owner) == 0 else {
            defer { close(directory) }
            throw now("read the status of the app's container", container)
        }
        for part in directories {
            var next = openat(directory, part, flags)
            var isMade = false
            if next < 0, errno == ENOENT, makingMissing {
                isMade = mkdirat(directory, part, 0o700) == 0
                next = openat(directory, part, flags)
            }
            let code = errno
            if isMade, next >= 0 { fsync(directory) }
            close(directory)
            guard next >= 0 else { throw failure("open a directory of the app", code) }
            directory = next
            if isMade {
                do throws(SystemError) { try give(next, to: owner) } catch {
                    close(next)
                    throw error
                }
            }
        }
        return (directory, owner)
    }

    private func isFile(in directory: Int32, _ name: String? = nil) -> Bool {
        var status = stat()
        let name = name ?? self.name
        return fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    private func give(_ descriptor: Int32, to owner: stat) throws(SystemError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw now("change the owner of a downloaded file") }
        if status.st_uid == owner.st_uid, status.st_gid == owner.st_gid { return }
        guard fchown(descriptor, owner.st_uid, owner.st_gid) == 0 else {
            throw now("change the owner of a downloaded file")
        }
    }

    // MARK: From another filesystem

    private func copy(_ source: Int32, into directory: Int32, owner: stat) throws(SystemError) {
        let half = ".\(name).moving"
        unlinkat(directory, half, 0)
        let target = openat(directory, half, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard target >= 0 else { throw now("copy a downloaded file") }
        defer { close(target) }
        do throws(SystemError) {
            try copyBytes(source, to: target)
            try give(target, to: owner)
            guard fsync(target) == 0, renameat(directory, half, directory, name) == 0 else {
                throw now("copy a downloaded file")
            }
        } catch {
            unlinkat(directory, half, 0)
            throw error
        }
    }

    private func copyBytes(_ source: Int32, to target: Int32) throws(SystemError) {
        var chunk = [UInt8](repeating: 0, count: 1 << 20)
        var offset = off_t(0)
        while true {
            let count = pread(source, &chunk, chunk.count, offset)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw now("read a downloaded file") }
            if count == 0 { return }
            var written = 0
            while written < count {
                let part = chunk.withUnsafeBytes {
                    pwrite(target, $0.baseAddress.map { $0 + written }, count - written, offset + off_t(written))
                }
                guard part >= 0 || errno == EINTR else { throw now("copy a downloaded file") }
                written += max(0, part)
            }
            offset += off_t(count)
        }
    }

    private var subject: String { ([container] + directories + [name]).joined(separator: "/") }

    private func now(_ doing: String, _ what: String? = nil) -> SystemError { .now(doing, what ?? subject) }

    private func failure(_ doing: String, _ code: Int32, _ reason: String? = nil) -> SystemError {
        guard let reason else { return SystemError(doing: doing, subject: subject, errno: code) }
        return SystemError(doing: doing, subject: subject, errno: code, reason: reason)
    }
}
