import CRoost
import Glibc
import LifeCycleModel
import RoostPorts
import Testing

@testable import RoostLinux

/// Kept sockets with real connections over loopback.
@Suite struct SocketWatchTests {
    private static let launch = LaunchID(app: AppID(1), number: 1)

    /// A watch of sockets of this process, or of another.
    private final class Watch {
        let sockets: LinuxSockets
        private let own: ProcessHandle
        private var reports: [SocketInput] = []

        init(aside: ((@escaping @Sendable () -> Void) -> Void)? = nil) throws {
            let threads = try WorkerThread("test", count: 2)
            sockets = try LinuxSockets(aside: aside ?? { threads.post($0) })
            let process = peer(getpid())
            own = ProcessHandle(pid: process.pid, descriptor: try #require(process.descriptor), startTime: 0)
        }

        deinit { close(own.descriptor) }

        func perform(_ output: SocketOutput, on process: ProcessHandle? = nil) {
            sockets.perform(output, on: process ?? own)
        }

        /// The next report, in order.
        func next() throws -> SocketInput {
            while reports.isEmpty {
                try #require(poll(sockets.descriptor, POLLIN), "there is no report")
                reports = sockets.takeReports()
            }
            return reports.removeFirst()
        }

        var hasReport: Bool {
            if reports.isEmpty { reports = sockets.takeReports() }
            return !reports.isEmpty
        }

        /// Takes a socket, and returns why it was not taken.
        func take(
            _ descriptor: Int32, as id: SocketID? = nil, of launch: LaunchID = SocketWatchTests.launch,
            from process: ProcessHandle? = nil
        ) throws -> SocketFailure? {
            let socket = KeptSocket(id: id ?? socketID(descriptor), descriptor: descriptor)
            perform(.take(launch, socket), on: process)
            guard case .taken(launch, socket.id, let failure) = try next() else {
                throw Bench.Missing(name: "the report of the take")
            }
            return failure
        }
    }

    private func readable(_ id: SocketID, isOver: Bool = false) -> SocketInput {
        .readable(Self.launch, id, isOver: isOver)
    }

    // MARK: The watch

    @Test func dataIsReportedOnceForEachWatch() throws {
        let (watch, connection) = (try Watch(), try Connection())
        let id = socketID(connection.app)
        #expect(try watch.take(connection.app) == nil)
        try connection.send()
        #expect(!watch.hasReport, "the socket is not watched")
        // Data that has arrived before counts.
        watch.perform(.watch(Self.launch))
        #expect(try watch.next() == readable(id))
        try connection.send()
        #expect(!watch.hasReport, "the watch has reported")
        #expect(!poll(watch.sockets.descriptor, POLLIN, milliseconds: 0), "more data does not wake the loop")
        watch.perform(.watch(Self.launch))
        #expect(try watch.next() == readable(id))
        var bytes = [UInt8](repeating: 0, count: 8)
        #expect(recv(connection.app, &bytes, bytes.count, Int32(MSG_DONTWAIT)) == 2, "nothing was read")
        watch.perform(.watch(Self.launch))
        #expect(!watch.hasReport)
        try connection.send()
        #expect(try watch.next() == readable(id))
    }

