import Foundation
import LifeCycleModel
import RoostCarrier
import RoostHelpers
import RoostPorts
import Testing

/// Transfers in their own process: they begin, stop and resume, and the process dies.
@Suite struct CarriedTests {
    private let server: BadServer
    private let rig: CarrierRig

    init() throws {
        server = try BadServer()
        rig = try CarrierRig()
    }

    private static let size = 3_000_000
    private static let file = "size=\(size)&etag=%22a%22"

    private func waitForProgress(_ number: Int64 = 1, to bytes: Int64) throws {
        _ = try rig.wait(for: { report in
            if case .progressed(CarrierRig.id(number), _, bytes, _) = report { true } else { nil }
        })
    }

    private func moved(_ number: Int64 = 1) throws -> Int32? {
        try rig.wait { report -> Int32?? in
            if case .moved(CarrierRig.id(number), let errno) = report { .some(errno) } else { nil }
        }
    }

    /// The process starts with the first transfer and ends after the last.
    @Test func theCarrierExitsAfterTheLastTransfer() throws {
        #expect(rig.carriers.pids.isEmpty)
        for number in 1...20 as ClosedRange<Int64> { rig.begin(server.url("many", "size=\(number * 10_000)"), number) }
        #expect(rig.carriers.pids.count == 1)
        for number in 1...20 as ClosedRange<Int64> {
            #expect(try rig.completion(of: number) == number * 10_000)
            rig.transfers.move(CarrierRig.id(number), to: "x/\(number)", below: rig.directory)
            #expect(try moved(number) == nil)
        }
        try rig.waitForRest()
        #expect(rig.transfers.progress().isEmpty)
        rig.begin(server.url("again", "size=5"), 21)
        #expect(try rig.completion(of: 21) == 5)
    }

    /// Orders that arrive while a transfer is still running are carried out after it, in order.
    @Test func ordersAreHandledInSequence() throws {
        let url = server.url("order", Self.file + "&stall=1500000", Self.file)
        rig.begin(url)
        try waitForProgress(to: 1_500_000)
        #expect(rig.transfers.progress()[CarrierRig.id()]?.received == 1_500_000)
        rig.transfers.stop(CarrierRig.id())
        rig.begin(url, attempt: 2)
        rig.transfers.move(CarrierRig.id(), to: "x", below: rig.directory)
        #expect(try moved() == nil)
        let file = FileManager.default.contents(atPath: rig.directory + "/x")
        #expect(file?.count == Self.size)
        let ends = rig.reports.compactMap { report -> Int32? in
            switch report {
            case .stopped(_, let attempt, _), .completed(_, let attempt, _, _): attempt
            default: nil
            }
        }
        #expect(ends == [1, 2])
    }

    @Test func stoppingBeforeItBegins() throws {
        let checkpoint = TransferCheckpoint(received: 5, expected: 9, validator: "\"a\"", boot: CarrierRig.boot)
        rig.begin(server.url("wait", "silent=1"))
        rig.begin(server.url("never", Self.file), attempt: 2, checkpoint: checkpoint)
        rig.transfers.stop(CarrierRig.id())
        let stopped = try rig.wait { if case .stopped(_, 2, let checkpoint) = $0 { checkpoint } else { nil } }
        #expect(stopped == checkpoint)
        #expect(try rig.wait { if case .stopped(_, 1, nil) = $0 { true } else { nil } })
        rig.transfers.stop(CarrierRig.id(9))
    }

    @Test func discardingStops() throws {
        rig.begin(server.url("discard", Self.file + "&stall=1500000"))
        try waitForProgress(to: 1_500_000)
        rig.transfers.discard(CarrierRig.id(), delivered: nil, below: nil)
        rig.transfers.move(CarrierRig.id(), to: "x", below: rig.directory)
        #expect(try moved() == ENOENT)
        #expect(!FileManager.default.fileExists(atPath: rig.partial()))
    }

