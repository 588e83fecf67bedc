import LifeCycleModel
import LifeCyclePolicy
import Testing

/// Failures that are retried only a few times, and failures that pass.
@Suite struct WastedAttemptTests {
    /// The server contradicts itself, so each attempt receives all bytes again and throws them away.
    @Test func wastedAttemptsAreLimited() {
        var bench = Bench.withSession()
        bench.download(1)
        var problem = TransferProblem(code: -1011, reason: "more than announced", isRetryable: true)
        problem.wastesBytes = true
        for round in 1...3 as ClosedRange<Int64> {
            let attempt = bench.attempt(transfer(1))
            // Progress between the failures makes no difference: each attempt begins again and receives many bytes.
            bench.tell(.responded(transfer(1), attempt: attempt, offset: 0, expected: 1000))
            bench.tell(.checkpointed(transfer(1), attempt: attempt, checkpoint(900)))
            let failures = bench.tell(.failed(transfer(1), attempt: attempt, problem)).failures
            #expect(failures.map(\.code) == (round == 3 ? [-1011] : []))
            guard round < 3 else { break }
            #expect(bench.wait(transfer(1)) == .retry)
            _ = bench.passes(seconds(round * 1000))
            #expect(bench.isRunning(transfer(1)))
        }
        #expect(!bench.isRunning(transfer(1)))
    }

    /// Descriptors and memory become available again, as disk space does: EMFILE, ENFILE, ENOMEM.
    @Test(arguments: [24, 23, 12] as [Int32]) func aCompleteFileWaitsForScarceResources(errno: Int32) {
        var bench = Bench.withSession()
        bench.download(1)
        bench.tell(.completed(transfer(1), attempt: bench.attempt(transfer(1)), response, size: 9))
        let received = bench.tell(.moved(transfer(1), errno: errno))
        #expect(received.outcomes.isEmpty && received.failures.isEmpty)
        let count = bench.effects.count
        _ = bench.passes(seconds(1))
        #expect(bench.effects[count...].contains(.concern(.transfer(.move(transfer(1))))))
    }
}