    /// An app that could not read the data yet is woken again. But one byte that an app leaves does not wake it without
    /// end.
    @Test func dataThatIsLeftIsReportedThreeTimes() throws {
        let (watch, connection) = (try Watch(), try Connection())
        let id = socketID(connection.app)
        #expect(try watch.take(connection.app) == nil)
        for isSentBefore in [true, false] {
            if isSentBefore { try connection.send() }
            watch.perform(.watch(Self.launch))
            if !isSentBefore { try connection.send() }
            #expect(try watch.next() == readable(id))
            for isReported in [true, true, false, false] {
                watch.perform(.unwatch(Self.launch))
                watch.perform(.watch(Self.launch))
                #expect(watch.hasReport == isReported)
                if isReported { #expect(try watch.next() == readable(id)) }
            }
            watch.perform(.unwatch(Self.launch))
        }
        connection.closePeer()
        watch.perform(.watch(Self.launch))
        #expect(try watch.next() == readable(id, isOver: true))
    }

    @Test func withoutAWatchNothingIsReported() throws {
        let (watch, connection, later) = (try Watch(), try Connection(), try Connection())
        #expect(try watch.take(connection.app) == nil)
        watch.perform(.watch(Self.launch))
        try connection.send()
        // The event is there already, and was not taken.
        watch.perform(.unwatch(Self.launch))
        #expect(!watch.hasReport)
        watch.perform(.watch(Self.launch))
        #expect(try watch.next() == readable(socketID(connection.app)))
        // The watch is also for a socket that is taken later.
        try later.send()
        #expect(try watch.take(later.app) == nil)
        #expect(try watch.next() == readable(socketID(later.app)))
        let other = LaunchID(app: AppID(2), number: 1)
        #expect(try watch.take(later.app, of: other) == nil)
        #expect(!watch.hasReport, "the other launch is not watched")
    }

    enum End: CaseIterable { case close, shutdown, reset, dataFirst }

    @Test(arguments: End.allCases) func theEndOfTheConnectionIsReported(_ end: End) throws {
        let (watch, connection) = (try Watch(), try Connection())
        #expect(try watch.take(connection.app) == nil)
        watch.perform(.watch(Self.launch))
        switch end {
        case .close: connection.closePeer()
        case .shutdown: try #require(shutdown(connection.peer, Int32(SHUT_WR)) == 0)
        case .reset:
            try connection.resetAtEnd()
            connection.closePeer()
        case .dataFirst:
            try connection.send()
            #expect(try watch.next() == readable(socketID(connection.app)))
            connection.closePeer()
            watch.perform(.watch(Self.launch))
        }
        #expect(try watch.next() == readable(socketID(connection.app), isOver: true))
        #expect(!watch.hasReport)
    }

    /// Each of 400 apps keeps a socket, and closes its own descriptor.
    @Test func manySocketsAreWatched() throws {
        let (watch, server) = (try Watch(), try LoopbackServer())
        var expected: Set<SocketInput> = []
        for app in 1...Int32(400) {
            let launch = LaunchID(app: AppID(app), number: 1)
            let descriptor = try server.connected()
            expected.insert(.readable(launch, socketID(descriptor), isOver: true))
            #expect(try watch.take(descriptor, of: launch) == nil)
            close(descriptor)
            watch.perform(.watch(launch))
        }
        #expect(!watch.hasReport)
        for _ in 1...400 { close(try server.accepted()) }
        for _ in 1...400 {
            let report = try watch.next()
            #expect(expected.contains(report))
            expected.remove(report)
        }
        #expect(!watch.hasReport && expected.isEmpty)
    }

    // MARK: Taking

    @Test func onlyAConnectedTCPSocketIsTaken() throws {
        let (watch, connection, server) = (try Watch(), try Connection(), try LoopbackServer())
        var (pipe, pair): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        try #require(Glibc.pipe(&pipe) == 0)
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        let udp = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        let (file, unconnected) = (open("/dev/null", O_RDONLY | O_CLOEXEC), tcpSocket())
        defer { for descriptor in pipe + pair + [udp, file, unconnected] { close(descriptor) } }
        for other in [pipe[0], file] {
            #expect(try watch.take(other, as: socketID(connection.app)) == .notTCP)
        }
        for socket in [pair[0], udp] { #expect(try watch.take(socket) == .notTCP) }
        for socket in [server.descriptor, unconnected] { #expect(try watch.take(socket) == .notConnected) }
        #expect(try watch.take(connection.app, as: SocketID(rawValue: 1 << 62)) == .notOpen)
        #expect(try watch.take(-1, as: socketID(connection.app)) == .notOpen)
        #expect(try watch.take(Int32.max, as: socketID(connection.app)) == .notOpen)
        // The peer has ended its side only.
        try #require(shutdown(connection.peer, Int32(SHUT_WR)) == 0)
        #expect(try watch.take(connection.app) == nil)
    }

    @Test func aProcessThatIsGoneHasNoSockets() throws {
        let (watch, bench) = (try Watch(), try Bench(signals: true))
        let (_, handle) = try bench.shell("exit 0")
        try #require(poll(handle.descriptor, POLLIN))
        let id = SocketID(rawValue: 1)
        // Before Linux 6.9 the kernel says the same of a descriptor that is not open.
        let failure = try watch.take(3, as: id, from: handle)
        #expect(failure == .unavailable || failure == .notOpen)
        watch.sockets.perform(.take(Self.launch, KeptSocket(id: id, descriptor: 3)), on: nil)
        #expect(try watch.next() == .taken(Self.launch, id, .unavailable))
    }

    /// The app's process is another one, and does not run. After its end, the duplicate keeps the connection open.
    @Test func thePeerSeesTheEndOnceTheDuplicateIsClosed() throws {
        let (watch, bench, connection) = (try Watch(), try Bench(signals: true), try Connection())
        let id = socketID(connection.app)
        let (launch, handle) = try bench.start("/bin/sleep", ["60"], passing: connection.app)
        connection.closeApp()
        _ = try bench.freeze(launch)
        #expect(try watch.take(3, as: id, from: handle) == nil)
        watch.perform(.watch(Self.launch))
        #expect(write(connection.peer, "x", 1) == 1)
        #expect(try watch.next() == readable(id))
        try bench.processes.kill(launch)
        #expect(try bench.exit(launch, handle) == .signaled(SIGKILL))
        #expect(!connection.hasEnded)
        watch.perform(.close(Self.launch, id))
        #expect(eventually { !watch.hasReport && connection.hasEnded })
    }

    @Test func aSocketThatIsTakenAgainHasOneDuplicate() throws {
        let (watch, connection) = (try Watch(), try Connection())
        let id = socketID(connection.app)
        #expect(try watch.take(connection.app) == nil)
        #expect(try watch.take(connection.app) == nil)
        watch.perform(.watch(Self.launch))
        try connection.send()
        #expect(try watch.next() == readable(id))
        #expect(!watch.hasReport)
        connection.closeApp()
        watch.perform(.close(Self.launch, id))
        #expect(eventually { !watch.hasReport && connection.hasEnded })
    }

    // MARK: Closing

    /// The closing would take hours. The single thread for it is free at once.
    @Test func aSocketThatLingersIsClosedAtOnce() throws {
        let thread = try WorkerThread("test")
        let (watch, lingering, other) = (try Watch { thread.post($0) }, try Connection(), try Connection())
        try lingering.linger()
        for connection in [lingering, other] {
            let id = socketID(connection.app)
            #expect(try watch.take(connection.app) == nil)
            connection.closeApp()
            watch.perform(.close(Self.launch, id))
        }
        #expect(eventually { !watch.hasReport && other.hasEnded })
        #expect(eventually { lingering.hasEnded }, "what the app has sent arrives")
    }

    /// A duplicate may be anything, so that closing it may hang.
    @Test func everythingIsClosedOnOtherThreads() throws {
        let work = HeldWork()
        let (watch, connection) = (try Watch { work.add($0) }, try Connection())
        var pipe: [Int32] = [-1, -1]
        try #require(Glibc.pipe(&pipe) == 0)
        defer { close(pipe[0]) }
        let (none, id) = (SocketID(rawValue: 1), socketID(connection.app))
        watch.perform(.take(Self.launch, KeptSocket(id: none, descriptor: pipe[1])))
        watch.perform(.take(Self.launch, KeptSocket(id: id, descriptor: connection.app)))
        #expect(!watch.hasReport)
        #expect(work.doAll() == 1)
        #expect(try watch.next() == .taken(Self.launch, none, .notTCP))
        #expect(work.doAll() == 1)
        #expect(try watch.next() == .taken(Self.launch, id, nil))
        close(pipe[1])
        #expect(poll(pipe[0], POLLHUP), "the duplicate of the pipe is closed")
        connection.closeApp()
        watch.perform(.close(Self.launch, id))
        #expect(!connection.hasEnded)
        #expect(work.doAll() == 1)
        #expect(eventually { !watch.hasReport && connection.hasEnded })
    }

    /// The app has dropped the socket, or has ended, before the duplicate was there.
    @Test func aSocketIsClosedWhileItIsBeingTaken() throws {
        let work = HeldWork()
        let (watch, connection) = (try Watch { work.add($0) }, try Connection())
        let socket = KeptSocket(id: socketID(connection.app), descriptor: connection.app)
        watch.perform(.take(Self.launch, socket))
        watch.perform(.close(Self.launch, socket.id))
        work.doAll()
        #expect(!watch.hasReport)
        connection.closeApp()
        #expect(!connection.hasEnded)
        #expect(work.doAll() == 1)
        #expect(eventually { !watch.hasReport && connection.hasEnded })
    }

    /// Work that hangs delays its own app only.
    @Test func onePieceOfWorkOfAnAppIsUnderWay() throws {
        let work = HeldWork()
        let (watch, connection) = (try Watch { work.add($0) }, try Connection())
        let socket = KeptSocket(id: socketID(connection.app), descriptor: connection.app)
        for number in 1...Int32(100) {
            let launch = LaunchID(app: Self.launch.app, number: number)
            watch.perform(.take(launch, socket))
            if number < 100 { watch.perform(.close(launch, socket.id)) }
        }
        let other = LaunchID(app: AppID(2), number: 1)
        watch.perform(.take(other, socket))
        #expect(work.doAll() == 2, "the takes of closed sockets never begin")
        #expect(try watch.next() == .taken(other, socket.id, nil))
        #expect(!watch.hasReport)
        #expect(work.doAll() == 1)
        #expect(try watch.next() == .taken(LaunchID(app: AppID(1), number: 100), socket.id, nil))
        #expect(!watch.hasReport)
        #expect(work.doAll() == 1, "the first duplicate is closed")
        #expect(!watch.hasReport && work.doAll() == 0)
    }

    @Test func theEndOfTheWatchClosesAll() throws {
        let (connection, late) = (try Connection(), try Connection())
        let work = HeldWork()
        do {
            let watch = try Watch { work.add($0) }
            watch.perform(.take(Self.launch, KeptSocket(id: socketID(late.app), descriptor: late.app)))
        }
        do {
            let watch = try Watch()
            #expect(try watch.take(connection.app) == nil)
        }
        connection.closeApp()
        #expect(eventually { connection.hasEnded })
        // The take begins after the end.
        #expect(work.doAll() == 1)
        late.closeApp()
        #expect(eventually { late.hasEnded })
    }
}
