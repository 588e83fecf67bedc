import Foundation
import LifeCycleModel
import RoostPorts
import RoostTransfers
import Testing

/// The engine as the loop sees it: ordered reports, stopping, resuming, and rest.
@Suite struct EngineTests {
    private let server: BadServer
    private let rig: Rig

    init() throws {
        server = try BadServer()
        rig = try Rig {
            $0.checkpointBytes = 1 << 20
            $0.checkpointInterval = .milliseconds(100)
        }
    }

    private static let size = 3_000_000
    private static let tag = ["size": "\(size)", "etag": "\"a\""]

    private func stalling(at bytes: Int) -> BadServer.Step { Self.tag.merging(["stall": "\(bytes)"]) { $1 } }

    /// Waits until this many bytes of the whole have been received.
    private func waitForProgress(_ number: Int64 = 1, to bytes: Int64) throws {
        _ = try rig.wait(for: { report in
            if case .progressed(Rig.id(number), _, bytes, Int64(Self.size)) = report { true } else { nil }
        })
    }

    @Test func aStoppedTransferResumes() throws {
        let url = server.url("/stop", stalling(at: 2_500_000), Self.tag)
        rig.begin(url)
        try waitForProgress(to: 2_500_000)
        rig.engine.stop(Rig.id())
        let ending = try rig.end()
        let checkpoint = TransferCheckpoint(
            received: 2_500_000, expected: Int64(Self.size), validator: "\"a\"", boot: Rig.boot)
        #expect(ending == .stopped(checkpoint))
        // The report comes first, the idle state a moment later.
        #expect(rig.comesToRest())
        rig.begin(url, attempt: 2, checkpoint: checkpoint)
        #expect(try rig.end(attempt: 2).size == Int64(Self.size))
        #expect(rig.bytes() == BadServer.content(Self.size))
        #expect(rig.offsets() == [0, 2_500_000])
    }

