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

    @Test func makesWhatItNeeds() throws {
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
        #expect(try StateDirectory(path: path).systemID == first)
        #expect(try StateDirectory(path: folder("other")).systemID != first)
    }

    @Test func findsNoIDWhereNoSystemRan() throws {
        #expect(try StateDirectory.systemID(of: path) == nil)
        #expect(try StateDirectory.systemID(of: folder.path) == nil)
    }

    @Test func isHeldByOne() throws {
        let first = try StateDirectory(path: path)
        #expect(failure()?.reason == "it is in use by another system (pid \(getpid()))")
        #expect(try StateDirectory.systemID(of: path) == first.systemID)
        withExtendedLifetime(first) {}
    }

    @Test func somethingIsDoneWhileNoSystemRuns() throws {
        #expect(try StateDirectory.whileIdle(path) { true })
        #expect(try folder.contents().isEmpty, "nothing is made")
        let directory = try StateDirectory(path: path)
        let error = #expect(throws: SystemError.self) { try StateDirectory.whileIdle(path) { Issue.record("it runs") } }
        #expect(error?.errno == EWOULDBLOCK && error?.reason.contains("pid \(getpid())") == true)
        withExtendedLifetime(directory) {}
    }

    @Test func noSystemStartsMeanwhile() throws {
        _ = try StateDirectory(path: path)
        try StateDirectory.whileIdle(path) { #expect(failure()?.errno == EWOULDBLOCK) }
        _ = try StateDirectory(path: path)
    }

    @Test func isFreeAgainAfterAnEnd() throws {
        for _ in 0..<3 { _ = try StateDirectory(path: path) }
    }

    /// The kernel lets go of the lock when its holder is killed; nothing has to be cleaned up.
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

    @Test func restrictsWhatIsOpenToOthers() throws {
        _ = try StateDirectory(path: path)
        chmod(path, 0o755)
        _ = try StateDirectory(path: path)
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

    @Test func goesOnWhereAFirstStartWasCutOff() throws {
        try folder.write("deep/state/lock", [])
        try folder.write("deep/state/format.new", [])
        _ = try StateDirectory(path: path)
        _ = try StateDirectory(path: path)
    }

    @Test func saysWhatIsInTheWay() throws {
        try folder.write("deep/state", "a file".utf8)
        #expect(failure()?.errno == ENOTDIR)
        #expect(failure(path + "/below")?.errno == ENOTDIR)
        #expect(failure("")?.errno == EINVAL)
        try folder.write("other/format", "1\n".utf8)
        try folder.write("other/bundles", "a file".utf8)
        #expect(failure(folder("other"))?.subject == folder("other/bundles"))
    }

    @Test(.enabled(if: getuid() != 0, "root may write anywhere"))
    func saysWhatMayNotBeWritten() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        chmod(path, 0o500)
        defer { chmod(path, 0o700) }
        #expect(failure()?.errno == EACCES)
    }
}
