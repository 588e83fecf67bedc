import LifeCycleModel
import RoostPorts
import RoostWire
import Testing

@testable import RoostRuntime

/// A launch whose app's files are not ready waits for another thread. No other app waits with it.
@Suite(.serialized) struct LaunchFilesTests {
    /// The work for the other thread, which is the test itself.
    private final class Aside {
        var pieces: [@Sendable () -> Void] = []
    }

    private let aside = Aside()
    private let bench: Bench
    private let launch = LaunchID(app: AppID(2), number: 1)

    /// An app that runs, and another installed app whose files need some work.
    init() throws {
        let aside = aside
        bench = try Bench(aside: { aside.pieces.append($0) })
        bench.processes.preparations[launch] = [{ .success(()) }]
    }

    private func runOther() throws -> (callbacks: Peer, requests: Peer) {
        let (_, token) = try bench.launch("other")
        let other = try bench.connect(token)
        try bench.answer(other, until: .didBecomeActive)
        _ = try bench.ask(.install(path: "/a", replacing: false))
        bench.processes.residents = []
        return other
    }

    /// Sends the launch, and returns when its work was handed to the other thread.
    private func begin() throws -> Peer {
        let caller = try bench.peer(control: true)
        caller.send(ControlCall.launch(try bench.id("a")).encoded())
        bench.run(until: { !aside.pieces.isEmpty })
        return caller
    }

    /// Waits for the reply to a launch; nil if the launch is under way.
    private func failure(of caller: Peer) throws -> ControlFailure? {
        let reply = try ControlReply(VarlinkReply(caller.next()), to: .launch(bench.id("a")))
        return if case .failed(let failure) = reply { failure } else { nil }
    }

    private var isStarted: Bool { bench.log.calls.contains("start \(launch)") }

    @Test func onlyTheAppsOwnLaunchWaitsForItsFiles() throws {
        let other = try runOther()
        let caller = try begin()
        bench.processes.residents = [LaunchID(app: AppID(1), number: 1)]
        try bench.answer(other, until: .didEnterBackground)
        #expect(!isStarted)
        #expect(try !caller.hasMessage(), "the caller waits for the outcome of the launch")
        aside.pieces.removeFirst()()
        #expect(try failure(of: caller) == nil)
        #expect(isStarted && aside.pieces.isEmpty)
    }

    @Test func aFailedPreparationIsReportedToTheCaller() throws {
        let error = SystemError(
            doing: "grant an app access to its bundle", subject: "/a", errno: 30, reason: "Read-only")
        bench.processes.preparations[launch] = [{ .failure(error) }]
        _ = try runOther()
        let caller = try begin()
        aside.pieces.removeFirst()()
        let failure = try failure(of: caller)
        #expect(failure?.code == .systemFault)
        #expect(failure?.message == "cannot grant an app access to its bundle: /a: Read-only")
        #expect(!isStarted)
        #expect(bench.supervisor.startFailures.isEmpty)
        #expect(try bench.state("a") == .notRunning)
    }

    @Test func filesThatChangeAgainRefuseTheLaunch() throws {
        bench.processes.preparations[launch] = [{ .success(()) }, { .success(()) }]
        _ = try runOther()
        let caller = try begin()
        aside.pieces.removeFirst()()
        #expect(try failure(of: caller)?.message.contains("they were changed meanwhile") == true)
        #expect(!isStarted && aside.pieces.isEmpty)
    }

    @Test func anAppKilledDuringPreparationIsNotStarted() throws {
        _ = try runOther()
        let caller = try begin()
        _ = try bench.ask(.quit(bench.id("a")))
        _ = try failure(of: caller)
        aside.pieces.removeFirst()()
        _ = try bench.ask(.home)
        #expect(!isStarted)
        #expect(bench.supervisor.files.isEmpty)
        #expect(try bench.state("a") == .notRunning)
    }
}
