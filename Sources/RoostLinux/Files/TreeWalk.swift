internal import Glibc
internal import RoostPorts

/// A walk through a directory tree that an app has made. However deep the tree is, the walk uses a few descriptors, no
/// recursion, and at most `mostNames` bytes of memory for names.
///
/// Follows no link. The way back up is `..`: where a directory was moved meanwhile, the walk ends rather than go on
/// somewhere else.
struct TreeWalk {
    /// How a walk ended.
    enum End {
        /// Everything was looked at that could be.
        case complete
        /// A directory was moved while the walk was below it.
        case moved
        /// There are more directories side by side than a walk keeps in mind.
        case tooWide
    }

    /// A file or directory that the walk visits. Valid only during the call of `visit`.
    struct Entry {
        let directory: Int32
        let name: UnsafePointer<CChar>
        let status: stat

        var isDirectory: Bool { status.st_mode & S_IFMT == S_IFDIR }
    }

    /// A directory the walk is in or below.
    private struct Level {
        let device: UInt64
        let inode: UInt64
        /// Where the names begin that wait in it.
        let start: Int

        init(_ status: stat, start: Int) {
            (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
            self.start = start
        }

        func isOf(_ status: stat) -> Bool {
            device == UInt64(status.st_dev) && inode == UInt64(status.st_ino)
        }
    }

    /// For how many bytes of names of directories that are still to be entered a walk has room: some 100,000 of the
    /// longest side by side.
    static let mostNames = 32 << 20

    private let path: String
    private let mostNames: Int
    /// The names of all levels, each with a NUL at its end: an array for each would take several times the room.
    private var names: [CChar] = []
    private var levels: [Level] = []

    private init(path: String, mostNames: Int) {
        self.path = path
        self.mostNames = mostNames
    }

    /// Has `visit` look at everything below an open directory: at a directory first, and for a true answer at what is
    /// in it. What can't be looked at, or is gone, is left out. Throws what `visit` throws, and where the directory
    /// itself can't be read; `path` is for that error.
    static func go(
        below top: Int32, path: String, mostNames: Int = TreeWalk.mostNames,
        visit: (Entry) throws(SystemError) -> Bool
    ) throws(SystemError) -> End {
        var walk = TreeWalk(path: path, mostNames: mostNames)
        return try walk.go(below: top, visit)
    }

    /// Opens a directory to read and to search it; -1, with `errno` set, where that can't be. One that is ours and that
    /// the app has locked is unlocked: else it would be a place to hide files in.
    static func open(_ name: Directories.Name, in directory: Int32, _ status: inout stat) -> Int32 {
        for isUnlocked in [false, true] {
            if isUnlocked { Directories.makeAccessible(name, in: directory) }
            let opened = openat(directory, name, Directories.flags)
            // Asks for the right to search as well.
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

    /// Looks at what is in one directory, and notes which directories are to be entered. False where they are too many.
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

    /// The last of the names that wait.
    private mutating func takeName() -> Directories.Name {
        let start = names.dropLast().lastIndex(of: 0).map { $0 + 1 } ?? 0
        let name = Directories.Name(names[start...])
        names.removeLast(names.count - start)
        return name
    }
}

/// The names in an open directory, one after the other and in no order: it needs room for one, however many there are.
final class DirectoryNames {
    private let stream: OpaquePointer

    /// The names in the directory that `descriptor` is open on; nil, with `errno` set, where it can't be read.
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

    /// The next name, without `.` and `..`, which holds until the next call; nil at the end.
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
