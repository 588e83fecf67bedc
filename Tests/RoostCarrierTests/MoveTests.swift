import Foundation
import LifeCycleModel
import RoostCarrier
import RoostPorts
import Testing

/// The move from the engine's directory into an app's container, which the app may have filled with traps.
@Suite struct MoveTests {
    private let rig: CarrierRig
    private let container: String

    init() throws {
        rig = try CarrierRig()
        container = rig.directory + "/container"
        try FileManager.default.createDirectory(atPath: container, withIntermediateDirectories: false)
    }

    private static let path = "Library/Caches/Downloads/3-1.download"
    private static let bytes = Data("the file".utf8)

    /// Writes a partial file as a completed transfer leaves it.
    private func put(_ number: Int64 = 1, _ bytes: Data = Self.bytes) throws {
        try bytes.write(to: URL(fileURLWithPath: rig.partial(number)))
    }

    private func move(_ number: Int64 = 1, to path: String = Self.path) throws -> Int32? {
        let before = rig.reports.count
        rig.transfers.move(CarrierRig.id(number), to: path, below: container)
        var index = 0
        return try rig.wait { report -> Int32?? in
            defer { index += 1 }
            guard index >= before, case .moved(CarrierRig.id(number), let errno) = report else { return nil }
            return .some(errno)
        }
    }

    private func content(_ path: String) -> Data? { FileManager.default.contents(atPath: path) }

    @Test func movesAFileAndCreatesItsDirectories() throws {
        try put()
        #expect(try move() == nil)
        #expect(content(container + "/" + Self.path) == Self.bytes)
        #expect(content(rig.partial()) == nil)
    }

    /// Many files are written to disk together; a failure affects only its own file.
    @Test func manyAtOnce() throws {
        for number in 1...40 where number % 5 != 0 { try put(Int64(number), Data("\(number)".utf8)) }
        for number in 1...40 {
            let path = number % 7 == 0 ? "../\(number)" : "Library/\(number % 3)/\(number)"
            rig.transfers.move(CarrierRig.id(Int64(number)), to: path, below: container)
        }
        for number in 1...40 {
            let code = try rig.wait { report -> Int32?? in
                if case .moved(CarrierRig.id(Int64(number)), let errno) = report { .some(errno) } else { nil }
            }
            #expect(code == (number % 7 == 0 ? EINVAL : number % 5 == 0 ? ENOENT : nil))
            let moved = content(container + "/Library/\(number % 3)/\(number)")
            #expect(moved == (code == nil ? Data("\(number)".utf8) : nil))
        }
    }

    @Test func doneBeforeItDoesNothing() throws {
        try put()
        #expect(try move() == nil)
        #expect(try move() == nil)
        #expect(content(container + "/" + Self.path) == Self.bytes)
    }

    @Test func movingAMissingFileFails() throws {
        #expect(try move() == ENOENT)
        #expect(!FileManager.default.fileExists(atPath: container + "/Library"))
    }

    @Test func aFileInItsPlaceIsReplaced() throws {
        try put()
        #expect(try move(to: "x") == nil)
        try put(1, Data("newer".utf8))
        #expect(try move(to: "x") == nil)
        #expect(content(container + "/x") == Data("newer".utf8))
    }

    @Test(arguments: ["../x", "a/../../x", "/x", "", "a//x", "a/", ".", "a/./x", "a\0b"])
    func leadsOut(path: String) throws {
        try put()
        #expect(try move(to: path) != nil)
        #expect(content(rig.partial()) == Self.bytes)
        #expect(!FileManager.default.fileExists(atPath: rig.directory + "/x"))
    }

    /// A link to a directory on the way, a link in the place of the file, and a link as the container.
    @Test func followsNoLink() throws {
        let outside = rig.directory + "/outside"
        try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(atPath: container + "/Library", withDestinationPath: outside)
        try put()
        #expect(try move() != nil)
        #expect(content(rig.partial()) == Self.bytes)

        let victim = outside + "/victim"
        try Data("mine".utf8).write(to: URL(fileURLWithPath: victim))
        try FileManager.default.createSymbolicLink(atPath: container + "/x", withDestinationPath: victim)
        #expect(try move(to: "x") == nil)
        #expect(content(victim) == Data("mine".utf8))
        #expect(content(container + "/x") == Self.bytes)
        #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: container + "/x")) == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: outside) == ["victim"])
    }

    @Test func aDirectoryInItsPlace() throws {
        try FileManager.default.createDirectory(atPath: container + "/x", withIntermediateDirectories: false)
        try put()
        #expect(try move(to: "x") == EISDIR)
        #expect(content(rig.partial()) == Self.bytes)
    }

    @Test(.enabled("only root may give files away") { geteuid() == 0 })
    func belongsToTheContainersOwner() throws {
        #expect(chown(container, 12345, 12346) == 0)
        try put()
        #expect(try move() == nil)
        for path in ["", "/Library", "/Library/Caches/Downloads", "/" + Self.path] {
            var status = stat()
            #expect(lstat(container + path, &status) == 0)
            #expect(status.st_uid == 12345)
            #expect(status.st_gid == 12346)
        }
    }

    @Test func discardsBoth() throws {
        try put()
        #expect(try move() == nil)
        // Files that the app's side has put beside it go, too.
        for suffix in [TransferRecord.keptSuffix, TransferRecord.deliveredSuffix, ".other"] {
            try Data().write(to: URL(fileURLWithPath: container + "/" + Self.path + suffix))
        }
        try put()
        rig.transfers.discard(CarrierRig.id(), delivered: Self.path, below: container)
        // Moves are done after the discard, so the next move finds nothing.
        #expect(try move() == ENOENT)
        let left = try FileManager.default.contentsOfDirectory(atPath: container + "/Library/Caches/Downloads")
        #expect(left == ["3-1.download.other"])
        #expect(content(rig.partial()) == nil)
    }

    @Test func discardsNothingThroughALink() throws {
        let outside = rig.directory + "/outside"
        try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: false)
        try Data("mine".utf8).write(to: URL(fileURLWithPath: outside + "/x"))
        try FileManager.default.createSymbolicLink(atPath: container + "/a", withDestinationPath: outside)
        for path in ["a/x", "../outside/x"] {
            rig.transfers.discard(CarrierRig.id(), delivered: path, below: container)
            #expect(try move() != nil)
        }
        #expect(content(outside + "/x") == Data("mine".utf8))
    }

    @Test func keepsOnlyKnownPartialFiles() throws {
        for number in 1...4 { try put(Int64(number)) }
        try Data().write(to: URL(fileURLWithPath: rig.directory + "/partial/7-3-3.version"))
        try Data().write(to: URL(fileURLWithPath: rig.directory + "/partial/something else"))
        rig.transfers.keepOnly([CarrierRig.id(2), CarrierRig.id(4)])
        #expect(try move(1) == ENOENT)
        #expect(try move(3) == ENOENT)
        let left = try FileManager.default.contentsOfDirectory(atPath: rig.directory + "/partial").sorted()
        #expect(left == ["7-3-2.part", "7-3-4.part", "something else"])
    }

    @Test func theDirectoryIsPrivate() throws {
        var status = stat()
        #expect(stat(rig.directory + "/partial", &status) == 0)
        #expect(status.st_mode & 0o777 == 0o700)
    }
}
