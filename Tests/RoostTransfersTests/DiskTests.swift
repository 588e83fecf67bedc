import Foundation
import LifeCycleModel
import RoostPorts
import RoostTransfers
import Testing

/// A small filesystem that root mounts.
private final class SmallDisk {
    let directory: TemporaryDirectory
    var path: String { directory.path + "/disk" }

    init(megabytes: Int) throws {
        directory = try TemporaryDirectory()
        mkdir(path, 0o700)
        try #require(mount("tmpfs", path, "tmpfs", 0, "size=\(megabytes)m") == 0, "\(String(cString: strerror(errno)))")
    }

    /// The free bytes, and the bytes that are left to the store with the option `roomLeft`.
    func room(_ roomLeft: Int64) throws -> (free: Int64, left: Int64) {
        var room = statvfs()
        try #require(statvfs(path, &room) == 0)
        let (free, whole) = (Int64(room.f_bavail * room.f_frsize), Int64(room.f_blocks * room.f_frsize))
        return (free, min(roomLeft, whole / 20))
    }

    func makeReadOnly() { _ = mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) }

    deinit { umount2(path, Int32(MNT_DETACH)) }
}

@Suite struct DiskTests {
    private let server = Result { try BadServer() }

    private func file(_ size: Int, _ more: BadServer.Step = [:]) -> BadServer.Step {
        ["size": "\(size)", "etag": "\"a\""].merging(more) { $1 }
    }

    private static let mayMount = geteuid() == 0

    /// The file is known to be too large, so the attempt fails early.
    @Test(.enabled("only root can mount") { Self.mayMount })
    func aFileTooLargeForTheDiskFailsEarly() throws {
        let disk = try SmallDisk(megabytes: 4)
        let rig = try Rig { $0.directory = disk.path + "/partial" }
        rig.begin(try server.get().url("/long", file(20_000_000)))
        let problem = try #require(try rig.end().problem)
        #expect(problem.isForLackOfRoom)
        #expect(problem.isRetryable)
        #expect([-3000, -3003].contains(problem.code))
    }

    /// Files that survive a reboot are not on a filesystem in memory.
    private static let isOnDisk = {
        let (stat, output) = (Process(), Pipe())
        stat.executableURL = URL(fileURLWithPath: "/usr/bin/stat")
        stat.arguments = ["-f", "-c", "%T", "/var/tmp"]
        stat.standardOutput = output
        guard (try? stat.run()) != nil, let text = try? output.fileHandleForReading.readToEnd() else { return false }
        return !text.starts(with: Data("tmpfs".utf8))
    }()

    /// For a length that only the server claims, little space is reserved ahead of the received bytes. At the end
    /// nothing of the reservation is left.
    @Test(.enabled("/var/tmp is in memory") { Self.isOnDisk })
    func littleRoomIsSetAside() throws {
        let directory = try TemporaryDirectory(below: "/var/tmp")
        let rig = try stalled(100_000_000, in: directory.path) { Int($0.st_blocks) * 512 >= 8 << 20 }
        var status = stat()
        #expect(stat(Self.partial(rig), &status) == 0)
        #expect(Int(status.st_blocks) * 512 <= 33 << 20)
        rig.engine.stop(Rig.id())
        _ = try rig.end()
        #expect(stat(Self.partial(rig), &status) == 0)
        #expect(Int(status.st_blocks) * 512 < 1_000_000, "the reservation is released")
    }

    /// The same if the attempt fails because its server disconnects. The received bytes are persisted.
    @Test(.enabled("/var/tmp is in memory") { Self.isOnDisk })
    func aFailureReleasesPreallocatedSpace() throws {
        let directory = try TemporaryDirectory(below: "/var/tmp")
        var leaving: BadServer? = try BadServer()
        let rig = try stalled(100_000_000, in: directory.path, from: leaving) { Int($0.st_blocks) * 512 >= 8 << 20 }
        leaving = nil
        let ending = try rig.end()
        #expect(ending.problem?.code == -1005 && ending.checkpoint?.received == 300_000, "\(ending)")
        var status = stat()
        #expect(stat(Self.partial(rig), &status) == 0)
        #expect(status.st_size == 300_000 && Int(status.st_blocks) * 512 < 1_000_000)
    }

