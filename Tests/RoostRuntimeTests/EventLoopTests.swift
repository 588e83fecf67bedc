import Glibc
import LifeCycleModel
import RoostPorts
import Testing

@testable import RoostRuntime

/// A pipe, closed with the object.
private final class Pipe {
    private(set) var reader: Int32
    private(set) var writer: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        (reader, writer) = (ends[0], ends[1])
    }

    deinit {
        close(reader)
        close(writer)
    }

    func put(_ byte: UInt8 = 1) { withUnsafeBytes(of: byte) { _ = write(writer, $0.baseAddress, 1) } }

    func take() -> UInt8? {
        var byte: UInt8 = 0
        return read(reader, &byte, 1) == 1 ? byte : nil
    }

    func closeReader() {
        close(reader)
        reader = -1
    }
}

/// The results of handlers, shared by closures.
private final class Record {
    var entries: [String] = []
    func callAsFunction(_ entry: String) { entries.append(entry) }
}

struct EventLoopTests {
    let loop: EventLoop
    private let record = Record()

    init() throws { loop = try EventLoop() }

    /// Runs until `isDone`, or fails after five seconds.
    private func run(until isDone: () -> Bool) throws {
        let limit = EventLoop.now + .seconds(5)
        loop.deadline = limit
        loop.run(until: { isDone() || EventLoop.now >= limit })
        try #require(isDone(), "the condition did not hold within five seconds")
    }

    @Test
    func aReadableDescriptorIsHandledAndTheTurnEnds() throws {
        let pipe = try Pipe()
        try loop.add(pipe.reader, events: .readable) { [record] ready in
            record("\(ready.contains(.readable)) \(pipe.take() ?? 0)")
        }
        loop.endOfTurn = { [record] in record("end") }
        pipe.put(7)
        try run(until: { record.entries.count == 2 })
        #expect(record.entries == ["true 7", "end"])
    }

    @Test
    func writableAndHangUpAreReported() throws {
        let pipe = try Pipe()
        try loop.add(pipe.writer, events: .writable) { [record, loop] ready in
            if ready.contains(.error) {
                record("gone")
                loop.remove(pipe.writer)
            } else {
                record("writable")
                pipe.closeReader()
            }
        }
        try run(until: { record.entries.count == 2 })
        #expect(record.entries == ["writable", "gone"])
        #expect(!loop.watches(pipe.writer))
    }

    @Test
    func watchedEventsCanBeChanged() throws {
        let pipe = try Pipe()
        let clock = try Pipe()
        try loop.add(pipe.reader, events: .readable) { [record] _ in record("pipe") }
        try loop.add(clock.reader, events: .readable) { [record] _ in
            _ = clock.take()
            record("clock")
        }
        try loop.modify(pipe.reader, events: [])
        pipe.put()
        clock.put()
        try run(until: { !record.entries.isEmpty })
        #expect(record.entries == ["clock"])
        try loop.modify(pipe.reader, events: .readable)
        try run(until: { record.entries.count == 2 })
        #expect(record.entries == ["clock", "pipe"])
        let error = #expect(throws: SystemError.self) { try loop.modify(9999, events: .readable) }
        #expect(error?.errno == ENOENT)
    }

    @Test
    func aDescriptorRemovedInTheSameTurnIsNotHandled() throws {
        let pipes = try [Pipe(), Pipe()]
        for (index, pipe) in pipes.enumerated() {
            try loop.add(pipe.reader, events: .readable) { [record, loop] _ in
                record("handled")
                loop.remove(pipe.reader)
                loop.remove(pipes[1 - index].reader)
            }
            pipe.put()
        }
        loop.endOfTurn = { [record] in record("end") }
        try run(until: { record.entries.contains("end") })
        #expect(record.entries == ["handled", "end"])
    }

    @Test
    func aReusedNumberDoesNotGetTheOldEvent() throws {
        let pipes = try [Pipe(), Pipe()]
        let quiet = try Pipe()
        for (index, pipe) in pipes.enumerated() {
            try loop.add(pipe.reader, events: .readable) { [record, loop] _ in
                record("first")
                loop.remove(pipe.reader)
                let other = pipes[1 - index].reader
                loop.remove(other)
                // The descriptor number whose event is pending in this iteration now belongs to another, quiet pipe.
                _ = dup2(quiet.reader, other)
                try? loop.add(other, events: .readable) { _ in record("wrong") }
            }
            pipe.put()
        }
        loop.endOfTurn = { [record] in record("end") }
        try run(until: { record.entries.contains("end") })
        #expect(record.entries == ["first", "end"])
        quiet.put(3)
        try run(until: { record.entries.contains("wrong") })
    }

    @Test
    func theDeadlineIsCalledOnceAfterReadableEvents() throws {
        let pipe = try Pipe()
        try loop.add(pipe.reader, events: .readable) { [record] _ in
            _ = pipe.take()
            record("readable")
        }
        loop.onDeadline = { [record, loop] in record("deadline \(loop.deadline == nil)") }
        loop.endOfTurn = { [record] in record("end") }
        pipe.put()
        loop.deadline = .zero
        loop.run(until: { record.entries.contains("deadline true") })
        #expect(record.entries.filter { $0 != "end" } == ["readable", "deadline true"])
        #expect(record.entries.last == "end")
    }

