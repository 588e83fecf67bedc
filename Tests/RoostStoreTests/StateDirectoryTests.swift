import Foundation
import Glibc
import RoostPorts
import Testing

@testable import RoostStore

@Suite struct StateDirectoryTests {
    private let folder = TemporaryFolder()
    private var path: String { folder("deep/state") }

    private func failure(_ path: String? = nil) -> SystemError? {
        #expect(throws: SystemError.self) { _ = try StateDirectory(path: path ?? self.path) }
    }

    @Test func createsItsDirectoriesAndFiles() throws {
        let directory = try StateDirectory(path: path + "//")
        #expect(directory.path == path)
        let names = ["bundles", "containers", "format", "journal", "lock", "logs", "system-id", "transfers"]
        #expect(try folder.contents(of: "deep/state") == names)
        #expect(directory.systemID.utf8.count == 12)
        #expect(try StateDirectory.systemID(of: path) == directory.systemID)
        var status = stat()
        #expect(stat(path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o700)
        #expect(try folder.read("deep/state/format") == Array("1\n".utf8))
        #expect(try folder.read("deep/state/lock") == Array("\(getpid())\n".utf8))
        withExtendedLifetime(directory) {}
    }

    @Test func keepsItsID() throws {
        let first = try StateDirectory(path: path).systemID
        #expect(try startAgain(in: path).systemID == first)
        #expect(try StateDirectory(path: folder("other")).systemID != first)
    }

    /// Copies the content of the state directory, like `cp -a`; returns the copy's path.
    private func copied() throws -> String {
        let copy = folder("copy")
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        return copy
    }

    /// Starts in a directory whose lock was held until just now. Another test may just be starting a process, which
    /// also holds the lock until it executes its program. This function waits until the lock is free.
    private func startAgain(in path: String) throws(SystemError) -> StateDirectory {
        while true {
            do throws(SystemError) { return try StateDirectory(path: path) } catch {
                let lock = open(path + "/lock", O_RDWR | O_CLOEXEC)
                guard error.errno == EWOULDBLOCK, lock >= 0 else { throw error }
                flock(lock, LOCK_EX)
                close(lock)
            }
        }
    }

    @Test func aCopyGetsItsOwnID() throws {
        let original = try StateDirectory(path: path)
        #expect(original.formerID == nil)
        try original.bind()
        let path = try copied()
        #expect(try StateDirectory.systemID(of: path) == nil)
        let ids = try {
            let copy = try StateDirectory(path: path)
            return (of: copy.systemID, former: copy.formerID)
        }()
        #expect(ids.former == original.systemID && ids.of != original.systemID)
        // Until the copy is bound, each start finds that it is a copy.
        let copy = try startAgain(in: path)
        #expect(copy.formerID != nil)
        try copy.bind()
        #expect(try StateDirectory.systemID(of: path) == copy.systemID)
        #expect(try StateDirectory.systemID(of: original.path) == original.systemID)
    }

    @Test func staysTheSameUnderAnotherName() throws {
        let id = try StateDirectory(path: path).systemID
        try startAgain(in: path).bind()
        #expect(rename(path, folder("moved")) == 0)
        let moved = try startAgain(in: folder("moved/../moved"))
        #expect(moved.systemID == id && moved.formerID == nil)
    }

    /// The device's number is valid only within one boot.
    @Test(arguments: [
        ("7 uuid:aa /x", "7 uuid:aa /y", true), ("7 uuid:aa /x", "8 uuid:aa /x", false),
        ("7 uuid:aa /x", "7 uuid:ab /x", false), ("7 device:5:b /x", "7 device:5:b /x", true),
        ("7 device:5:b /x", "7 device:6:b /x", false), ("7 device:5:b /x", "7 device:6:c /x", true),
        ("7 device:5:b /x", "7 uuid:aa /x", true), ("7 fsid:aa /x", "7 fsid:ab /x", false),
    ])
    func distinguishesDirectories(one: String, other: String, areSame: Bool) throws {
        try folder.write("one/directory-id", one.utf8)
        try folder.write("other/directory-id", other.utf8)
        let first = try #require(try DirectoryIdentity(notedIn: folder("one")))
        let second = try #require(try DirectoryIdentity(notedIn: folder("other")))
        #expect(first.isSame(as: second) == areSame && second.isSame(as: first) == areSame)
    }