    /// Later bytes have space reserved, too. At the end the file takes no more than its size.
    @Test(.enabled("/var/tmp is in memory") { Self.isOnDisk })
    func roomIsSetAsideAsItComes() throws {
        let directory = try TemporaryDirectory(below: "/var/tmp")
        let rig = try Rig {
            $0.directory = directory.path + "/partial"
            $0.reservedAhead = 4 << 20
        }
        rig.begin(try server.get().url("/comes", file(20_000_000)))
        #expect(try rig.end().size == 20_000_000)
        #expect(rig.bytes() == BadServer.content(20_000_000))
        var status = stat()
        #expect(stat(Self.partial(rig), &status) == 0)
        #expect(Int(status.st_blocks) * 512 < 20_100_000)
    }

    /// The store's own space is left to it: the option's value, or a twentieth of the disk if that is less. A file of
    /// known length is begun only if it leaves that much.
    @Test(
        .enabled("only root can mount") { Self.mayMount }, arguments: [Int64(1 << 20), 8 << 20], [true, false])
    func roomIsLeft(_ roomLeft: Int64, fits: Bool) throws {
        let disk = try SmallDisk(megabytes: 64)
        let rig = try Rig {
            $0.directory = disk.path + "/partial"
            $0.roomLeft = roomLeft
        }
        let (free, left) = try disk.room(roomLeft)
        #expect(left == min(roomLeft, (64 << 20) / 20))
        // A page too large, or small enough to leave room for other data.
        let size = Int(free - left) + (fits ? -65_536 : 4096)
        rig.begin(try server.get().url("/left", file(size)))
        let ending = try rig.end()
        #expect((ending.size == Int64(size)) == fits, "\(ending)")
        #expect(fits || ending.problem?.isForLackOfRoom == true && ending.problem?.isRetryable == true, "\(ending)")
        #expect(try disk.room(roomLeft).free >= left)
    }

    /// The same for short files, which are written as a whole.
    @Test(.enabled("only root can mount") { Self.mayMount }) func shortFilesLeaveDiskSpace() throws {
        let disk = try SmallDisk(megabytes: 64)
        let rig = try Rig {
            $0.directory = disk.path + "/partial"
            $0.roomLeft = 8 << 20
        }
        let size = 900_000
        var problem: TransferProblem?
        for number in 1...100 as ClosedRange<Int64> where problem == nil {
            rig.begin(try server.get().url("/short\(number)", file(size)), number)
            problem = try rig.end(of: number).problem
        }
        #expect(problem?.isForLackOfRoom == true && problem?.isRetryable == true, "\(String(describing: problem))")
        let (free, left) = try disk.room(8 << 20)
        #expect(free >= left && free < left + Int64(2 * size), "\(free) bytes are free instead of \(left)")
    }

    /// Other data may have left less free than must stay free. No announced length is too large to compare with that.
    @Test(.enabled("only root can mount") { Self.mayMount }, arguments: [Int64(1000), .max])
    func nothingFitsOnAFullDisk(length: Int64) throws {
        let disk = try SmallDisk(megabytes: 64)
        let rig = try Rig {
            $0.directory = disk.path + "/partial"
            $0.roomLeft = 8 << 20
        }
        let other = Data(count: 62 << 20)
        try #require(FileManager.default.createFile(atPath: disk.path + "/other", contents: other))
        rig.begin(try server.get().url("/full", ["size": "1000", "length": "\(length)"]))
        let problem = try #require(try rig.end().problem)
        #expect(problem.isForLackOfRoom && problem.isRetryable, "\(problem)")
    }

    /// The same for a file of unknown length, which is stopped on its way. The engine checks the space for each next
    /// megabyte.
    @Test(.enabled("only root can mount") { Self.mayMount }, arguments: [Int64(2 << 20), 8 << 20])
    func filesOfUnknownLengthLeaveDiskSpace(_ roomLeft: Int64) throws {
        let disk = try SmallDisk(megabytes: 64)
        let rig = try Rig {
            $0.directory = disk.path + "/partial"
            $0.roomLeft = roomLeft
        }
        let left = try disk.room(roomLeft).left
        rig.begin(try server.get().url("/left", file(63 << 20, ["chunked": "1"])))
        let problem = try #require(try rig.end().problem)
        #expect(problem.isForLackOfRoom && problem.isRetryable)
        let free = try disk.room(roomLeft).free
        #expect(free >= left && free < left + (2 << 20), "\(free) bytes are free instead of \(left)")
    }