    @Test
    func aDeadlineIsNotEarly() throws {
        let due = EventLoop.now + .milliseconds(5)
        var reached: Nanoseconds?
        loop.onDeadline = { reached = EventLoop.now }
        loop.deadline = due
        loop.run(until: { reached != nil })
        #expect(try #require(reached) >= due)
    }

    @Test
    func aDeadlineMovedInItsOwnTurnIsNotCalled() throws {
        let pipe = try Pipe()
        try loop.add(pipe.reader, events: .readable) { [loop, record] _ in
            _ = pipe.take()
            loop.deadline = .distantFuture
            record("moved")
        }
        loop.onDeadline = { [record] in record("deadline") }
        loop.deadline = .zero
        pipe.put()
        loop.run(until: { !record.entries.isEmpty })
        // Another iteration, in which nothing is due.
        loop.wakeUp.post {}
        var isOver = false
        loop.endOfTurn = { isOver = true }
        loop.run(until: { isOver })
        #expect(record.entries == ["moved"])
    }

    @Test
    func messagesOfAnotherThreadArriveInOrder() throws {
        let mailbox = try Mailbox<Int>()
        var received: [Int] = []
        try loop.attach(mailbox) { received.append($0) }
        let thread = try Thread { for number in 0..<1000 { mailbox.post(number) } }
        try run(until: { received.count == 1000 })
        thread.join()
        #expect(received == Array(0..<1000))
    }

    @Test
    func workPostedByAnotherThreadRunsHere() throws {
        let mailbox = try Mailbox<Bool>()
        let wakeUp = loop.wakeUp
        let here = pthread_self()
        try loop.attach(mailbox) { [loop] isHere in
            #expect(isHere)
            loop.stop()
        }
        let thread = try Thread { wakeUp.post { mailbox.post(pthread_equal(pthread_self(), here) != 0) } }
        loop.run()
        thread.join()
    }

    @Test
    func stopEndsAfterTheTurn() throws {
        loop.endOfTurn = { [record] in record("end") }
        let pipe = try Pipe()
        try loop.add(pipe.reader, events: .readable) { [loop, record] _ in
            loop.stop()
            record("stopped")
        }
        pipe.put()
        loop.run()
        #expect(record.entries == ["stopped", "end"])
    }

    @Test
    func aPlainFileCannotBeWatched() throws {
        let file = open("/proc/self/stat", O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        let error = #expect(throws: SystemError.self) { try loop.add(file, events: .readable) { _ in } }
        #expect(error?.errno == EPERM)
        #expect(!loop.watches(file))
    }

    @Test
    func aSignalIsReported() throws {
        try loop.watchSignals([SIGURG]) { [record, loop] number in
            record("\(number)")
            loop.stop()
        }
        // Sent to this very thread, because other threads of the test process do not block it.
        pthread_kill(pthread_self(), SIGURG)
        loop.run()
        #expect(record.entries == ["\(SIGURG)"])
    }

    /// The order that the heartbeat depends on: the deadline before the loop sleeps, the iteration before its work.
    @Test
    func theLoopAnnouncesItsSleepAndEachIteration() throws {
        let pipe = try Pipe()
        try loop.add(pipe.reader, events: .readable) { [record] _ in
            _ = pipe.take()
            record("work")
        }
        var deadlines: [Nanoseconds?] = []
        loop.onSleep = { [record] deadline in
            deadlines.append(deadline)
            record("rest")
        }
        loop.onTurn = { [record] in record("turn") }
        loop.onDeadline = { [record] in record("deadline") }
        loop.endOfTurn = { [record] in record("end") }
        func iterate(_ count: Int) { loop.run(until: { record.entries.count { $0 == "end" } == count }) }
        pipe.put()
        iterate(1)
        // In an hour, which this test does not reach.
        let due = EventLoop.now + .seconds(3600)
        loop.deadline = due
        loop.inNextTurn { [record] in record("work") }
        iterate(2)
        loop.deadline = .zero
        iterate(3)
        let iteration = ["rest", "turn", "work", "end"]
        #expect(record.entries == iteration + iteration + ["rest", "turn", "deadline", "end"])
        let expected: [Nanoseconds?] = [nil, due, .zero]
        #expect(deadlines == expected)
    }

    @Test
    func anIdleLoopMakesNoWakeUps() throws {
        var turns = 0
        loop.endOfTurn = { turns += 1 }
        loop.onDeadline = { [loop] in loop.stop() }
        loop.deadline = EventLoop.now + .milliseconds(50)
        loop.run()
        #expect(turns == 1)
    }
}

/// A thread that runs one closure.
private struct Thread {
    private final class Work: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    private let thread: pthread_t

    init(_ body: @escaping @Sendable () -> Void) throws {
        var thread = pthread_t()
        let work = Unmanaged.passRetained(Work(body)).toOpaque()
        let code = pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
                return nil
            }, work)
        try #require(code == 0)
        self.thread = thread
    }

    func join() { pthread_join(thread, nil) }
}
