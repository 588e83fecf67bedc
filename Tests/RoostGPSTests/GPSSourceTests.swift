import CRoost
import Foundation
import LifeCycleModel
import RoostGPS
import Testing

/// Positions from a server that misbehaves, and the ends of the process.
@Suite struct GPSSourceTests {
    private let server: FakeGPSD
    private let rig: GPSRig

    init() throws {
        server = try FakeGPSD()
        rig = try GPSRig(port: server.port)
    }

    private func begin() throws {
        rig.source.setReceiver(true)
        try server.accept()
    }

    @Test func positionsArriveWhileTheReceiverIsOn() throws {
        #expect(rig.pids.isEmpty && !rig.look(milliseconds: 0))
        let before = Nanoseconds(croost_realtime())
        try begin()
        #expect(String(decoding: server.received, as: UTF8.self) == "?WATCH={\"enable\":true,\"json\":true};\n")
        rig.source.setReceiver(true)
        #expect(rig.pids.count == 1, "a receiver that is on stays on")
        server.say("{\"class\":\"VERSION\"}\r\n{\"class\":\"TPV\",\"mode\":1}\r\n" + FakeGPSD.report("48.1173"))
        let fix = try rig.position(at: 481_173_000)
        #expect(fix.longitude == 95_000_000 && fix.accuracy == 425)
        #expect(fix.time >= before && fix.time <= Nanoseconds(croost_realtime()))
        server.say(FakeGPSD.report("-5"))
        try rig.position(at: -50_000_000)
        rig.source.setReceiver(false)
        #expect(rig.pids.isEmpty)
        try server.receive(until: { _ in false })
        rig.source.setReceiver(false)
        #expect(!rig.look(milliseconds: 0), "the end was asked for, so it is not reported")
        server.hangUp()
        try begin()
        server.say(FakeGPSD.report("7"))
        try rig.position(at: 70_000_000)
    }

    @Test func switchingOffDropsReports() throws {
        try begin()
        server.say(FakeGPSD.report("1"))
        var entry = pollfd(fd: rig.source.descriptor, events: Int16(POLLIN), revents: 0)
        try #require(poll(&entry, 1, Deadline().milliseconds) == 1)
        rig.source.setReceiver(false)
        #expect(rig.source.takeReports().isEmpty)
        rig.source.setReceiver(true)
        try server.accept()
        server.say(FakeGPSD.report("2"))
        try rig.position(at: 20_000_000)
        #expect(rig.positions.count == 1)
    }

    /// Lines without a position change nothing, and an endless line takes no memory.
    @Test func garbageIsIgnored() throws {
        try begin()
        let deep = String(repeating: "{\"a\":", count: 3000)
        server.say([0, 0xFF, 0x0A, 0x7B, 0xC0, 0x7D, 0x0A] + Array("\n\n}{\n\(deep)\n".utf8))
        server.say(
            "{\"class\":\"TPV\",\"mode\":3,\"lat\":NaN,\"lon\":1}\n{\"class\":\"TPV\",\"mode\":3,\"lat\":200,\"lon\":1}\n"
        )
        server.say(
            "{\"class\":\"ERROR\",\"message\":\"no\"}\n{\"class\":\"TPV\",\"mode\":3,\"lat\":\"1\",\"lon\":\"1\"}\n")
        server.say(FakeGPSD.report("3"))
        try rig.position(at: 30_000_000)
        #expect(rig.reports.count == 1)
    }

    @Test func anEndlessLineIsSkipped() throws {
        try begin()
        let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 64 << 10)
        let pid = try #require(rig.pids.first)
        // The limit of memory would have ended the process.
        var said = 0
        let deadline = Deadline()
        while said < 80, !deadline.isOver {
            server.say(piece)
            said += 1
            rig.look(milliseconds: 10)
        }
        // A part of the line may not have fit into the socket, so its end is repeated.
        try rig.position(at: 40_000_000, feeding: { server.say("\n" + FakeGPSD.report("4")) })
        #expect(rig.pids == [pid])
        #expect(try Self.memory(of: pid) < 32 << 20)
    }

    /// The process's private memory, in bytes.
    private static func memory(of pid: Int32) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") })
        return try #require(Int(line.split(separator: " ")[1])) * 1024
    }

    /// If gpsd sends too many positions, the newest of each tenth of a second arrives.
    @Test func aFloodIsSlowedDown() throws {
        try begin()
        let start = ContinuousClock.now
        let batch = String(repeating: FakeGPSD.report("1"), count: 500)
        while rig.positions.count < 15 {
            server.say(batch)
            rig.look(milliseconds: 20)
            try #require(rig.reports.count == rig.positions.count, "\(rig.reports)")
        }
        #expect(ContinuousClock.now - start >= .milliseconds(1300))
    }

    @Test func gpsdCloses() throws {
        try begin()
        server.say(FakeGPSD.report("5") + FakeGPSD.report("6").dropLast(10))
        try rig.position(at: 50_000_000)
        server.hangUp()
        #expect(try rig.ending() == "gpsd closed the connection")
        #expect(rig.positions.count == 1 && rig.pids.isEmpty)
        #expect(!rig.look(milliseconds: 0), "the end is reported once")
        try begin()
        server.hangUp()
        #expect(try rig.ending() == "gpsd closed the connection", "it was switched on again")
    }

    @Test func theProcessIsKilled() throws {
        try begin()
        kill(try #require(rig.pids.first), SIGKILL)
        #expect(try rig.ending().contains("ended unexpectedly"))
        #expect(rig.pids.isEmpty)
    }

    @Test func nobodyListens() throws {
        let server = try FakeGPSD(backlog: nil)
        let rig = try GPSRig(port: server.port)
        rig.source.setReceiver(true)
        #expect(
            try rig.ending()
                == "cannot connect to gpsd: 127.0.0.1:\(server.port): \(String(cString: strerror(ECONNREFUSED)))")
    }

    /// A machine that does not answer. Its queue of connections is full.
    @Test func aServerNeverAnswers() throws {
        let server = try FakeGPSD(backlog: 0)
        let occupant = try server.occupy()
        defer { close(occupant) }
        let rig = try GPSRig(port: server.port)
        rig.source.setReceiver(true)
        #expect(try rig.ending().contains(String(cString: strerror(ETIMEDOUT))))
    }

    @Test func noProgram() throws {
        let rig = try GPSRig(port: 1, program: "/nowhere/roost-gps")
        rig.source.setReceiver(true)
        #expect(try rig.ending().contains("/nowhere/roost-gps"))
        rig.source.setReceiver(true)
        rig.source.setReceiver(false)
        #expect(rig.source.takeReports().isEmpty && !rig.look(milliseconds: 0))
    }
}
