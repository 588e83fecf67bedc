internal import CRoost
internal import Glibc
internal import RoostPorts

/// Access to directories by descriptor, one name at a time and never through a symbolic link.
enum Directories {
    /// A file's name, with the NUL at its end. The bytes need not be valid UTF-8.
    typealias Name = [CChar]

    /// The flags to open a directory with.
    static let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC

    /// Opens a directory by its path. The last part must not be a symbolic link. The caller closes the descriptor.
    static func open(_ path: String) throws(SystemError) -> Int32 {
        let descriptor = Glibc.open(path, flags)
        guard descriptor >= 0 else { throw .now("open a directory", path, advice: advice(errno)) }
        return descriptor
    }

    /// Opens `name` in a directory. With `mode`, creates it if it is missing. `path` is for the error.
    static func open(
        _ name: String, in parent: Int32, makingItWith mode: mode_t? = nil, path: String
    ) throws(SystemError) -> Int32 {
        if let mode, mkdirat(parent, name, mode) != 0, errno != EEXIST { throw .now("create a directory", path) }
        let descriptor = openat(parent, name, flags)
        guard descriptor >= 0 else { throw .now("open a directory", path, advice: advice(errno)) }
        return descriptor
    }

    /// Creates a directory and its missing parents. Symbolic links among the parents are followed, because they belong
    /// to the user.
    static func make(_ path: String, mode: mode_t) throws(SystemError) {
        var made = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            made += (made.isEmpty || made.hasSuffix("/") ? "" : "/") + part
            guard mkdir(made, mode) == 0 || errno == EEXIST || Files.isDirectory(made) else {
                throw .now("create a directory", made)
            }
        }
    }

    /// The names in an open directory, without `.` and `..`, sorted.
    static func names(in descriptor: Int32, path: String) throws(SystemError) -> [Name] {
        let own = openat(descriptor, ".", flags)
        guard own >= 0, let stream = fdopendir(own) else {
            let code = errno
            if own >= 0 { close(own) }
            throw SystemError(doing: "list a directory", subject: path, errno: code)
        }
        defer { closedir(stream) }
        var names: [Name] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                bytes.prefix { $0 != 0 }.map { CChar(bitPattern: $0) } + [0]
            }
            if name != [46, 0], name != [46, 46, 0] { names.append(name) }
        }
        return names.sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// Gives our user the right to read, write and search a directory, if it is our own or we are root. Does not follow
    /// symbolic links.
    static func makeAccessible(_ name: Name, in directory: Int32) {
        let held = openat(directory, name, croost_o_path | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard held >= 0 else { return }
        defer { close(held) }
        var status = stat()
        guard fstat(held, &status) == 0, status.st_uid == geteuid() || geteuid() == 0 else { return }
        chmod("/proc/self/fd/\(held)", status.st_mode & 0o7777 | 0o700)
    }

    /// The name for display.
    static func text(_ name: Name) -> String {
        String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func advice(_ code: Int32) -> String? {
        switch code {
        case ELOOP, ENOTDIR: "something other than a directory is there: move it away"
        default: nil
        }
    }
}
