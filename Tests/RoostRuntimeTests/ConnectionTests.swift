import Foundation
import Glibc
import LifeCycleModel
import LifeCyclePolicy
import RoostWire
import Testing

@testable import RoostRuntime

struct ConnectionTests {
    /// A slow reader gets everything, and can then be sent to as before. The loop waits for room in the socket only
    /// while something is left to send.
    @Test func unsentBytesAreSentWhenThereIsRoom() throws {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0, &ends) == 0)
        defer { close(ends[1]) }
        let loop = try EventLoop()
        let connection = try #require(Connection(ends[0], at: Reception(loop: loop), unsentLimit: 8 << 20))
        defer { connection.shut() }
        var got = 0
        func read(until wanted: Int) throws {
            let end = EventLoop.now + .seconds(120)
            var part = [UInt8](repeating: 0, count: 65536)
            while got < wanted {
                try #require(EventLoop.now < end)
                let count = recv(ends[1], &part, part.count, 0)
                if count > 0 { got += count }
                loop.wakeUp.post {}
                var turns = 0
                loop.run(until: {
                    turns += 1
                    return turns > 1
                })
            }
        }
        let size = 2 << 20
        for round in 1...2 {
            connection.send([UInt8](repeating: 7, count: size))
            try read(until: round * (size + 1) - 1)
            connection.send([8])
            try read(until: round * (size + 1))
        }
        #expect(got == 2 * (size + 1))
    }
}

struct DecisionMemoryTests {
    @Test func theNewestTwoHundredAreKept() throws {
        let memory = DecisionMemory()
        let app = AppID(1)
        let name = try #require(BundleIdentifier("org.test.a"))
        for number in 1...1000 {
            let launch = LaunchID(app: app, number: Int32(number))
            memory.remember(Occurrence(what: .sent(.didBecomeActive, launch), time: .now, app: nil), about: app)
            let launches = memory.lines(about: app, name).compactMap(\.launch)
            #expect(launches == Array(Int32(max(1, number - 199))...Int32(number)))
        }
        #expect(memory.lastEnd(of: app, name) == nil)
        let end = Decision.launch(LaunchID(app: app, number: 1), .ended(.forceQuit, nil))
        memory.remember(Occurrence(what: .decided(end), time: .now, app: nil), about: app)
        #expect(memory.lastEnd(of: app, name) == "ended: the user swiped it away")
        memory.forget(app, name)
        #expect(memory.lines(about: app, name).isEmpty)
    }

    /// A hiker receives a position a second: the decisions before it must not vanish.
    @Test func ofARepeatedCallbackTheFirstAndTheNewestAreKept() throws {
        let path = FileManager.default.temporaryDirectory.path + "/roost-repeats-\(UUID().uuidString)"
        defer { unlink(path) }
        let memory = DecisionMemory(history: DecisionHistory(path: path))
        let app = AppID(1)
        let name = try #require(BundleIdentifier("org.test.a"))
        let launch = LaunchID(app: app, number: 1)
        func send(_ callback: Callback, at second: Int64) {
            let time = Moment(awake: .zero, elapsed: .zero, wall: .seconds(second))
            memory.remember(Occurrence(what: .sent(callback, launch), time: time, app: name), about: app)
        }
        let position = Callback.concern(.location(.updated([], by: .updates)))
        send(.didEnterBackground, at: 1)
        for second in 2...1000 as ClosedRange<Int64> { send(position, at: second) }
        send(.concern(.location(.paused)), at: 1001)
        send(position, at: 1002)
        let seconds = memory.lines(about: app, name).map { $0.time.rawValue / 1_000_000_000 }
        #expect(seconds == [1, 2, 1000, 1001, 1002])
        memory.write { Issue.record("\($0)") }
        let earlier = DecisionHistory(path: path).earlier(about: name)
        #expect(earlier.map { $0.time.rawValue / 1_000_000_000 } == [1, 2, 1001, 1002])
    }
}
