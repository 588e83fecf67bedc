import CRoost
import Glibc
import RoostPorts
import Testing

@testable import RoostLinux

/// Trees that only an attacker makes: deeper than a path, the stack or the number of open files allows; locked; with
/// many entries, or none; and with space reserved beyond the end of a file.
struct DeepTreeTests {
    let scratch: Scratch
    let tree: String

    init() throws {
        scratch = try Scratch()
        tree = scratch.path + "/tree"
        scratch.directory("tree")
    }

    /// Descends from the tree through nested directories `d`, to the lowest; creates them if `levels` is given. The
    /// caller closes the lowest.
    private func descend(making levels: Int? = nil, _ visit: (Int32) -> Void = { _ in }) throws -> Int32 {
        var directory = try Directories.open(tree)
        var depth = 0
        while true {
            visit(directory)
            if let levels {
                if depth == levels { return directory }
                try #require(mkdirat(directory, "d", 0o700) == 0)
            }
            let next = openat(directory, "d", Directories.flags)
            if next < 0 { return directory }
            close(directory)
            directory = next
            depth += 1
        }
    }

    /// Makes the tree, with a file of 1 MiB in its lowest directory.
    private func makeDeep(_ levels: Int) throws {
        let lowest = try descend(making: levels)
        defer { close(lowest) }
        let file = openat(lowest, "big", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        try #require(file >= 0)
        defer { close(file) }
        try #require(Files.writeAll([UInt8](repeating: 1, count: 1 << 20), to: file))
        fsync(file)
    }

    private func mode(_ name: String) -> mode_t {
        var status = stat()
        return lstat(scratch.path + "/" + name, &status) == 0 ? status.st_mode & 0o7777 : 0
    }

    @Test
    func aDeepTreeIsMeasuredGivenAwayAndDeletedWhole() throws {
        let levels = 5_000
        try makeDeep(levels)
        let used = try DiskUse.bytes(below: tree)
        let least = Int64(levels) * DiskUse.least + (1 << 20)
        #expect(used > least && used < 4 * least)
        // Only root may give files away.
        let users: [UInt32] = geteuid() == 0 ? [4242, 0] : []
        for user in users {
            try Ownership(user: user).give(container: tree)
            var count = 0
            let lowest = try descend { directory in
                var status = stat()
                if fstat(directory, &status) == 0, status.st_uid == user { count += 1 }
            }
            defer { close(lowest) }
            #expect(count == levels + 1)
            var status = stat()
            #expect(fstatat(lowest, "big", &status, AT_SYMLINK_NOFOLLOW) == 0 && status.st_uid == user)
        }
        try TreeRemoval.remove(tree)
        #expect(!Files.isDirectory(tree))
    }

    @Test(.enabled(if: geteuid() == 0, "only root can change owners"))
    func aBundleTooDeepIsOpenedAsFarAsBundlesGo() throws {
        try makeDeep(300)
        try Ownership(user: 4242).open(bundle: tree)
        var status = stat()
        #expect(lstat(tree + "/d/d", &status) == 0 && status.st_gid == 4242)
        let lowest = try descend()
        defer { close(lowest) }
        #expect(fstat(lowest, &status) == 0 && status.st_gid != 4242)
    }

    @Test
    func emptyFilesTakeRoomToo() throws {
        let before = try DiskUse.bytes(below: tree)
        for number in 0..<500 { scratch.file("tree/\(number)") }
        #expect(try DiskUse.bytes(below: tree) - before >= 500 * DiskUse.least)
    }

    @Test
    func moreDirectoriesThanAreKeptInMindAreMoreThanAnyLimit() throws {
        for number in 10..<70 { scratch.directory("tree/\(number)") }
        #expect(try DiskUse.bytes(below: tree, mostNames: 60 * 3 - 1) == .max)
        let used = try DiskUse.bytes(below: tree, mostNames: 60 * 3)
        #expect(used >= 61 * DiskUse.least && used < .max)
    }

    @Test(.enabled(if: geteuid() != 0, "root can enter every directory"), arguments: [mode_t(0), 0o200, 0o400, 0o100])
    func lockedDirectoriesAreMeasured(mode: mode_t) throws {
        for name in ["tree/outer", "tree/outer/inner"] { scratch.directory(name) }
        scratch.file("tree/outer/inner/big", String(repeating: "x", count: 1 << 20))
        let file = open(tree + "/outer/inner/big", O_RDONLY)
        fsync(file)
        close(file)
        for name in ["/outer/inner", "/outer", ""] { #expect(chmod(tree + name, mode) == 0) }
        #expect(try DiskUse.bytes(below: tree) >= 1 << 20)
    }

    @Test
    func aDirectoryIsUnlockedButNoLinkTarget() throws {
        for name in ["tree/locked", "outside"] {
            scratch.directory(name)
            #expect(chmod(scratch.path + "/" + name, 0o050) == 0)
        }
        symlink(scratch.path + "/outside", tree + "/link")
        let directory = try Directories.open(tree)
        defer { close(directory) }
        for name in ["locked", "link", "none"] { Directories.makeAccessible(Array(name.utf8CString), in: directory) }
        #expect(mode("tree/locked") == 0o750 && mode("outside") == 0o050)
    }

    @Test
    func aMovedDirectoryEndsTheWalk() throws {
        for name in ["tree/a", "tree/a/b", "tree/a/b/c", "outside"] { scratch.directory(name) }
        scratch.file("tree/a/b/c/file")
        scratch.file("outside/precious")
        let directory = try Directories.open(tree)
        defer { close(directory) }
        let (from, to) = (tree + "/a/b", scratch.path + "/outside/b")
        var seen: [String] = []
        let end = try TreeWalk.go(below: directory, path: tree) {
            (entry: TreeWalk.Entry) throws(SystemError) -> Bool in
            let name = String(cString: entry.name)
            seen.append(name)
            if name == "c" { rename(from, to) }
            return true
        }
        #expect(end == .moved && seen == ["a", "b", "c", "file"])
    }

    @Test
    func unusedSpaceOfALogIsReleased() throws {
        let log = LogFile(path: scratch.path + "/log")
        func set(aside length: Int64) throws -> (room: Int64, left: Int64) {
            let descriptor = try log.open()
            defer { close(descriptor) }
            #expect(Files.writeAll("x".utf8, to: descriptor))
            #expect(croost_reserve(descriptor, 0, length) == 0)
            let room = try Self.room(log.path)
            #expect(!log.shorten(limit: 1_000, isCopied: true), "no printed output is removed")
            return (room, try Self.room(log.path))
        }
        let much = try set(aside: LogFile.mostBehind + (1 << 20))
        #expect(much.room > LogFile.mostBehind && much.left <= 1 << 20)
        // As much as a file system may reserve by itself.
        let little = try set(aside: 1 << 20)
        #expect(little.left == little.room)
        #expect(scratch.text("log") == "xx")
        // The same at the next launch.
        let descriptor = try log.open()
        #expect(croost_reserve(descriptor, 0, LogFile.mostBehind + (1 << 20)) == 0)
        close(descriptor)
        try close(log.open())
        #expect(try Self.room(log.path) <= 1 << 20)
        #expect(scratch.text("log") == "xx")
    }

    /// The disk space of a file, in bytes.
    private static func room(_ path: String) throws -> Int64 {
        var status = stat()
        try #require(lstat(path, &status) == 0)
        return Int64(status.st_blocks) * 512
    }
}