    /// The end of the process fails the running transfers with their received bytes. Another process resumes from
    /// there.
    @Test func theProcessIsKilled() throws {
        let url = server.url("killed", Self.file + "&stall=1500000", Self.file + "&stall=1000000", Self.file)
        rig.begin(url)
        rig.begin(server.url("beside", "silent=1"), 2)
        _ = try rig.wait { if case .checkpointed = $0 { true } else { nil } }
        try waitForProgress(to: 1_500_000)
        let first = try #require(rig.carriers.pids.first)
        kill(first, SIGKILL)
        for number in 1...2 as ClosedRange<Int64> {
            let problem = try rig.failure(of: number)
            #expect(problem.isCarriersEnd && problem.isRetryable && problem.code == -997)
            #expect((problem.checkpoint != nil) == (number == 1))
        }
        let checkpoint = try rig.failure().checkpoint
        rig.begin(url, attempt: 2, checkpoint: checkpoint, isSuspect: true)
        rig.begin(server.url("third", "silent=1"), 3)
        #expect(try rig.wait { if case .progressed(CarrierRig.id(), 2, _, _) = $0 { true } else { nil } })
        #expect(rig.carriers.pids.count == 2, "a suspect has its own carrier")
        for number in [1, 3] as [Int64] { rig.transfers.stop(CarrierRig.id(number)) }
        rig.begin(url, attempt: 3, checkpoint: checkpoint, isSuspect: true)
        #expect(try rig.completion(attempt: 3) == Int64(Self.size))
        let offset = try rig.wait { if case .responded(_, 2, let offset, _) = $0 { offset } else { nil } }
        #expect(offset > 0, "the download resumes from the received bytes")
        try rig.waitForRest()
    }

    /// If the program is missing, each attempt fails, and the reason names the program.
    @Test func noProgram() throws {
        let rig = try CarrierRig(program: "/nowhere/roost-carry")
        rig.begin("http://localhost:1/")
        let problem = try rig.failure()
        #expect(problem.reason.contains("/nowhere/roost-carry") && problem.isRetryable && !problem.isCarriersEnd)
    }

    /// A program in place of `roost-carry` that sends these bytes, and then neither reads nor ends.
    private func liar(saying bytes: [UInt8], in directory: String) throws -> String {
        let program = directory + "/liar"
        try Data(bytes).write(to: URL(fileURLWithPath: program + ".bytes"))
        let script = """
            #!/usr/bin/python3
            import signal, socket
            stream = socket.socket(fileno=3)
            stream.sendall(open("\(program).bytes", "rb").read())
            signal.pause()
            """
        try CarrierRig.write(script, toProgram: program)
        return program
    }

    private static func progress(_ number: Int64, attempt: Int32 = 1, _ received: Int64 = 5) -> [UInt8] {
        CarrierWord.report(.progressed(CarrierRig.id(number), attempt: attempt, received: received, expected: nil))
            .frame
    }

    private static let lies: [(what: String, bytes: [UInt8])] = [
        ("no message", [1, 0, 0, 0, 9]), ("a length that is too large", [255, 255, 255, 127]),
        ("a message cut short", [17, 0, 0, 0, 0, 5] + [UInt8](repeating: 0, count: 200)),
        ("an unknown transfer", progress(2)), ("another attempt", progress(1, attempt: 2)),
        ("excess bytes", CarrierWord.report(.progressed(CarrierRig.id(), attempt: 1, received: 6, expected: 5)).frame),
        ("a report about a move", CarrierWord.report(.moved(CarrierRig.id(), errno: nil)).frame),
        (
            "a file that is not there",
            CarrierWord.report(
                .completed(
                    CarrierRig.id(), attempt: 1, TransferResponse(url: "http://localhost:1/", status: 200, fields: []),
                    size: 5)
            ).frame
        ),
        ("the end of another transfer", CarrierWord.report(.stopped(CarrierRig.id(9), attempt: 1, nil)).frame),
        ("too many reports", (1...5000).flatMap { progress(1, $0) }),
        ("repeated resting messages", (1...3).flatMap { _ in CarrierWord.resting.frame }),
    ]

