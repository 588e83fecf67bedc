internal import Glibc
internal import RoostPorts

/// Hands an app its files: the container to its uid, and the bundle to its gid for reading. Follows no link.
struct Ownership {
    let user: UInt32

    /// Makes the container and its directories the app's. All that is in it too, if the container was another's: an
    /// earlier run gave apps no uids, or others.
    func give(container path: String) throws(SystemError) {
        let container = try Directories.open(path)
        defer { close(container) }
        var status = stat()
        guard fstat(container, &status) == 0 else { throw .now("look at a container", path) }
        if status.st_uid != user {
            try giveAll(in: container, path: path)
            try give(container, path)
        }
        guard fchmod(container, 0o700) == 0 else { throw .now("close a container to others", path) }
        // The system makes anew what the app has deleted.
        for name in Containers.directories {
            guard let directory = try? open(name, in: container) else { continue }
            defer { close(directory) }
            if fstat(directory, &status) == 0, status.st_uid == 0 { try give(directory, path + "/" + name) }
        }
    }

    /// Lets the app, and nobody else, into its bundle. What is in it was copied with the rights it had where it came
    /// from: the app gets those of its owner, but for writing.
    func open(bundle path: String) throws(SystemError) {
        let bundle = try Directories.open(path)
        defer { close(bundle) }
        try openAll(in: bundle, path: path)
        guard fchown(bundle, 0, user) == 0, fchmod(bundle, 0o750) == 0 else {
            throw .now("let an app into its bundle", path)
        }
    }

    /// Gives the app's group what is below. A directory that has the group already is done: it gets it last.
    private func openAll(in directory: Int32, path: String) throws(SystemError) {
        for name in try Directories.names(in: directory, path: path) {
            let below = path + "/" + Directories.text(name)
            var status = stat()
            guard fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_gid != user else { continue }
            let kind = status.st_mode & S_IFMT
            guard kind == S_IFDIR || kind == S_IFREG else { continue }
            let child = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            guard child >= 0 else { throw .now("let an app into its bundle", below) }
            defer { close(child) }
            if kind == S_IFDIR { try openAll(in: child, path: below) }
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
        for name in try Directories.names(in: directory, path: path) {
            let below = path + "/" + Directories.text(name)
            var status = stat()
            guard fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
            if status.st_mode & S_IFMT == S_IFDIR {
                let child = openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
                guard child >= 0 else { continue }
                defer { close(child) }
                try giveAll(in: child, path: below)
                try give(child, below)
            } else if status.st_nlink == 1 {
                // A file with other names may be somebody else's whom an app has linked to: it stays as it is.
                guard fchownat(directory, name, user, user, AT_SYMLINK_NOFOLLOW) == 0 else {
                    throw .now("give an app its files", below)
                }
            }
        }
    }
}
