import Glibc
import LifeCycleModel
import Testing

@testable import RoostRuntime

/// The order of reception: a peer that sends much does not delay the others.
struct ReceptionTests {
    /// Both ends of a connection: the loop reads from one, and the test sends at the other.
    private final class Pair {
        let connection: Connection
        let end: Int32
        /// The received messages, with the iteration of the loop in which they came.
        var received: [(text: String, turn: UInt64)] = []
        var ending: Connection.End?

        init(at reception: Reception, payer: Int32, unsentLimit: Int = 8 << 20) throws {
            var ends: [Int32] = [-1, -1]
            try #require(
                socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0, &ends) == 0)
            end = ends[1]
            connection = try #require(
                Connection(ends[0], at: reception, unsentLimit: unsentLimit, payer: payer))
            connection.onMessage = { [unowned self, unowned reception] in
                received.append((String(decoding: $0, as: UTF8.self), reception.loop.turns))
            }
            connection.onEnd = { [unowned self] in ending = $0 }
        }

        deinit {
            connection.shut()
            close(end)
        }

        func say(_ texts: String...) throws {
            let bytes = texts.flatMap { text -> [UInt8] in Array(text.utf8) + [0] }
            let sent = bytes.withUnsafeBytes { send(end, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            try #require(sent == bytes.count)
        }

        func say(_ text: String, times: Int) throws {
            let bytes = [[UInt8]](repeating: Array(text.utf8) + [0], count: times).flatMap { $0 }
            let sent = bytes.withUnsafeBytes { send(end, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            try #require(sent == bytes.count)
        }
    }

    private let loop: EventLoop
    private let reception: Reception

    init() throws {
        loop = try EventLoop()
        reception = Reception(loop: loop)
    }

    /// Runs the loop until it has nothing left to do.
    private func runOut() {
        var turns: UInt64
        repeat {
            turns = loop.turns
            var isOver = false
            loop.onDeadline = { isOver = true }
            loop.deadline = EventLoop.now + .milliseconds(100)
            loop.run(until: { isOver })
            // The last iteration was caused by the deadline itself.
        } while loop.turns - turns > 1
    }

    private func perTurn(_ pairs: Pair...) -> [Int] {
        let turns = Dictionary(grouping: pairs.flatMap { $0.received.map(\.turn) }) { $0 }
        return turns.keys.sorted().compactMap { turns[$0]?.count }
    }

    @Test func aFloodIsLimitedAndAnotherPeerIsServedAtOnce() throws {
        let flood = try Pair(at: reception, payer: 1)
        try flood.say("flood", times: 500)
        let quiet = try Pair(at: reception, payer: 2)
        try quiet.say("quiet")
        runOut()
        #expect(flood.received.count == 500)
        #expect(perTurn(flood).allSatisfy { $0 <= 32 })
        let (first, quietTurn) = (try #require(flood.received.first), try #require(quiet.received.first).turn)
        #expect(quietTurn <= first.turn, "one message does not wait for the whole flood")
    }

    /// A message that comes during a flood is received in the same iteration in which it is noticed.
    @Test func aCallDuringAFloodIsServedInTheSameTurn() throws {
        let floods = try (1...20).map { try Pair(at: reception, payer: Int32($0)) }
        let quiet = try Pair(at: reception, payer: 100)
        for flood in floods { try flood.say("flood", times: 300) }
        var saidAt: UInt64 = 0
        let listen = floods[0].connection.onMessage
        floods[0].connection.onMessage = { [loop] in
            listen?($0)
            if floods[0].received.count == 100 {
                saidAt = loop.turns
                try? quiet.say("quiet")
            }
        }
        runOut()
        #expect(floods.allSatisfy { $0.received.count == 300 })
        #expect(quiet.received.first.map { $0.turn - saidAt <= 1 } == true)
        let last = floods.compactMap { $0.received.last?.turn }
        #expect(last.allSatisfy { $0 > saidAt + 1 }, "no flood was finished by then")
    }

    @Test func connectionsOfOneProcessShareItsTurn() throws {
        let pairs = try (1...10).map { _ in try Pair(at: reception, payer: 1) }
        for pair in pairs { try pair.say("flood", times: 40) }
        runOut()
        #expect(pairs.allSatisfy { $0.received.count == 40 })
        let turns = Dictionary(grouping: pairs.flatMap { $0.received.map(\.turn) }) { $0 }
        #expect(turns.values.allSatisfy { $0.count <= 32 })
    }

    /// A message that takes long ends its sender's turn.
    @Test func aMessageThatTakesLongEndsTheTurn() throws {
        let slow = try Pair(at: reception, payer: 1)
        let listen = slow.connection.onMessage
        slow.connection.onMessage = {
            listen?($0)
            let end = EventLoop.now + Reception.time
            while EventLoop.now < end {}
        }
        try slow.say("slow", times: 5)
        runOut()
        #expect(perTurn(slow) == [1, 1, 1, 1, 1])
    }

    @Test func withoutMessagesTheLoopWaits() throws {
        let pair = try Pair(at: reception, payer: 1)
        try pair.say("flood", times: 200)
        runOut()
        let turns = loop.turns
        runOut()
        #expect(loop.turns - turns <= 2, "woken only by the end of the test")
    }

    // MARK: Before it is known who it is

    @Test func anUnidentifiedPeerMaySendAKibibyte() throws {
        let pair = try Pair(at: reception, payer: 1)
        pair.connection.allowance = 1024
        try pair.say(String(repeating: "a", count: 1023))
        runOut()
        #expect(pair.received.count == 1 && pair.ending == nil)
        try pair.say("b")
        runOut()
        #expect(pair.received.count == 1 && pair.ending == .tooMuchUnknown)
    }

    @Test func theLargerAllowanceIsAskedForOnce() throws {
        let pair = try Pair(at: reception, payer: 1)
        var asked = 0
        pair.connection.allowance = 1024
        pair.connection.mayExceed = {
            asked += 1
            return 10_000
        }
        try pair.say(String(repeating: "a", count: 9000))
        runOut()
        #expect(pair.received.map(\.text.count) == [9000] && asked == 1)
        try pair.say(String(repeating: "a", count: 9000))
        runOut()
        #expect(pair.ending == .tooMuchUnknown && asked == 1)
    }

    @Test func bytesAfterTheIdentificationAreNotCounted() throws {
        let pair = try Pair(at: reception, payer: 1)
        pair.connection.allowance = 1024
        let listen = pair.connection.onMessage
        pair.connection.onMessage = { [unowned connection = pair.connection] in
            connection.allowance = nil
            listen?($0)
        }
        try pair.say("it is me", String(repeating: "a", count: 100_000))
        runOut()
        #expect(pair.received.map(\.text.count) == [8, 100_000] && pair.ending == nil)
    }

    // MARK: Bounds

    @Test func bytesCountInTheRateAsMessagesDo() {
        var rate = SpeechRate()
        let said: [(messages: Int, bytes: Int, second: Int64)] = [
            (20_000, 1023, 1), (0, 1, 1), (10_000, 10_000 << 10, 2), (1, 0, 2), (1, 0, 3),
        ]
        let exceeded = said.map { rate.isExceeded(by: $0.messages, bytes: $0.bytes, at: .seconds($0.second)) }
        #expect(exceeded == [false, true, false, true, false])
    }

    @Test func aPeerThatReadsNoAnswersIsNotServed() throws {
        let pair = try Pair(at: reception, payer: 1)
        let answer = [UInt8](repeating: 7, count: 10_000)
        pair.connection.onMessage = { [unowned pair] in
            pair.received.append((String(decoding: $0, as: UTF8.self), 0))
            pair.connection.send(answer)
        }
        try pair.say("call", times: 1000)
        runOut()
        let received = pair.received.count
        #expect(received < 1000 && pair.ending == nil)
        var got = 0
        var part = [UInt8](repeating: 0, count: 65536)
        // Each round empties the socket, so that more fits.
        for _ in 0..<10_000 where got < 1000 * answer.count {
            let count = recv(pair.end, &part, part.count, 0)
            if count > 0 { got += count } else { runOut() }
            try #require(pair.ending == nil)
        }
        #expect(got == 1000 * answer.count, "every call is answered once the answers are read")
        #expect(pair.received.count == 1000)
    }

    @Test func aPausedConnectionIsServedLaterAndItsEndNoticed() throws {
        let pair = try Pair(at: reception, payer: 1)
        let listen = pair.connection.onMessage
        pair.connection.onMessage = { [unowned connection = pair.connection] in
            connection.isPaused = true
            listen?($0)
        }
        try pair.say("one", "two", "three")
        runOut()
        #expect(pair.received.map(\.text) == ["one"])
        pair.connection.isPaused = false
        runOut()
        #expect(pair.received.map(\.text) == ["one", "two"])
        shutdown(pair.end, Int32(SHUT_RDWR))
        runOut()
        #expect(pair.ending == .peerClosed && pair.received.count == 2)
    }

    // MARK: Descriptors

    /// If the kernel does not refuse the descriptor, it is closed elsewhere, and its sender is cut off.
    @Test func aPassedDescriptorIsClosedElsewhere() throws {
        var later: [@Sendable () -> Void] = []
        let reception = Reception(loop: loop, receivesDescriptors: true, closing: { later.append($0) })
        let pair = try Pair(at: reception, payer: 1)
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { close(ends[0]) }
        let isPassed = passDescriptor(ends[1], at: pair.end)
        try #require(isPassed)
        close(ends[1])
        runOut()
        #expect(pair.ending == .descriptorsPassed && pair.received.isEmpty)
        var state = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
        #expect(poll(&state, 1, 0) == 0, "the event loop has not closed it")
        for work in later { work() }
        #expect(poll(&state, 1, 0) == 1 && Int32(state.revents) & POLLHUP != 0, "the other thread has closed it")
    }

    /// Sends a byte with a descriptor.
    private func passDescriptor(_ descriptor: Int32, at socket: Int32) -> Bool {
        // A header of 16 bytes, and the number.
        var control = [UInt64](repeating: 0, count: 3)
        return control.withUnsafeMutableBytes { control in
            control.storeBytes(of: 20, toByteOffset: 0, as: Int.self)
            control.storeBytes(of: Int32(SOL_SOCKET), toByteOffset: 8, as: Int32.self)
            control.storeBytes(of: 1, toByteOffset: 12, as: Int32.self)
            control.storeBytes(of: descriptor, toByteOffset: 16, as: Int32.self)
            var byte: UInt8 = 0x20
            return withUnsafeMutablePointer(to: &byte) { byte in
                var part = iovec(iov_base: byte, iov_len: 1)
                return withUnsafeMutablePointer(to: &part) { part in
                    var message = msghdr()
                    message.msg_iov = part
                    message.msg_iovlen = 1
                    message.msg_control = control.baseAddress
                    message.msg_controllen = control.count
                    return sendmsg(socket, &message, 0) == 1
                }
            }
        }
    }
}
