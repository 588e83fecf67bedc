import Dispatch
import Glibc
import LifeCycleModel
import RoostPorts
import Synchronization
import Testing

@testable import RoostTransfers

/// Name servers that do not answer.
@Suite struct NameTests {
    /// A lookup waits until the test releases it.
    private final class SilentNames: Sendable {
        private let asked = Mutex(0)
        private let someoneAsks = DispatchSemaphore(value: 0)
        private let gate = DispatchSemaphore(value: 0)

        func ask(_ host: String) -> Int32 {
            asked.withLock { $0 += 1 }
            someoneAsks.signal()
            gate.wait()
            return EAI_AGAIN
        }

        func waitUntilAsked(_ count: Int) -> Bool {
            (0..<count).allSatisfy { _ in someoneAsks.wait(timeout: .now() + 120) == .success }
        }

        func letGo(_ count: Int) { for _ in 0..<count { gate.signal() } }
    }

    /// More lookups than there are threads for writing. The writing is not delayed.
    @Test func silentNamesHoldUpNothingElse() throws {
        let server = try BadServer()
        let names = SilentNames()
        let rig = try Rig(makingEngine: { options in try HTTPTransferEngine(options, askingNamesBy: names.ask) })
        for number in 1...8 as ClosedRange<Int64> { rig.begin("http://no.such.host.invalid/", number) }
        try #require(names.waitUntilAsked(8))
        rig.begin(server.url("/good", ["size": "3000000", "etag": "\"a\""]), 9)
        #expect(try rig.end(of: 9, seconds: 20).size == 3_000_000)
        #expect(rig.bytes(9) == BadServer.content(3_000_000))
        // A transfer that is stopped meanwhile does not wait for its name.
        rig.engine.stop(Rig.id(8))
        #expect(try rig.end(of: 8, seconds: 20) == .stopped(nil))
        names.letGo(8)
        for number in 1...7 as ClosedRange<Int64> {
            let problem = try #require(try rig.end(of: number).problem)
            #expect(problem.code == -1003 && problem.isRetryable)
        }
    }
}

/// The reports of failed system calls.
@Suite struct DiskProblemTests {
    @Test(arguments: [
        (ENOSPC, true, true), (EDQUOT, true, true), (EMFILE, true, false), (ENFILE, true, false), (ENOMEM, true, false),
        (EIO, false, false), (EROFS, false, false), (EACCES, false, false),
    ])
    func transientDiskErrorsAreRetryable(code: Int32, isRetryable: Bool, isForLackOfRoom: Bool) {
        let problem = TransferProblem.disk(
            SystemError(doing: "create a transfer's file", subject: "/x", errno: code), url: "http://x/")
        #expect(problem.isRetryable == isRetryable)
        #expect(problem.isForLackOfRoom == isForLackOfRoom)
    }
}