    /// On a filesystem in memory, a reservation would only take memory from all processes.
    @Test(.enabled("only root can mount") { Self.mayMount })
    func noMemoryIsSetAside() throws {
        let disk = try SmallDisk(megabytes: 128)
        let rig = try stalled(100_000_000, in: disk.path) { _ in true }
        rig.engine.stop(Rig.id())
        _ = try rig.end()
        var status = stat()
        #expect(stat(Self.partial(rig), &status) == 0)
        #expect(Int(status.st_blocks) * 512 < 1_000_000)
    }

    private static func partial(_ rig: Rig) -> String { rig.options.directory + "/7-3-1.part" }

    /// A download that has received and written 300,000 bytes and gets nothing further. Returns when `isReady` accepts its
    /// file.
    private func stalled(
        _ size: Int, in directory: String, from other: BadServer? = nil, once isReady: (stat) -> Bool
    ) throws -> Rig {
        let rig = try Rig { $0.directory = directory + "/partial" }
        let url = try (other ?? server.get()).url("/room", file(size, ["stall": "300000"]))
        rig.begin(url)
        let deadline = ContinuousClock.now + .seconds(120)
        var status = stat()
        repeat {
            _ = stat(Self.partial(rig), &status)
            try #require(ContinuousClock.now < deadline, "\(status.st_blocks) blocks for \(status.st_size) bytes")
            sched_yield()
        } while status.st_size < 300_000 || !isReady(status)
        #expect(status.st_size == 300_000)
        return rig
    }

    /// A file of unknown length: the bytes that fitted are persisted, and the download resumes once there is space.
    @Test(.enabled("only root can mount") { Self.mayMount })
    func theDiskFillsUp() throws {
        let disk = try SmallDisk(megabytes: 4)
        let rig = try Rig { $0.directory = disk.path + "/partial" }
        let url = try server.get().url("/full", file(6_000_000, ["chunked": "1"]), file(6_000_000))
        rig.begin(url)
        let ending = try rig.end()
        let problem = try #require(ending.problem)
        #expect(problem.isForLackOfRoom)
        #expect(problem.code == -3003)
        let checkpoint = try #require(ending.checkpoint)
        #expect(checkpoint.received > 3_000_000)
        #expect(checkpoint.received < 4_300_000)
        #expect(mount("tmpfs", disk.path, "tmpfs", UInt(MS_REMOUNT), "size=16m") == 0)
        rig.begin(url, attempt: 2, checkpoint: checkpoint)
        #expect(try rig.end(attempt: 2).size == 6_000_000)
        #expect(rig.bytes() == BadServer.content(6_000_000))
        #expect(rig.offsets() == [0, checkpoint.received])
    }

    @Test(.enabled("only root can mount") { Self.mayMount })
    func theDiskIsReadOnly() throws {
        let disk = try SmallDisk(megabytes: 4)
        let rig = try Rig { $0.directory = disk.path + "/partial" }
        disk.makeReadOnly()
        rig.begin(try server.get().url("/readonly", file(100_000)))
        let problem = try #require(try rig.end().problem)
        #expect(problem.code == -3000)
        #expect(!problem.isRetryable)
        #expect(!problem.isForLackOfRoom)
    }

    /// The file could not even be opened. The checkpoint and the file both stay.
    @Test func anUnopenableFileAndItsCheckpointStay() throws {
        let rig = try Rig()
        mkdir(rig.partial(), 0o700)
        let checkpoint = TransferCheckpoint(received: 5, expected: 9, validator: "\"a\"", boot: Rig.boot)
        rig.begin(try server.get().url("/unopened", file(9)), checkpoint: checkpoint)
        let ending = try rig.end()
        #expect(ending.problem?.code == -3003)
        #expect(ending.checkpoint == checkpoint)
        #expect(FileManager.default.fileExists(atPath: rig.partial()))
    }

    @Test func thereIsNoDirectory() throws {
        let directory = try TemporaryDirectory()
        _ = FileManager.default.createFile(atPath: directory.path + "/file", contents: nil)
        #expect(throws: SystemError.self) {
            try HTTPTransferEngine(TransferOptions(directory: directory.path + "/file/partial", bootID: "x"))
        }
    }
}
