import LifeCycleModel
import RoostPorts
import RoostWire
import Testing

@testable import RoostRuntime

/// Kept sockets between the apps, the brain and the watch.
@Suite(.serialized) struct SocketTests {
    private static let socket = KeptSocket(id: SocketID(rawValue: 9), descriptor: 5)
    private static let full = SystemError(doing: "write", subject: "store", errno: 28, reason: "No space left")

    /// A system with an app in the foreground that declares the mode `voip`.
    private func openPhone(
        _ sockets: FakeSockets?
    ) throws -> (bench: Bench, launch: LaunchID, app: (callbacks: Peer, requests: Peer)) {
        let bench = try Bench(sockets: sockets)
        let (launch, token) = try bench.launch("phone")
        let app = try bench.connect(token)
        try bench.answer(app, until: .didBecomeActive)
        return (bench, launch, app)
    }

    private func answer(_ app: (callbacks: Peer, requests: Peer)) throws -> SystemMessage {
        try SystemMessage(VarlinkReply(app.callbacks.next()))
    }

    @Test func dataThawsTheApp() throws {
        let sockets = try FakeSockets()
        let (bench, launch, app) = try openPhone(sockets)
        app.requests.send(.concern(.socket(.keep(Self.socket))))
        bench.run(until: { !sockets.work.isEmpty })
        let first = try #require(sockets.work.first)
        #expect(first.output == .take(launch, Self.socket) && first.pid == 1001)
        sockets.report(.taken(launch, Self.socket.id, nil))
        #expect(try answer(app) == .concern(.socket(.kept(Self.socket.id, nil))))
        _ = try bench.ask(.home)
        try bench.answer(app, until: .didEnterBackground)
        bench.run(until: { sockets.work.last?.output == .watch(launch) })
        #expect(try bench.state("phone") == .suspended)
        sockets.report(.readable(launch, Self.socket.id, isOver: true))
        bench.run(until: { bench.log.calls.contains("thaw \(launch)") })
        #expect(Set(sockets.work.map(\.output)).isSuperset(of: [.close(launch, Self.socket.id), .unwatch(launch)]))
    }

    @Test func aLaunchThatEndsHasNoSockets() throws {
        let sockets = try FakeSockets()
        let (bench, launch, app) = try openPhone(sockets)
        app.requests.send(.concern(.socket(.keep(Self.socket))))
        bench.run(until: { !sockets.work.isEmpty })
        bench.processes.exit(launch, .exited(code: 0))
        bench.run(until: { sockets.work.last?.output == .close(launch, Self.socket.id) })
        #expect(sockets.work.last?.pid == nil)
    }

    @Test func withoutAWatchNoSocketIsKept() throws {
        let (_, _, app) = try openPhone(nil)
        app.requests.send(.concern(.socket(.keep(Self.socket))))
        #expect(try answer(app) == .concern(.socket(.kept(Self.socket.id, .unavailable))))
    }

    /// A crash of the system would lose the socket.
    @Test func theAppIsAnsweredOnceTheRecordIsOnDisk() throws {
        let sockets = try FakeSockets()
        let (bench, launch, app) = try openPhone(sockets)
        bench.store.failure = Self.full
        app.requests.send(.concern(.socket(.keep(Self.socket))))
        bench.run(until: { !sockets.work.isEmpty })
        sockets.report(.taken(launch, Self.socket.id, nil))
        _ = try bench.ask(.list)
        #expect(try !app.callbacks.hasMessage())
        bench.store.failure = nil
        #expect(try answer(app) == .concern(.socket(.kept(Self.socket.id, nil))))
    }
}
