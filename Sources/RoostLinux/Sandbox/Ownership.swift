internal import Glibc
internal import RoostPorts

/// Hands an app its files: the container to its uid, and the bundle to its gid for reading. Follows no link.
struct Ownership {
    let user: UInt32

    /// How many levels of directories a bundle is opened to its app: each takes a descriptor and stack.
    private static let deepest = 128

    /// Whether the container is the app's. Back to root as well, after a run that gave apps uids: without capabilities an
    /// app can't open what is another's.
    func has(container path: String) throws(SystemError) -> Bool {
        let container = try Directories.open(path)
        defer { close(container) }
        return try status(of: container, path).st_uid == user
    }

    /// Makes the container the app's, with all that is in it, however deep: an earlier run gave apps no uids, or
    /// others. It takes as long as the files are many. What a `TreeWalk` can't get to the app finds as it was.
    func give(container path: String) throws(SystemError) {
        let container = try Directories.open(path)
        defer { close(container) }
        try giveAll(in: container, path: path)
        // Last: until then it is not the app's.
        try give(container, path)
    }

    /// Closes the app's container to others, and makes the directories the app's that the system has made in it again
    /// after the app had deleted them. It looks at no other files.
    func giveDirectories(of path: String) throws(SystemError) {
        let container = try Directories.open(path)
        defer { close(container) }
        guard fchmod(container, 0o700) == 0 else { throw .now("close a container to others", path) }
        for name in Containers.directories {
            guard let directory = try? open(name, in: container) else { continue }
            defer { close(directory) }
            if try status(of: directory, path + "/" + name).st_uid == 0 { try give(directory, path + "/" + name) }
        }
    }

    /// Whether the app can read its bundle: `open` has been done since it was put there.
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

    /// Lets the app, and nobody else, into its bundle. What is in it was copied with the rights it had where it came
    /// from: the app gets those of its owner, but for writing. It takes as long as the files are many. Below `deepest`
    /// levels nothing is opened: no bundle is installed that is so deep.
    func open(bundle path: String) throws(SystemError) {
        let bundle = try Directories.open(path)
        defer { close(bundle) }
        try openAll(Self.installed(in: bundle, path: path), in: bundle, path: path, depth: 1)
        guard fchown(bundle, 0, user) == 0, fchmod(bundle, 0o750) == 0 else {
            throw .now("let an app into its bundle", path)
        }
    }

    /// What lies in a bundle's place, without what an installation that is under way puts there.
    private static func installed(in bundle: Int32, path: String) throws(SystemError) -> [Directories.Name] {
        try Directories.names(in: bundle, path: path).filter { $0.first != CChar(UInt8(ascii: ".")) }
    }

    /// Whether it is something an app is let into; links and the like stay as they are.
    private static func isOpened(_ status: stat) -> Bool {
        let kind = status.st_mode & S_IFMT
        return kind == S_IFDIR || kind == S_IFREG
    }

    private func status(of descriptor: Int32, _ path: String) throws(SystemError) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .now("look at an app's files", path) }
        return status
    }

    /// Gives the app's group what is below. A directory that has the group already is done: it gets it last.
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
            guard child >= 0 else { throw .now("let an app into its bundle", below) }
            defer { close(child) }
            if status.st_mode & S_IFMT == S_IFDIR {
                try openAll(Directories.names(in: child, path: below), in: child, path: below, depth: depth + 1)
            }
            guard fchown(child, 0, user) == 0,
                fchmod(child, status.st_mode & 0o700 | (status.st_mode & 0o500) >> 3) == 0
            else { throw .now("let an app into its bundle", below) }
        }
    }

    private func give(_ descriptor: Int32, _ path: String) throws(SystemError) {
        guard fchown(descriptor, user, user) == 0 else { throw .now("give an app its files", path) }
    }

    /// A directory of several parts, none of them a link.
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
            // An app may have linked to a file of another user's: a file with several names keeps its owner.
            guard entry.isDirectory || entry.status.st_nlink == 1 else { return false }
            guard fchownat(entry.directory, entry.name, user, user, AT_SYMLINK_NOFOLLOW) == 0 || errno == ENOENT else {
                throw .now("give an app its files", path + "/…/" + String(cString: entry.name))
            }
            return true
        }
    }
}
