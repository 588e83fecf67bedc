internal import CRoost
internal import Glibc
internal import RoostPorts

/// Directories walked by descriptor, one name at a time and never through a symbolic link.
enum Directories {
    private static let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC

    /// Opens a directory by its path, the last part of which may not be a symbolic link.
    static func open(_ path: String) throws(SystemError) -> Int32 {
        let descriptor = Glibc.open(path, flags)
        guard descriptor >= 0 else { throw .now("open a directory", path, advice: advice(errno)) }
        return descriptor
    }

    /// Opens `name` in a directory, made with `mode` if it is missing. `path` is for the error.
    static func open(
        _ name: String, in parent: Int32, makingItWith mode: mode_t? = nil, path: String
    ) throws(SystemError) -> Int32 {
        if let mode, mkdirat(parent, name, mode) != 0, errno != EEXIST { throw .now("make a directory", path) }
        let descriptor = openat(parent, name, flags)
        guard descriptor >= 0 else { throw .now("open a directory", path, advice: advice(errno)) }
        return descriptor
    }

    /// Makes a directory and all above it that are missing; links above it are followed, as they are the user's.
    static func make(_ path: String, mode: mode_t) throws(SystemError) {
        var made = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            made += (made.isEmpty || made.hasSuffix("/") ? "" : "/") + part
            guard mkdir(made, mode) == 0 || errno == EEXIST || Files.isDirectory(made) else {
                throw .now("make a directory", made)
            }
        }
    }

    /// The names in an open directory, without `.` and `..`.
    static func names(in descriptor: Int32, path: String) throws(SystemError) -> [String] {
        let own = openat(descriptor, ".", flags)
        guard own >= 0, let stream = fdopendir(own) else {
            let code = errno
            if own >= 0 { close(own) }
            throw SystemError(doing: "list a directory", subject: path, errno: code)
        }
        defer { closedir(stream) }
        return Files.names(of: stream)
    }

    private static func advice(_ code: Int32) -> String? {
        switch code {
        case ELOOP, ENOTDIR: "a directory is wanted there, and something else is: move it away"
        default: nil
        }
    }
}

/// Deletes a directory tree that somebody else filled.
///
/// Follows no symbolic link and enters no mount, needs three descriptors however deep the tree is, and makes
/// directories writable that are not.
struct TreeRemoval {
    private let path: String
    private let top: Int32
    private var counter = 0

    /// Deletes the tree at `parent/name`, or whatever else bears that name; fine if nothing does. Takes as long as
    /// it takes: not for the loop's thread where the tree may be big. `EBUSY` if something is mounted in it.
    static func remove(_ name: String, from parent: String) throws(SystemError) {
        let above = Glibc.open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard above >= 0 else {
            if errno == ENOENT { return }
            throw .now("open a directory", parent)
        }
        defer { close(above) }
        if unlinkat(above, name, 0) == 0 || errno == ENOENT { return }
        makeAccessible(name, in: above)
        var removal = TreeRemoval(
            path: parent + "/" + name, top: try Directories.open(name, in: above, path: parent + "/" + name))
        defer { close(removal.top) }
        try removal.empty()
        guard unlinkat(above, name, AT_REMOVEDIR) == 0 || errno == ENOENT else {
            throw .now("delete a directory", removal.path)
        }
    }

    private init(path: String, top: Int32) {
        self.path = path
        self.top = top
    }

    /// Level by level: what directories hold is unlinked, and directories in them are moved up to the top.
    private mutating func empty() throws(SystemError) {
        var names = try Directories.names(in: top, path: path)
        while !names.isEmpty {
            for name in names where unlinkat(top, name, 0) != 0 {
                switch errno {
                case ENOENT: break
                case EISDIR: try dissolve(name)
                default: throw .now("delete a file", path + "/" + name)
                }
            }
            names = try Directories.names(in: top, path: path)
        }
    }

    /// Empties one directory of the top and removes it.
    private mutating func dissolve(_ name: String) throws(SystemError) {
        if unlinkat(top, name, AT_REMOVEDIR) == 0 { return }
        Self.makeAccessible(name, in: top)
        // A mount point can't be renamed: what is mounted there is not the app's, and stays.
        let moved = try move(name, from: top)
        let directory = try Directories.open(moved, in: top, path: path + "/" + name)
        defer { close(directory) }
        for child in try Directories.names(in: directory, path: path + "/" + name)
        where unlinkat(directory, child, 0) != 0 {
            switch errno {
            case ENOENT: break
            case EISDIR:
                Self.makeAccessible(child, in: directory)
                _ = try move(child, from: directory)
            default: throw .now("delete a file", path + "/" + name + "/" + child)
            }
        }
        guard unlinkat(top, moved, AT_REMOVEDIR) == 0 || errno == ENOENT else {
            throw .now("delete a directory", path + "/" + name)
        }
    }

    /// Moves a directory to the top under a name of ours.
    private mutating func move(_ name: String, from directory: Int32) throws(SystemError) -> String {
        while true {
            counter += 1
            let fresh = ".removing-\(counter)"
            if renameat(directory, name, top, fresh) == 0 { return fresh }
            // The app may have a directory of that name; the next number then.
            guard errno == ENOTEMPTY || errno == EEXIST || errno == ENOTDIR else {
                let advice = errno == EBUSY ? "something is mounted there: unmount it first" : nil
                throw .now("delete a directory", path + "/" + name, advice: advice)
            }
        }
    }

    /// Gives us the right to read and write a directory that is ours, and touches nothing that a link points to.
    private static func makeAccessible(_ name: String, in directory: Int32) {
        let held = openat(directory, name, croost_o_path | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard held >= 0 else { return }
        chmod("/proc/self/fd/\(held)", 0o700)
        close(held)
    }
}
