internal import Glibc
public import RoostPorts

/// Deletes a directory tree with untrusted content.
///
/// The removal follows no symbolic link and enters no mount. It uses three descriptors, however deep the tree is, and
/// makes directories writable if they are not. Names are bytes: a file's name need not be valid UTF-8.
public struct TreeRemoval {
    private let path: String
    private let top: Int32
    private var counter = 0

    /// Deletes the tree or file at `path`; does nothing if the path does not exist. A big tree takes long, so do not
    /// call this on the loop's thread. Throws `EBUSY` if something is mounted in the tree.
    public static func remove(_ path: String) throws(SystemError) {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return try remove(path, from: ".") }
        let parent = slash == path.startIndex ? "/" : String(path[..<slash])
        try remove(String(path[path.utf8.index(after: slash)...]), from: parent)
    }

    /// Deletes the tree at `parent/name`; does nothing if it does not exist.
    static func remove(_ name: String, from parent: String) throws(SystemError) {
        let above = Glibc.open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard above >= 0 else {
            if errno == ENOENT { return }
            throw .now("open a directory", parent)
        }
        defer { close(above) }
        try remove(name, in: above, path: parent + "/" + name)
    }

    /// Deletes the tree `name` in an open directory. `path` is for errors.
    static func remove(_ name: String, in above: Int32, path: String) throws(SystemError) {
        if unlinkat(above, name, 0) == 0 || errno == ENOENT { return }
        Directories.makeAccessible(Array(name.utf8CString), in: above)
        var removal = TreeRemoval(path: path, top: try Directories.open(name, in: above, path: path))
        defer { close(removal.top) }
        try removal.empty()
        guard unlinkat(above, name, AT_REMOVEDIR) == 0 || errno == ENOENT else {
            throw .now("delete a directory", path)
        }
    }

    private init(path: String, top: Int32) {
        self.path = path
        self.top = top
    }

    /// Empties the top directory, level by level: files are unlinked, and nested directories are moved up to the top.
    private mutating func empty() throws(SystemError) {
        var names = try Directories.names(in: top, path: path)
        while !names.isEmpty {
            for name in names where unlinkat(top, name, 0) != 0 {
                switch errno {
                case ENOENT: break
                case EISDIR: try dissolve(name)
                default: throw .now("delete a file", path + "/" + Directories.text(name))
                }
            }
            names = try Directories.names(in: top, path: path)
        }
    }

    /// Empties one directory in the top directory, and removes it.
    private mutating func dissolve(_ name: Directories.Name) throws(SystemError) {
        if unlinkat(top, name, AT_REMOVEDIR) == 0 { return }
        let path = path + "/" + Directories.text(name)
        Directories.makeAccessible(name, in: top)
        // A mount point cannot be renamed. The mounted files are not the app's, and stay.
        let moved = try move(name, from: top)
        let directory = try Directories.open(moved, in: top, path: path)
        defer { close(directory) }
        for child in try Directories.names(in: directory, path: path) where unlinkat(directory, child, 0) != 0 {
            switch errno {
            case ENOENT: break
            case EISDIR:
                Directories.makeAccessible(child, in: directory)
                _ = try move(child, from: directory)
            default: throw .now("delete a file", path + "/" + Directories.text(child))
            }
        }
        guard unlinkat(top, moved, AT_REMOVEDIR) == 0 || errno == ENOENT else {
            throw .now("delete a directory", path)
        }
    }

    /// Moves a directory to the top directory under a unique name.
    private mutating func move(_ name: Directories.Name, from directory: Int32) throws(SystemError) -> String {
        while true {
            counter += 1
            let fresh = ".removing-\(counter)"
            if renameat(directory, name, top, fresh) == 0 { return fresh }
            // The app may have a directory with that name. Then try the next number.
            guard errno == ENOTEMPTY || errno == EEXIST || errno == ENOTDIR else {
                let advice = errno == EBUSY ? "something is mounted there: unmount it first" : nil
                throw .now("delete a directory", path + "/" + Directories.text(name), advice: advice)
            }
        }
    }
}
