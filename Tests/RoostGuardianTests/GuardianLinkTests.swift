import Dispatch
import Glibc
import LifeCycleModel
import RoostPorts
import Synchronization
import Testing

@testable import RoostGuardian

@Suite struct GuardianLinkTests {
    private func ends(
        patience: Nanoseconds = .milliseconds(1)
    ) throws -> (ours: PacketSocket, link: GuardianLink) {
        let (ours, theirs) = try #require(PacketSocket.pair())
        return (ours, try GuardianLink(taking: theirs.descriptor, patience: patience))
    }

    /// The guardian answers on its own thread, because tests that wait may occupy the whole pool.
    @Test func asksAndIsAnswered() throws {
        let (ours, link) = try ends(patience: .seconds(30))
        defer { ours.close() }
        let guardian = DispatchQueue(label: "guardian")
        let asked = Mutex<PacketSocket.Received?>(nil)
        let answering = DispatchGroup()
        guardian.async(group: answering) {
            var wait = pollfd(fd: ours.descriptor, events: Int16(POLLIN), revents: 0)
            poll(&wait, 1, 30_000)
            let question = ours.receive()
            asked.withLock { $0 = question }
            // The late answer to another question comes first. Each answer is matched to its question.
            let entries = [6, 5].map { ExitLedger.Entry(pid: 7, startTime: $0, status: .exited(code: Int32($0))) }
            for entry in entries { ours.send(.answered(pid: 7, entry)) }
        }
        #expect(link.exitStatus(pid: 7, startTime: 5) == .exited(code: 5))
        answering.wait()
        #expect(asked.withLock { $0 } == .message(.asked(pid: 7, startTime: 5)))
    }

    @Test func unansweredQuestionsAreUnknown() throws {
        let (ours, link) = try ends()
        #expect(link.exitStatus(pid: 7, startTime: 5) == .unknown)
        #expect(ours.receive() == .message(.asked(pid: 7, startTime: 5)))
        // This answer comes late, and is not taken for the answer to the next question.
        ours.send(.answered(pid: 7, ExitLedger.Entry(pid: 7, startTime: 5, status: .exited(code: 1))))
        #expect(link.exitStatus(pid: 8, startTime: 6) == .unknown)
        ours.close()
        #expect(link.exitStatus(pid: 9, startTime: 6) == .unknown)
        #expect(link.startTimeOfLast(pid: 9) == nil)
    }

    @Test func reportsReadiness() throws {
        let (ours, link) = try ends()
        defer { ours.close() }
        link.isReady(system: "0123456789ab")
        #expect(ours.receive() == .message(.ready(system: "0123456789ab")))
        #expect(ours.receive() == .nothing)
    }

    @Test func refusesDescriptorsOfNoGuardian() throws {
        let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        #expect(throws: SystemError.self) { try GuardianLink(taking: file) }
        #expect(throws: SystemError.self) { try GuardianLink(taking: -1) }
    }
}
