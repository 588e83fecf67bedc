import LifeCycleModel
import LifeCyclePolicy
import Testing

/// Deaths of the process that carries transfers.
@Suite struct CarrierDeathTests {
    private static let death: TransferProblem = {
        var problem = TransferProblem(code: -997, reason: "the process ended", isRetryable: true)
        problem.isCarriersEnd = true
        return problem
    }()

    /// Ends the running attempt by a death of the carrier, and waits until the next attempt runs.
    private func dies(_ bench: inout Bench, round: Int64) -> [TransferFailure] {
        let attempt = bench.attempt(transfer(1))
        bench.tell(.responded(transfer(1), attempt: attempt, offset: 0, expected: 1000))
        let failures = bench.tell(.failed(transfer(1), attempt: attempt, Self.death)).failures
        _ = bench.passes(seconds(round * 1000))
        return failures
    }

    /// A transfer fails at the third death in a row. After the first death it is carried alone.
    @Test func threeInARow() {
        var bench = Bench.withSession()
        bench.download(1)
        #expect(bench.device.transferJob(of: transfer(1))?.isSuspect == false)
        for round in 1...2 as ClosedRange<Int64> {
            #expect(dies(&bench, round: round).isEmpty)
            #expect(bench.device.transferJob(of: transfer(1))?.isSuspect == true)
        }
        #expect(dies(&bench, round: 3).map(\.code) == [-997])
        #expect(!bench.isRunning(transfer(1)))
    }

    /// A transfer that did not cause the deaths continues. A byte on the disk ends a row of deaths, and so does another
    /// failure.
    @Test(arguments: [true, false]) func aRowEnds(byBytes: Bool) {
        var bench = Bench.withSession()
        bench.download(1)
        for round in 1...12 as ClosedRange<Int64> {
            if round % 2 == 0 {
                let attempt = bench.attempt(transfer(1))
                if byBytes {
                    bench.tell(.checkpointed(transfer(1), attempt: attempt, checkpoint(1)))
                } else {
                    let problem = TransferProblem(code: -1005, reason: "lost", isRetryable: true)
                    #expect(bench.tell(.failed(transfer(1), attempt: attempt, problem)).failures.isEmpty)
                    _ = bench.passes(seconds(round * 1000))
                }
                #expect(bench.device.transferJob(of: transfer(1))?.isSuspect == false)
            }
            #expect(dies(&bench, round: round).isEmpty)
            #expect(bench.isRunning(transfer(1)))
        }
    }

    /// A checkpoint with a version and no bytes is no progress: a server could cause one at each attempt.
    @Test func noBytesAreNoProgress() {
        var bench = Bench.withSession()
        bench.download(1)
        for round in 1...2 as ClosedRange<Int64> {
            bench.tell(.checkpointed(transfer(1), attempt: bench.attempt(transfer(1)), checkpoint(0)))
            #expect(dies(&bench, round: round).isEmpty)
        }
        bench.tell(.checkpointed(transfer(1), attempt: bench.attempt(transfer(1)), checkpoint(0)))
        #expect(dies(&bench, round: 3).map(\.code) == [-997])
    }
}