    @Test(arguments: ["", "7", "7 uuid:aa", "x uuid:aa /x", "7 aa /x"])
    func aNoteThatMakesNoSense(text: String) throws {
        let id = try StateDirectory(path: path).systemID
        try folder.write("deep/state/directory-id", text.utf8)
        #expect(try startAgain(in: path).systemID == id)
    }

    @Test func theIDIsKeptIfTheOriginalIsGone() throws {
        let id = try StateDirectory(path: path).systemID
        try startAgain(in: path).bind()
        #expect(try StateDirectory.claim(path) == id)
        let copy = try copied()
        let error = #expect(throws: SystemError.self) { try StateDirectory.claim(copy) }
        #expect(error?.errno == EEXIST && error?.reason.contains(path) == true, "\(error!)")
        try FileManager.default.removeItem(atPath: path)
        #expect(try StateDirectory.claim(copy) == id)
        #expect(try startAgain(in: copy).systemID == id)
    }

    /// The new path is recorded. Without the record, a copy of the moved directory would not find the original.
    @Test func aCopyOfAMovedDirectoryIsRefused() throws {
        let id = try StateDirectory(path: path).systemID
        try startAgain(in: path).bind()
        let moved = path + "-moved"
        try FileManager.default.moveItem(atPath: path, toPath: moved)
        #expect(try StateDirectory.claim(moved) == id)
        let copy = path + "-copy"
        try FileManager.default.copyItem(atPath: moved, toPath: copy)
        let error = #expect(throws: SystemError.self) { try StateDirectory.claim(copy) }
        #expect(error?.errno == EEXIST && error?.reason.contains(moved) == true, "\(error!)")
        #expect(try StateDirectory.systemID(of: copy) == nil && StateDirectory.systemID(of: moved) == id)
    }

    @Test func aCommandNamesItsDirectory() {
        #expect(TypedCommand.text("up", state: nil) == "`roost up`")
        #expect(TypedCommand.text("up", state: "/tmp/st") == "`roost up --state /tmp/st`")
        #expect(TypedCommand.text("up", state: "/tmp/a b") == "`roost up --state '/tmp/a b'`")
        #expect(TypedCommand.text("up", state: "/it's") == "`roost up --state '/it'\\''s'`")
        #expect(TypedCommand.text("up", state: "/$HOME") == "`roost up --state '/$HOME'`")
    }

    @Test func notesItsSockets() throws {
        let directory = try StateDirectory(path: path)
        #expect(StateDirectory.sockets(of: "1a", in: path) == nil)
        try directory.note(sockets: "/run/roost/1a")
        #expect(StateDirectory.sockets(of: "1a", in: path) == "/run/roost/1a")
        #expect(StateDirectory.sockets(of: "a", in: path) == nil)
    }

    @Test func findsNoIDIfNoSystemRan() throws {
        #expect(try StateDirectory.systemID(of: path) == nil)
        #expect(try StateDirectory.systemID(of: folder.path) == nil)
    }

    @Test func isHeldByOneSystemOnly() throws {
        let first = try StateDirectory(path: path)
        #expect(failure()?.reason == "it is in use by a running system (pid \(getpid()))")
        #expect(try StateDirectory.systemID(of: path) == first.systemID)
        withExtendedLifetime(first) {}
    }

