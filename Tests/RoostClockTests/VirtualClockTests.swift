import CRoostTesting
import Foundation
import Testing

/// All ways in which code waits. No waiting code knows of the virtual clock.
private let ways = [
    "timer", "after", "afterWall", "source", "continuous", "suspending", "nanoseconds", "threadSleep", "sleep",
    "usleep", "runLoop", "semaphore", "semaphoreWall", "group", "condition", "lock", "poll", "select",
]

private func line(_ what: String, at seconds: Double) -> ClockedProcess.Line {
    let milliseconds = Int((seconds * 1000).rounded())
    return .init(what: what, wall: milliseconds, awake: milliseconds)
}

@Suite struct VirtualClockTests {
    @Test func virtualTimeDoesNotPassByItself() throws {
        let app = try ClockedProcess(["read=20000"])
        #expect(try app.lines() == [line("read:stands", at: 0)])
    }

    @Test(arguments: ways) func endsAtItsTimeAndNotBefore(way: String) throws {
        let app = try ClockedProcess(["\(way)=900"])
        try app.advance(899.999)
        #expect(try app.lines() == [])
        // Foundation calculates with floating-point seconds: dates of these years have a resolution of a tenth of a
        // microsecond.
        let due = try #require(app.secondsUntilDue)
        #expect(abs(due - 0.001) < 0.000_001)
        try app.advance(due)
        #expect(try app.lines() == [line(way, at: 900)])
        try app.advance(3600)
        #expect(try app.lines() == [])
    }

    @Test func everythingEndsInItsOrder() throws {
        // The waits end in another order than they begin.
        let times = ways.indices.map { Double(300 + ($0 * 7) % ways.count) }
        let app = try ClockedProcess(zip(ways, times).map { "\($0)=\(Int($1))" })
        try app.advance(400)
        let expected = zip(ways, times).sorted { $0.1 < $1.1 }.map { line($0, at: $1) }
        #expect(try app.lines() == expected)
    }

    @Test(arguments: ["periodic", "periodicSource"]) func repeatsAsOftenAsItShould(way: String) throws {
        let app = try ClockedProcess(["\(way)=60"])
        try app.advance(3630)
        #expect(try app.lines() == (1...60).map { line(way, at: Double($0) * 60) })
        #expect(app.secondsUntilDue == 30)
    }

    @Test func aWeekGoesFromOneThingToTheNext() throws {
        let app = try ClockedProcess(["periodic=3600"])
        try app.advance(7 * 86400)
        #expect(try app.lines().map(\.wall) == (1...168).map { $0 * 3_600_000 })
    }

    @Test func timersDuringALeapFireAtItsEnd() throws {
        let app = try ClockedProcess(["after=10", "source=20", "threadSleep=30", "continuous=5000"])
        app.move(1000)
        try app.settle()
        #expect(try Set(app.lines()) == Set(["after", "source", "threadSleep"].map { line($0, at: 1000) }))
        #expect(app.secondsUntilDue == 4000)
    }

    @Test func aFrozenProcessCatchesUp() throws {
        let app = try ClockedProcess(["timer=10", "suspending=20", "semaphore=30", "after=5000"])
        kill(app.pid, SIGSTOP)
        // The signal takes a moment; this returns when all threads are stopped.
        var status = siginfo_t()
        try #require(waitid(P_PID, id_t(app.pid), &status, WSTOPPED) == 0)
        app.move(600)
        #expect(croost_clock_wait_acknowledged(app.page, app.pid, 100) == ETIMEDOUT)
        #expect(try app.lines() == [])
        kill(app.pid, SIGCONT)
        try app.settle()
        #expect(try Set(app.lines()) == Set(["timer", "suspending", "semaphore"].map { line($0, at: 600) }))
        #expect(app.secondsUntilDue == 4400)
    }

    @Test func clocksMoveApart() throws {
        let app = try ClockedProcess(["after=60", "continuous=70", "afterWall=80"])
        // The device sleeps: only the awake clock stops.
        app.move(0, elapsed: 75, wall: 75)
        try app.settle()
        #expect(try app.lines() == [.init(what: "continuous", wall: 75_000, awake: 0)])
        // The wall clock is set forward by an hour.
        app.move(0, elapsed: 0, wall: 3600)
        try app.settle()
        #expect(try app.lines() == [.init(what: "afterWall", wall: 3_675_000, awake: 0)])
        try app.advance(60)
        #expect(try app.lines() == [.init(what: "after", wall: 3_735_000, awake: 60_000)])
    }

    @Test func aSubprocessIsUnderTheSameClock() throws {
        let app = try ClockedProcess(["spawn=60"])
        let said = try #require(try app.whats().first)
        let child = try #require(said.split(separator: ":").last.flatMap { Int32($0) })
        #expect(croost_clock_wait_attached(app.page, child, 20_000) == 0)
        #expect(croost_clock_wait_idle(app.page, child, 20_000) == 0)
        #expect(croost_clock_until_due(app.page, child) == 60_000_000_000)
        try app.advance(59.999, pid: 0)
        #expect(try app.lines() == [])
        try app.advance(0.001, pid: 0)
        try app.waitUntilItSays("ended:0")
        #expect(try app.lines() == [line("ended:0", at: 60)])
    }

    @Test func thePoolGrowsInRealTime() throws {
        let app = try ClockedProcess(["busy=300"])
        try app.waitUntilItSays("busy")
        #expect(try app.lines() == [line("busy", at: 0)])
        #expect(app.secondsUntilDue == 300)
    }

    @Test func isNothingWithoutAPage() throws {
        let app = try ClockedProcess(
            ["read=2000"] + ways.filter { !["sleep", "select"].contains($0) }.map { "\($0)=0.05" }, isClocked: false)
        for way in ["read:moves"] + ways where !["sleep", "select"].contains(way) { try app.waitUntilItSays(way) }
        #expect(croost_clock_is_attached(app.page, app.pid) == 0)
    }

    @Test func saysWhenAProcessHasEnded() throws {
        let app = try ClockedProcess(["after=60"])
        #expect(croost_clock_is_attached(app.page, app.pid) == 1)
        kill(app.pid, SIGKILL)
        #expect(croost_clock_advance(app.page, app.pid, 60_000_000_000, 20_000) == ESRCH)
        croost_clock_forget(app.page, app.pid)
        #expect(croost_clock_is_attached(app.page, app.pid) == 0)
        #expect(croost_clock_until_due(app.page, 0) == UInt64.max)
    }

    @Test(arguments: ["", "short", String(repeating: "x", count: 100_000)])
    func aFileThatIsNoPageMovesNothing(text: String) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "roost-clock-\(UUID())")
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let app = try ClockedProcess(["read=2000"], under: file.path)
        try app.waitUntilItSays("read:moves")
    }

    @Test func aPageIsNotMadeOverAFile() throws {
        let app = try ClockedProcess(["read=1"])
        var made: UnsafeMutablePointer<croost_clock_page>?
        #expect(croost_clock_create(app.file, 1, 1, 1, &made) == EEXIST)
        #expect(made == nil)
    }
}
