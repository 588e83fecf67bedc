internal import Glibc
internal import RoostPorts

/// A walk through a directory tree that an app has created. However deep the tree is, the walk uses a few descriptors,
/// no recursion, and at most `mostNames` bytes for names.
///
/// The walk follows no symbolic link. It returns to a parent by `..`. If a directory was moved meanwhile, the walk
/// ends, because it would otherwise continue in another place.
struct TreeWalk {
    /// The way in which a walk ended.
    enum End {
        /// All accessible files were visited.
        case complete
        /// A directory was moved while the walk was below it.
        case moved
        /// The tree has more sibling directories than the walk can remember.
        case tooWide
    }

    /// A file or directory that the walk visits. Valid only during the call of `visit`.
    struct Entry {
        let directory: Int32
        let name: UnsafePointer<CChar>
        let status: stat

        var isDirectory: Bool { status.st_mode & S_IFMT == S_IFDIR }
    }

    /// A directory that the walk is in or below.
    private struct Level {
        let device: UInt64
        let inode: UInt64
        /// The index in `names` at which this directory's pending names begin.
        let start: Int

        init(_ status: stat, start: Int) {
            (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
            self.start = start
        }

        func isOf(_ status: stat) -> Bool {
            device == UInt64(status.st_dev) && inode == UInt64(status.st_ino)
        }
    }

    /// The maximum number of bytes for names of directories not yet entered. The limit leaves room for some 100,000
    /// siblings with the longest names.
    static let mostNames = 32 << 20

    private let path: String
    private let mostNames: Int
    /// The names of all levels, each with a NUL at its end. An array per name would take several times the memory.
    private var names: [CChar] = []
    private var levels: [Level] = []

    private init(path: String, mostNames: Int) {
        self.path = path
        self.mostNames = mostNames
    }

    /// Calls `visit` for everything below an open directory: first for a directory, then for its contents if `visit`
    /// returned true. Skips files that are gone or cannot be read. Throws the errors of `visit`, and an error if the
    /// top directory cannot be read; `path` is for that error.
    static func go(
        below top: Int32, path: String, mostNames: Int = TreeWalk.mostNames,
        visit: (Entry) throws(SystemError) -> Bool
    ) throws(SystemError) -> End {
        var walk = TreeWalk(path: path, mostNames: mostNames)
        return try walk.go(below: top, visit)
    }

    /// Opens a directory for reading and searching; -1 with `errno` set on failure. Unlocks a directory of ours that
    /// the app has locked, because it could hide files there.
    static func open(_ name: Directories.Name, in directory: Int32, _ status: inout stat) -> Int32 {
        for isUnlocked in [false, true] {
            if isUnlocked { Directories.makeAccessible(name, in: directory) }
            let opened = openat(directory, name, Directories.flags)
            // This also checks for search permission.
            if opened >= 0, fstatat(opened, ".", &status, 0) == 0 { return opened }
            let code = errno
            if opened >= 0 { close(opened) }
            errno = code
            guard code == EACCES else { break }
        }
        return -1
    }

    private mutating func go(
        below top: Int32, _ visit: (Entry) throws(SystemError) -> Bool
    ) throws(SystemError) -> End {
        var status = stat()
        var directory = openat(top, ".", Directories.flags)
        defer { if directory >= 0 { close(directory) } }
        guard directory >= 0, fstat(directory, &status) == 0 else { throw .now("open a directory", path) }
        levels.append(Level(status, start: 0))
        guard let first = DirectoryNames(directory) else { throw .now("list a directory", path) }
        guard try look(in: first, of: directory, visit) else { return .tooWide }
        while let level = levels.last {
            if names.count > level.start {
                let child = Self.open(takeName(), in: directory, &status)
                guard child >= 0 else { continue }
                let start = names.count
                guard let below = DirectoryNames(child) else {
                    close(child)
                    continue
                }
                close(directory)
                directory = child
                levels.append(Level(status, start: start))
                guard try look(in: below, of: directory, visit) else { return .tooWide }
            } else {
                levels.removeLast()
                guard let above = levels.last else { break }
                let parent = openat(directory, "..", Directories.flags)
                close(directory)
                directory = parent
                guard parent >= 0, fstat(parent, &status) == 0, above.isOf(status) else { return .moved }
            }
        }
        return .complete
    }

    /// Visits the contents of one directory, and remembers the directories to enter. False if the directories are too
    /// many.
    private mutating func look(
        in stream: DirectoryNames, of directory: Int32, _ visit: (Entry) throws(SystemError) -> Bool
    ) throws(SystemError) -> Bool {
        while let name = stream.next() {
            var status = stat()
            guard fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
            let entry = Entry(directory: directory, name: name, status: status)
            guard try visit(entry), entry.isDirectory else { continue }
            let length = strlen(name) + 1
            guard names.count + length <= mostNames else { return false }
            names.append(contentsOf: UnsafeBufferPointer(start: name, count: length))
        }
        return true
    }

    /// Removes and returns the last pending name.
    private mutating func takeName() -> Directories.Name {
        let start = names.dropLast().lastIndex(of: 0).map { $0 + 1 } ?? 0
        let name = Directories.Name(names[start...])
        names.removeLast(names.count - start)
        return name
    }
}

/// Iterates over the names in an open directory, unsorted. It holds one name at a time.
final class DirectoryNames {
    private let stream: OpaquePointer

    /// The names in the directory that `descriptor` refers to; nil with `errno` set if it cannot be read.
    init?(_ descriptor: Int32) {
        let own = openat(descriptor, ".", Directories.flags)
        guard own >= 0 else { return nil }
        guard let stream = fdopendir(own) else {
            let code = errno
            close(own)
            errno = code
            return nil
        }
        self.stream = stream
    }

    deinit { closedir(stream) }

    /// The next name, without `.` and `..`, valid until the next call; nil at the end.
    func next() -> UnsafePointer<CChar>? {
        while let entry = readdir(stream) {
            // A stored property of a C struct has an offset.
            let start = UnsafeRawPointer(entry) + MemoryLayout<dirent>.offset(of: \.d_name)!
            let name = start.assumingMemoryBound(to: CChar.self)
            if strcmp(name, ".") != 0, strcmp(name, "..") != 0 { return name }
        }
        return nil
    }
}
