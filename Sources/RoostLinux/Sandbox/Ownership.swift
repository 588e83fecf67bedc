internal import Glibc
internal import RoostPorts

/// Gives an app access to its files: the container to its uid, and the bundle to its gid for reading. Follows no
/// symbolic link.
struct Ownership {
    let user: UInt32

    /// The maximum depth of directories in a bundle that are opened to the app. Each level takes a descriptor and
    /// stack.
    private static let deepest = 128

    /// Whether the app owns its container. Containers also go back to root after a run with uids for apps: without
    /// capabilities, an app cannot open another user's files.
    func has(container path: String) throws(SystemError) -> Bool {
        let container = try Directories.open(path)
        defer { close(container) }
        return try status(of: container, path).st_uid == user
    }

    /// Makes the app the owner of its container and its contents, at any depth, after an earlier run with other uids
    /// for apps. The time grows with the number of files. Files that a `TreeWalk` cannot reach stay as they were.
    func give(container path: String) throws(SystemError) {
        let container = try Directories.open(path)
        defer { close(container) }
        try giveAll(in: container, path: path)
        // Last: until then the container does not count as the app's.
        try give(container, path)
    }

    /// Closes the app's container to other users. If the app had deleted standard directories and the system has
    /// created them again, they become the app's. Other files are not checked.
    func giveDirectories(of path: String) throws(SystemError) {
        let container = try Directories.open(path)
        defer { close(container) }
        guard fchmod(container, 0o700) == 0 else { throw .now("restrict the permissions of a container", path) }
        for name in Containers.directories {
            guard let directory = try? open(name, in: container) else { continue }
            defer { close(directory) }
            if try status(of: directory, path + "/" + name).st_uid == 0 { try give(directory, path + "/" + name) }
        }
    }

    /// Whether the app can read its bundle: `open` was called after the bundle was installed.
    func isOpen(bundle path: String) throws(SystemError) -> Bool {
        let bundle = try Directories.open(path)
        defer { close(bundle) }
        let own = try status(of: bundle, path)
        guard own.st_gid == user, own.st_mode & 0o777 == 0o750 else { return false }
        for name in try Self.installed(in: bundle, path: path) {
            var status = stat()
            guard fstatat(bundle, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return false }
            guard status.st_gid == user || !Self.isOpened(status) else { return false }
        }
        return true
    }

    /// Lets only this app read its bundle. Each file keeps the mode of its source, so the app gets the owner's rights
    /// without writing. The time grows with the number of files. Directories below `deepest` levels are not opened; no
    /// installed bundle is as deep.
    func open(bundle path: String) throws(SystemError) {
        let bundle = try Directories.open(path)
        defer { close(bundle) }
        try openAll(Self.installed(in: bundle, path: path), in: bundle, path: path, depth: 1)
        guard fchown(bundle, 0, user) == 0, fchmod(bundle, 0o750) == 0 else {
            throw .now("grant an app access to its bundle", path)
        }
    }

    /// The names in a bundle's place, without the temporary files of a running installation.
    private static func installed(in bundle: Int32, path: String) throws(SystemError) -> [Directories.Name] {
        try Directories.names(in: bundle, path: path).filter { $0.first != CChar(UInt8(ascii: ".")) }
    }

    /// Whether an app gets access to a file of this type. Links and other types stay as they are.
    private static func isOpened(_ status: stat) -> Bool {
        let kind = status.st_mode & S_IFMT
        return kind == S_IFDIR || kind == S_IFREG
    }

    private func status(of descriptor: Int32, _ path: String) throws(SystemError) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .now("read the status of an app's files", path) }
        return status
    }

    /// Gives the app's group access to these entries and everything below. A directory gets the group last, so a
    /// directory that has it already is done.
    private func openAll(
        _ names: [Directories.Name], in directory: Int32, path: String, depth: Int
    ) throws(SystemError) {
        guard depth <= Self.deepest else { return }
        for name in names {
            let below = path + "/" + Directories.text(name)
            var status = stat()
            guard fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_gid != user else { continue }
            guard Self.isOpened(status) else { continue }
            let child = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            guard child >= 0 else { throw .now("grant an app access to its bundle", below) }
            defer { close(child) }
            if status.st_mode & S_IFMT == S_IFDIR {
                try openAll(Directories.names(in: child, path: below), in: child, path: below, depth: depth + 1)
            }
            guard fchown(child, 0, user) == 0,
                fchmod(child, status.st_mode & 0o700 | (status.st_mode & 0o500) >> 3) == 0
            else { throw .now("grant an app access to its bundle", below) }
        }
    }

    private func give(_ descriptor: Int32, _ path: String) throws(SystemError) {
        guard fchown(descriptor, user, user) == 0 else { throw .now("change the owner of an app's files", path) }
    }

    /// Opens a directory by a path of several parts. No part may be a link.
    private func open(_ relativePath: String, in container: Int32) throws(SystemError) -> Int32 {
        var directory = dup(container)
        for part in relativePath.split(separator: "/") {
            let above = directory
            defer { close(above) }
            directory = try Directories.open(String(part), in: above, path: relativePath)
        }
        return directory
    }

    private func giveAll(in directory: Int32, path: String) throws(SystemError) {
        _ = try TreeWalk.go(below: directory, path: path) { (entry: TreeWalk.Entry) throws(SystemError) -> Bool in
            // An app may have made a hard link to another user's file. So a file with several names keeps its owner.
            guard entry.isDirectory || entry.status.st_nlink == 1 else { return false }
            guard fchownat(entry.directory, entry.name, user, user, AT_SYMLINK_NOFOLLOW) == 0 || errno == ENOENT else {
                throw .now("change the owner of an app's files", path + "/…/" + String(cString: entry.name))
            }
            return true
        }
    }
}