    @Test func somethingIsDoneWhileNoSystemRuns() throws {
        #expect(try StateDirectory.whileIdle(path) { true })
        #expect(try folder.contents().isEmpty, "no file is created")
        let directory = try StateDirectory(path: path)
        let error = #expect(throws: SystemError.self) { try StateDirectory.whileIdle(path) { Issue.record("called") } }
        #expect(error?.errno == EWOULDBLOCK && error?.reason.contains("pid \(getpid())") == true)
        withExtendedLifetime(directory) {}
    }

    @Test func noSystemStartsDuringWhileIdle() throws {
        _ = try StateDirectory(path: path)
        try StateDirectory.whileIdle(path) { #expect(failure()?.errno == EWOULDBLOCK) }
        _ = try startAgain(in: path)
    }

    @Test func isFreeAgainAfterAnEnd() throws {
        for _ in 0..<3 { _ = try startAgain(in: path) }
    }

    /// The kernel releases the lock when its holder is killed, so nothing has to be cleaned up.
    @Test func isFreeAgainAfterAKill() throws {
        _ = try StateDirectory(path: path)
        let holder = Process()
        let input = Pipe()
        let output = Pipe()
        holder.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        holder.arguments = ["flock", "--no-fork", path + "/lock", "sh", "-c", "echo held; exec cat"]
        holder.standardInput = input
        holder.standardOutput = output
        try holder.run()
        _ = output.fileHandleForReading.availableData
        #expect(failure()?.errno == EWOULDBLOCK)
        kill(holder.processIdentifier, SIGKILL)
        holder.waitUntilExit()
        _ = try StateDirectory(path: path)
    }

    @Test func makesTheDirectoryPrivateAgain() throws {
        _ = try startAgain(in: path)
        chmod(path, 0o755)
        _ = try startAgain(in: path)
        var status = stat()
        #expect(stat(path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o700)
    }

    @Test func refusesANewerFormat() throws {
        _ = try StateDirectory(path: path)
        try folder.write("deep/state/format", "2\n".utf8)
        let reason =
            "its format is version 2 and this Roost knows versions up to 1: use the newer Roost, or another directory"
        #expect(failure()?.reason == reason)
        #expect(throws: SystemError.self) { try StateDirectory.systemID(of: path) }
    }

    @Test(arguments: ["", "x", "0", "-1", "1 2", "99999999999999999999"])
    func refusesANonsenseFormat(text: String) throws {
        try folder.write("deep/state/format", text.utf8)
        #expect(failure()?.subject == path + "/format")
    }

    @Test(arguments: ["", "ABCDEFABCDEF", "0123456789a", "../../../../x", "0123456789abc"])
    func refusesANonsenseID(text: String) throws {
        _ = try StateDirectory(path: path)
        try folder.write("deep/state/system-id", text.utf8)
        #expect(failure()?.subject == path + "/system-id")
    }

    @Test func refusesAFolderOfSomethingElse() throws {
        try folder.write("deep/state/letter.txt", "Dear".utf8)
        #expect(failure()?.errno == ENOTEMPTY)
        #expect(try folder.contents(of: "deep/state") == ["letter.txt"])
    }

    @Test func anInterruptedFirstStartIsCompleted() throws {
        try folder.write("deep/state/lock", [])
        try folder.write("deep/state/format.new", [])
        _ = try StateDirectory(path: path)
        _ = try startAgain(in: path)
    }

    @Test func obstaclesAreReported() throws {
        try folder.write("deep/state", "a file".utf8)
        #expect(failure()?.errno == ENOTDIR)
        #expect(failure(path + "/below")?.errno == ENOTDIR)
        #expect(failure("")?.errno == EINVAL)
        try folder.write("other/format", "1\n".utf8)
        try folder.write("other/bundles", "a file".utf8)
        #expect(failure(folder("other"))?.subject == folder("other/bundles"))
    }

    @Test(.enabled(if: getuid() != 0, "root may write anywhere"))
    func anUnwritableDirectoryIsReported() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        chmod(path, 0o500)
        defer { chmod(path, 0o700) }
        #expect(failure()?.errno == EACCES)
    }
}