    /// The first checkpoint comes at once, so that a crash loses little. Further checkpoints follow after a number of
    /// bytes or a time.
    @Test func checkpointsOnTheWay() throws {
        let url = server.url("/checkpoints", stalling(at: 2_500_000), Self.tag)
        rig.begin(url)
        let last = try rig.wait(for: { report in
            if case .checkpointed(_, 1, let checkpoint) = report, checkpoint.received > 0 { checkpoint } else { nil }
        })
        #expect(last.validator == "\"a\"")
        #expect(last.boot == Rig.boot)
        let firsts = rig.reports.prefix(2)
        #expect(
            Array(firsts) == [
                .responded(Rig.id(), attempt: 1, offset: 0, expected: Int64(Self.size)),
                .checkpointed(
                    Rig.id(), attempt: 1,
                    TransferCheckpoint(received: 0, expected: Int64(Self.size), validator: "\"a\"", boot: Rig.boot)),
            ])
        // After a crash within the same boot, the file's own length counts.
        try waitForProgress(to: 2_500_000)
        rig.engine.stop(Rig.id())
        _ = try rig.end()
        let earlier = TransferCheckpoint(
            received: 1_000_000, expected: Int64(Self.size), validator: "\"a\"", boot: Rig.boot)
        rig.begin(url, attempt: 2, checkpoint: earlier)
        #expect(try rig.end(attempt: 2).size == Int64(Self.size))
        #expect(rig.offsets() == [0, 2_500_000])
        #expect(rig.bytes() == BadServer.content(Self.size))
    }

    /// After another boot only the checkpoint counts, because later bytes may be holes.
    @Test func afterAnotherBoot() throws {
        let url = server.url("/boot", Self.tag)
        var bytes = BadServer.content(1_000_000)
        bytes += [UInt8](repeating: 0, count: 1_000_000)
        try Data(bytes).write(to: URL(fileURLWithPath: rig.partial()))
        let checkpoint = TransferCheckpoint(
            received: 1_000_000, expected: Int64(Self.size), validator: "\"a\"", boot: "another")
        rig.begin(url, checkpoint: checkpoint)
        #expect(try rig.end().size == Int64(Self.size))
        #expect(rig.offsets() == [1_000_000])
        #expect(rig.bytes() == BadServer.content(Self.size))
    }

    /// A file shorter than its synced part does not belong to the checkpoint.
    @Test func afterAnotherBootAndALoss() throws {
        try Data(BadServer.content(500_000)).write(to: URL(fileURLWithPath: rig.partial()))
        let checkpoint = TransferCheckpoint(
            received: 1_000_000, expected: Int64(Self.size), validator: "\"a\"", boot: "another")
        rig.begin(server.url("/loss", Self.tag), checkpoint: checkpoint)
        #expect(try rig.end().size == Int64(Self.size))
        #expect(rig.offsets() == [0])
    }

    @Test func theFileIsGone() throws {
        let checkpoint = TransferCheckpoint(
            received: 1_000_000, expected: Int64(Self.size), validator: "\"a\"", boot: Rig.boot)
        rig.begin(server.url("/gone", Self.tag), checkpoint: checkpoint)
        #expect(try rig.end().size == Int64(Self.size))
        #expect(rig.bytes() == BadServer.content(Self.size))
    }

    @Test func takesOverAnothersFile() throws {
        let url = server.url("/handed", stalling(at: 2_000_000), Self.tag)
        rig.begin(url)
        try waitForProgress(to: 2_000_000)
        rig.engine.stop(Rig.id())
        let checkpoint = try rig.end().checkpoint
        rig.begin(url, 2, checkpoint: checkpoint, resumes: 1)
        #expect(try rig.end(of: 2).size == Int64(Self.size))
        #expect(rig.offsets(of: 2) == [2_000_000])
        #expect(rig.bytes(2) == BadServer.content(Self.size))
        #expect(rig.bytes(1) == nil)
    }

    @Test func stoppingBeforeItBegins() throws {
        rig.begin(server.url("/wait", ["silent": "1"]))
        let checkpoint = TransferCheckpoint(received: 5, expected: 9, validator: "\"a\"", boot: Rig.boot)
        rig.begin(server.url("/never", Self.tag), attempt: 2, checkpoint: checkpoint)
        rig.engine.stop(Rig.id())
        #expect(try rig.end(attempt: 2) == .stopped(checkpoint))
        #expect(try rig.end(attempt: 1) == .stopped(nil))
        rig.engine.stop(Rig.id(9))
        #expect(try server.requests("/never").isEmpty)
    }

    /// The file is being opened, or about to be. The file's content stays.
    @Test func stoppingWhileItBegins() throws {
        let bytes = BadServer.content(1_000_000)
        let checkpoint = TransferCheckpoint(
            received: 900_000, expected: Int64(Self.size), validator: "\"a\"", boot: Rig.boot)
        // However late the attempt is stopped, no byte has come.
        let url = server.url("/begins", Self.tag.merging(["silent": "1"]) { $1 })
        try Data(bytes).write(to: URL(fileURLWithPath: rig.partial()))
        for attempt in 1...20 as ClosedRange<Int32> {
            rig.begin(url, attempt: attempt, checkpoint: checkpoint)
            rig.engine.stop(Rig.id())
            let left = try #require(try rig.end(attempt: attempt).checkpoint)
            // The length of the file, whether or not it was checked.
            #expect([900_000, 1_000_000].contains(left.received))
            #expect(left.validator == "\"a\"" && left.expected == Int64(Self.size))
        }
        #expect(rig.bytes() == bytes)
        rig.begin(server.url("/begun", Self.tag), attempt: 21, checkpoint: checkpoint)
        #expect(try rig.end(attempt: 21).size == Int64(Self.size))
        #expect(rig.bytes() == BadServer.content(Self.size))
    }

    /// An attempt that is about to begin, because the one before it has just ended, is stopped, too.
    @Test func stoppingBetweenTwoAttempts() throws {
        let silent = server.url("/between", ["silent": "1"])
        for round in 0..<300 as Range<Int32> {
            let number = Int64(round) + 1
            rig.begin("nothing", number)
            rig.begin(silent, number, attempt: 2)
            var isOver = false
            // At the very moment of its end.
            while !isOver {
                isOver = rig.takeReports().contains {
                    if case .failed(Rig.id(number), 1, _) = $0 { true } else { false }
                }
            }
            rig.engine.stop(Rig.id(number))
            #expect(try rig.end(of: number, attempt: 2) == .stopped(nil))
        }
    }

    @Test func manyAtOnce() throws {
        for number in 1...50 {
            rig.begin(server.url("/many", ["size": "\(number * 10_000)"]), Int64(number))
        }
        for number in 1...50 {
            #expect(try rig.end(of: Int64(number)).size == Int64(number * 10_000))
            #expect(rig.bytes(Int64(number)) == BadServer.content(number * 10_000))
        }
    }

    /// The version file of an earlier attempt names other bytes. A short file is still completed, and not resumed as a
    /// different version.
    @Test func aVersionThatWasLeft() throws {
        let version = rig.directory.path + "/partial/7-3-1.version"
        try Data("\"old\"".utf8).write(to: URL(fileURLWithPath: version))
        rig.begin(server.url("/short", ["size": "5000", "etag": "\"new\""]))
        #expect(try rig.end().size == 5000)
        #expect(rig.bytes() == BadServer.content(5000))
        let checkpoint = TransferCheckpoint(received: 4000, expected: 5000, validator: "\"new\"", boot: Rig.boot)
        rig.begin(server.url("/again", ["size": "5000", "etag": "\"new\""]), attempt: 2, checkpoint: checkpoint)
        #expect(try rig.end(attempt: 2).size == 5000)
        let offset = try rig.wait { if case .responded(_, 2, let offset, _) = $0 { offset } else { nil } }
        #expect(offset == 0, "the file is not known to be of the requested version")
    }

    /// At most two progress reports a second, however often bytes arrive.
    @Test func progressIsRare() throws {
        rig.begin(server.url("/rare", ["size": "100", "pause": "15"]))
        _ = try rig.end()
        let progressed = rig.reports.count { if case .progressed = $0 { true } else { false } }
        #expect(progressed >= 1)
        #expect(progressed <= 4)
    }
}
