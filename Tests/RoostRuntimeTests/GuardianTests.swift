import Glibc
import LifeCycleModel
import LifeCyclePolicy
import RoostPorts
import RoostWire
import Testing

@testable import RoostRuntime

/// The supervisor with a guardian, and without one.
@Suite(.serialized) struct GuardianTests {
    /// A bench whose supervisor has a guardian, and the guardian's end of the connection.
    private func guarded() throws -> (bench: Bench, guardian: Int32) {
        let bench = try Bench()
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue) | O_CLOEXEC, 0, &ends) == 0)
        try bench.supervisor.watchGuardian(pid: 7, at: ends[0])
        return (bench, ends[1])
    }

    @Test func withoutAGuardianARestartIsRefused() throws {
        let bench = try Bench()
        guard case .failed(let failure) = try bench.ask(.restart) else {
            Issue.record("the restart was not refused")
            return
        }
        #expect(failure.code == .refused)
        #expect(bench.supervisor.ending == .shutDown)
    }

    @Test func restartLeavesAppsAlone() throws {
        let (bench, guardian) = try guarded()
        defer { close(guardian) }
        _ = try bench.launch("a")
        let status = try #require(try bench.ask(.status).status)
        #expect(status.guardian == 7)
        let calls = bench.log.calls.count
        #expect(try bench.ask(.restart) == .restarting)
        #expect(bench.supervisor.ending == .restart)
        #expect(!bench.log.calls.dropFirst(calls).contains { $0.hasPrefix("kill") || $0.hasPrefix("thaw") })
    }

    @Test func pendingRecordsAreWrittenBeforeARestart() throws {
        let (bench, guardian) = try guarded()
        defer { close(guardian) }
        bench.store.failure = SystemError(doing: "write", subject: "store", errno: 28, reason: "No space left")
        _ = try bench.ask(.install(path: "/a", replacing: false))
        guard case .failed(let failure) = try bench.ask(.restart) else {
            Issue.record("the restart was not refused")
            return
        }
        #expect(failure.code == .systemFault)
        #expect(bench.supervisor.ending == .shutDown)
        bench.store.failure = nil
        #expect(try bench.ask(.restart) == .restarting)
        #expect(bench.store.changes.contains { if case .record(.app) = $0 { true } else { false } })
    }

    @Test func aGuardianThatDiesIsNoticed() throws {
        let (bench, guardian) = try guarded()
        bench.run(until: { true })
        #expect(bench.supervisor.ending == .shutDown)
        close(guardian)
        bench.run(until: { bench.supervisor.ending == .guardianLost })
    }

    @Test func everySignalHasItsMeaning() {
        for number in [SIGTERM, SIGINT, SIGHUP] { #expect(SupervisorSignal(number: number) == .shutDown) }
        #expect(SupervisorSignal(number: SIGPWR) == .deviceShutsDown)
        #expect(SupervisorSignal(number: SIGUSR1) == nil)
        #expect(Set(Supervisor.endingSignals) == [SIGTERM, SIGINT, SIGHUP, SIGPWR])
    }
}