    /// Every message that does not fit a carrier's jobs ends the carrier.
    @Test(arguments: lies.indices) func aCarrierThatLies(index: Int) throws {
        let own = try CarrierRig()
        let rig = try CarrierRig(program: try liar(saying: Self.lies[index].bytes, in: own.directory))
        rig.begin("http://localhost:1/")
        let problem = try rig.failure()
        #expect(
            problem.isCarriersEnd && problem.reason.contains("it sent an invalid message"),
            "\(Self.lies[index].what): \(problem)")
        #expect(rig.carriers.pids.isEmpty)
        // No report about a job that the carrier did not have was believed.
        #expect(rig.reports.allSatisfy { $0.id == CarrierRig.id() })
    }

    /// The carrier's last message is shortened, and becomes the reason of the failure.
    @Test func aCarrierThatGivesUp() throws {
        let own = try CarrierRig()
        let bytes = CarrierWord.gaveUp("no way").frame + CarrierWord.gaveUp("and on").frame
        let rig = try CarrierRig(program: try liar(saying: bytes, in: own.directory))
        rig.begin("http://localhost:1/")
        #expect(try rig.failure().reason.hasSuffix(": no way"))
        #expect(rig.carriers.pids.isEmpty)
    }

    /// Orders that the carrier does not read are not stored without limit.
    @Test func aCarrierThatReadsNoOrders() throws {
        let own = try CarrierRig()
        let rig = try CarrierRig(program: try liar(saying: [], in: own.directory))
        let body = String(repeating: "A", count: 90 << 10)
        for number in 1...400 as ClosedRange<Int64> { rig.begin("http://localhost:1/", number, body: body) }
        #expect(try rig.failure(of: 400).reason.contains("it stopped reading orders"))
        #expect(rig.carriers.pids.isEmpty)
    }

    /// The largest number of bytes gives no rate that is too large.
    @Test func aCarrierThatIsVeryFast() throws {
        let own = try CarrierRig()
        let bytes =
            CarrierWord.report(.responded(CarrierRig.id(), attempt: 1, offset: 0, expected: .max)).frame
            + Self.progress(1) + Self.progress(1, .max)
        let rig = try CarrierRig(program: try liar(saying: bytes, in: own.directory))
        rig.begin("http://localhost:1/")
        _ = try rig.wait { report in if case .progressed(_, _, .max, _) = report { true } else { nil } }
        let progress = try #require(rig.transfers.progress()[CarrierRig.id()])
        #expect(progress.received == .max && progress.rate > 0)
    }

    /// A stop has an end after some time, even if the carrier does not react.
    @Test func aCarrierThatDoesNotStop() throws {
        let own = try CarrierRig()
        let rig = try CarrierRig(program: try liar(saying: Self.progress(1), in: own.directory)) {
            $0.stopPatience = .milliseconds(50)
        }
        let checkpoint = TransferCheckpoint(received: 5, expected: 9, validator: "\"a\"", boot: CarrierRig.boot)
        rig.begin("http://localhost:1/", checkpoint: checkpoint)
        rig.begin("http://localhost:1/", 2)
        try waitForProgress(of: rig)
        rig.transfers.stop(CarrierRig.id())
        let stopped = try rig.wait { report in
            if case .stopped(CarrierRig.id(), 1, let checkpoint) = report { checkpoint } else { nil }
        }
        #expect(stopped == checkpoint)
        #expect(try rig.failure(of: 2).reason.contains("did not stop"))
        #expect(rig.carriers.pids.isEmpty)
    }

    private func waitForProgress(of rig: CarrierRig) throws {
        _ = try rig.wait { if case .progressed = $0 { true } else { nil } }
    }

    /// The received bytes of an app, as the space that they use on disk.
    @Test func theDiskSpaceOfPartialFilesIsMeasured() throws {
        rig.begin(server.url("parts", Self.file + "&stall=1500000"))
        try waitForProgress(to: 1_500_000)
        _ = try rig.wait { if case .checkpointed = $0 { true } else { nil } }
        rig.transfers.stop(CarrierRig.id())
        _ = try rig.wait { if case .stopped = $0 { true } else { nil } }
        let size = rig.transfers.partialSize(of: AppID(7))()
        #expect((1_500_000..<1_600_000).contains(size), "\(size)")
        #expect(rig.transfers.partialSize(of: AppID(70))() == 0)
    }

    /// If a user runs the program by hand, it prints its purpose.
    @Test func theCarrierRunByHandExplainsItself() throws {
        let (process, errors) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: CarrierRig.program)
        process.standardError = errors
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 64)
        let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(said.contains("roost up"))
    }
}
