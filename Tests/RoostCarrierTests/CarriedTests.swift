import Foundation
import LifeCycleModel
import RoostCarrier
import RoostPorts
import Testing

/// Transfers in a process of their own: begun, stopped, gone on with, and the death of the process.
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

    /// The process comes with the first and goes after the last.
    @Test func carriesAndGoes() throws {
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

    /// What is said while something is still under way is done after it, in its order.
    @Test func oneThingAfterTheOther() throws {
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

    /// Its death is a failure of what was under way, with what had arrived; another process goes on from there.
    @Test func theProcessIsKilled() throws {
        let url = server.url("killed", Self.file + "&stall=1500000", Self.file)
        rig.begin(url)
        rig.begin(server.url("beside", "silent=1"), 2)
        _ = try rig.wait { if case .checkpointed = $0 { true } else { nil } }
        try waitForProgress(to: 1_500_000)
        let first = try #require(rig.carriers.pids.first)
        kill(first, SIGKILL)
        for number in 1...2 as ClosedRange<Int64> {
            let problem = try rig.failure(of: number)
            #expect(problem.isCarriersEnd && problem.mayPass && problem.code == -997)
            #expect((problem.checkpoint != nil) == (number == 1))
        }
        let checkpoint = try rig.failure().checkpoint
        rig.begin(url, attempt: 2, checkpoint: checkpoint, isSuspect: true)
        rig.begin(server.url("third", "size=7"), 3)
        #expect(rig.carriers.pids.count == 2, "a suspect is alone")
        #expect(try rig.completion(attempt: 2) == Int64(Self.size))
        #expect(try rig.completion(of: 3) == 7)
        let offset = try rig.wait { if case .responded(_, 2, let offset, _) = $0 { offset } else { nil } }
        #expect(offset > 0, "it goes on from what was there")
        try rig.waitForRest()
    }

    /// A program that is not there fails each attempt, with its name.
    @Test func noProgram() throws {
        let rig = try CarrierRig(program: "/nowhere/roost-carry")
        rig.begin("http://localhost:1/")
        let problem = try rig.failure()
        #expect(problem.reason.contains("/nowhere/roost-carry") && problem.mayPass && !problem.isCarriersEnd)
    }

    /// Whatever a carrier says that does not fit its jobs ends it.
    @Test(arguments: ["\\x01\\x00\\x00\\x00\\x09", "\\xff\\xff\\xff\\x7f", "\\x11\\x00\\x00\\x00\\x00\\x05"])
    func aCarrierThatLies(bytes: String) throws {
        let own = try CarrierRig()
        let program = own.directory + "/liar"
        let script = """
            #!/usr/bin/python3
            import os, time
            os.write(3, b"\(bytes)" + bytes(200))
            time.sleep(60)
            """
        try script.write(toFile: program, atomically: false, encoding: .utf8)
        chmod(program, 0o700)
        let rig = try CarrierRig(program: program)
        rig.begin("http://localhost:1/")
        let problem = try rig.failure()
        #expect(problem.isCarriersEnd && problem.reason.contains("it said what it must not"), "\(problem)")
        #expect(rig.carriers.pids.isEmpty)
    }

    /// By hand the program says what it is for.
    @Test func byHand() throws {
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
