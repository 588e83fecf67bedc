import LifeCycleModel
import LifeCyclePolicy
import Testing

/// Failed attempts, and the waits after them.
@Suite struct RetryTests {
    /// The waits after each of `count` failures, in seconds.
    private func waits(_ count: Int, _ problem: (Int) -> TransferProblem) -> [Int64] {
        var bench = Bench.withSession()
        bench.download(1)
        return (0..<count).map { index in
            let failed = bench.tell(.failed(transfer(1), attempt: bench.attempt(transfer(1)), problem(index)))
            #expect(failed.begun.isEmpty && failed.outcomes.isEmpty)
            let deadline = bench.device.nextDeadline?.at ?? .zero
            let length = deadline - bench.now.awake
            _ = bench.passes(length)
            #expect(bench.isRunning(transfer(1)))
            return length.rawValue / 1_000_000_000
        }
    }

    @Test func eachFailureDoublesTheWait() {
        #expect(waits(12) { _ in transientProblem() } == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600])
    }

    @Test func progressResetsTheRetryDelay() {
        #expect(waits(4) { transientProblem($0 == 2 ? checkpoint(10) : nil) } == [1, 2, 1, 2])
    }

    @Test func aServerThatAsksIsLeftAlone() {
        #expect(waits(2) { _ in transientProblem(retryAfter: seconds(100)) } == [100, 100])
        #expect(waits(2) { _ in transientProblem(retryAfter: seconds(-5)) } == [1, 2])
    }

    /// After a restart of the system, for example for an update, a server is not asked sooner than before.
    @Test(arguments: [true, false]) func aWaitOutlivesARestart(isAsked: Bool) {
        var bench = Bench.withSession()
        bench.download(1)
        bench.tell(
            .failed(
                transfer(1), attempt: bench.attempt(transfer(1)),
                transientProblem(retryAfter: isAsked ? seconds(100) : nil)))
        if !isAsked {
            for _ in 0..<6 {
                _ = bench.passes((bench.device.nextDeadline?.at ?? .zero) - bench.now.awake)
                bench.tell(.failed(transfer(1), attempt: bench.attempt(transfer(1)), transientProblem()))
            }
        }
        let (wait, until) = (bench.wait(transfer(1)), bench.device.nextDeadline)
        let since = bench.device.transferSnapshot(of: transfer(1))?.since
        bench.now = bench.now.advanced(by: seconds(10))
        bench.restartsAndStarts()
        _ = bench.plays()
        #expect(bench.wait(transfer(1)) == wait && wait == (isAsked ? .server : .retry))
        #expect(bench.device.nextDeadline == until)
        #expect(bench.device.transferSnapshot(of: transfer(1))?.since == since)
        bench.now = bench.now.advanced(by: seconds(1000))
        bench.restartsAndStarts()
        #expect(bench.isRunning(transfer(1)), "the wait is over")
    }

    /// The start of a wait is still known after a restart. A wait that ended while the system was down ended at its own
    /// time.
    @Test func sinceWhenItWaitsIsKnownAfterARestart() {
        var bench = Bench.withSession(.active, Policy.iOS26.with { $0.transfersAtOnce = 1 })
        let since = { (bench: Bench, number: Int64) in bench.device.transferSnapshot(of: transfer(number))?.since }
        _ = bench.passes(seconds(100))
        bench.download(1)
        bench.download(2)
        bench.act(.make(NewTransfer(number: 3, request: TransferRequest(url: "https://example.org/3"))))
        _ = bench.passes(seconds(50))
        _ = bench.does(.device(.settingChanged(.network(.none))))
        bench.engineStops(transfer(1))
        _ = bench.passes(seconds(50))
        bench.restartsAndStarts()
        #expect([1, 2, 3].map { since(bench, $0) } == [at(150), at(150), at(100)])
        _ = bench.plays()
        bench.open()
        _ = bench.does(.device(.settingChanged(.network(.wifi))))
        bench.tell(.failed(transfer(1), attempt: bench.attempt(transfer(1)), transientProblem(retryAfter: seconds(30))))
        bench.act(.setPriority(1, 100))
        bench.now = bench.now.advanced(by: seconds(70))
        bench.restartsAndStarts()
        #expect(bench.isRunning(transfer(2)) && bench.wait(transfer(1)) == .turn)
        #expect(since(bench, 1) == at(230))
    }

    @Test func aCheckpointIsPersistedAndResumed() {
        var bench = Bench.withSession()
        bench.download(1)
        bench.tell(.checkpointed(transfer(1), attempt: bench.attempt(transfer(1)), checkpoint(64)))
        #expect(bench.transfersOnDisk[transfer(1)]?.checkpoint == checkpoint(64))
        let first = bench.attempt(transfer(1))
        bench.tell(.failed(transfer(1), attempt: first, transientProblem(checkpoint(70))))
        #expect(bench.wait(transfer(1)) == .retry)
        _ = bench.passes(seconds(1))
        #expect(bench.attempt(transfer(1)) > first)
        #expect(bench.device.transferJob(of: transfer(1))?.checkpoint == checkpoint(70))
        let restart = bench.tell(
            .responded(transfer(1), attempt: bench.attempt(transfer(1)), offset: 0, expected: 9))
        #expect(restart.news.isEmpty, "the download starts over")
        #expect(bench.transfersOnDisk[transfer(1)]?.checkpoint == nil)
    }

    @Test func permanentProblemsAreReported() {
        var bench = Bench.withSession()
        bench.download(1)
        let problem = TransferProblem(code: -1202, reason: "bad", isRetryable: false, checkpoint: checkpoint(9))
        let failures = bench.tell(.failed(transfer(1), attempt: bench.attempt(transfer(1)), problem)).failures
        #expect(failures == [TransferFailure(code: -1202, reason: "bad", resumable: checkpoint(9))])
    }

    @Test func theNetworkIsBackAndNothingWaitsForItsTurnAnyLonger() {
        var bench = Bench.withSession()
        bench.download(1)
        bench.download(2)
        _ = bench.does(.device(.settingChanged(.network(.none))))
        bench.tell(.failed(transfer(1), attempt: bench.attempt(transfer(1)), transientProblem()))
        bench.tell(.failed(transfer(2), attempt: bench.attempt(transfer(2)), transientProblem(retryAfter: seconds(50))))
        #expect(bench.effects(of: .device(.settingChanged(.network(.wifi)))).begun == [transfer(1)])
        #expect(bench.wait(transfer(2)) == .server)
    }

    @Test func theTimeoutForAResource() {
        var bench = Bench.withSession { $0.resourceTimeout = seconds(100) }
        bench.download(1)
        _ = bench.does(.device(.settingChanged(.network(.none))))
        bench.engineStops(transfer(1), checkpoint(3))
        #expect(bench.device.nextDeadline == Deadline(at: at(100), reason: .transfer(transfer(1))))
        let count = bench.effects.count
        _ = bench.passes(seconds(100))
        let failures = bench.effects[count...].failures
        #expect(failures.map(\.code) == [-1001] && failures.first?.resumable == checkpoint(3))
    }

    /// The timeout of a task does not run before the app resumes it, or before its begin date. Once the task was tried,
    /// the timeout also runs while the task is suspended.
    @Test func theTimeIsCountedFromWhenATaskMayBegin() {
        var bench = Bench.withSession { $0.resourceTimeout = seconds(100) }
        _ = bench.does(.device(.settingChanged(.network(.none))))
        for number: Int64 in 1...2 {
            bench.act(.make(NewTransfer(number: number, request: TransferRequest(url: "https://example.org/1"))))
        }
        bench.act(.setEarliestBegin(2, at(450)))
        bench.act(.resume(2))
        #expect(bench.device.nextDeadline == Deadline(at: at(450), reason: .transfer(transfer(2))))
        var count = bench.effects.count
        _ = bench.passes(seconds(400))
        #expect(bench.effects[count...].failures.isEmpty)
        bench.act(.resume(1))
        _ = bench.passes(seconds(50))
        bench.act(.proceed(2, .continueLoading))
        #expect(bench.device.nextDeadline == Deadline(at: at(500), reason: .transfer(transfer(1))))
        bench.act(.suspend(1))
        #expect(bench.device.nextDeadline == Deadline(at: at(550), reason: .transfer(transfer(2))))
        bench.now = bench.now.advanced(by: seconds(10))
        bench.restartsAndStarts()
        _ = bench.plays()
        bench.open { $0.resourceTimeout = seconds(100) }
        #expect(bench.device.nextDeadline == Deadline(at: at(550), reason: .transfer(transfer(2))), "time continues")
        count = bench.effects.count
        _ = bench.passes(seconds(90))
        #expect(bench.effects[count...].outcomes == [2] && bench.effects[count...].failures.map(\.code) == [-1001])
        bench.act(.resume(1))
        _ = bench.does(.device(.settingChanged(.network(.wifi))))
        bench.tell(.failed(transfer(1), attempt: bench.attempt(transfer(1)), transientProblem()))
        bench.act(.suspend(1))
        count = bench.effects.count
        _ = bench.passes(seconds(100))
        #expect(bench.effects[count...].outcomes == [1], "once tried, its time also runs while it is suspended")
    }

    /// The failure's reason is the condition that the task waited for at its timeout.
    @Test func aTimeoutForLackOfDiskSpaceIsReported() {
        var bench = Bench.withSession { $0.resourceTimeout = seconds(100) }
        bench.download(1)
        var problem = transientProblem(checkpoint(9), retryAfter: seconds(200))
        problem.isForLackOfRoom = true
        bench.tell(.failed(transfer(1), attempt: bench.attempt(transfer(1)), problem))
        let count = bench.effects.count
        _ = bench.passes(seconds(100))
        let failures = bench.effects[count...].failures
        #expect(failures.map(\.code) == [-3003])
        #expect(failures.map(\.cancelledReason) == [.insufficientResources])
        #expect(failures.map(\.resumable) == [checkpoint(9)])
    }

    /// A file for which there is no room waits, and so does its transfer. Once it is given up, nothing waits any more.
    @Test func aFileThatIsGivenUpWaitsForNothing() {
        var bench = Bench.withSession { $0.resourceTimeout = seconds(100) }
        bench.download(1)
        let response = TransferResponse(url: "https://example.org/1", status: 200, fields: [])
        bench.tell(.completed(transfer(1), attempt: bench.attempt(transfer(1)), response, size: 9))
        var last: TransferRecord?
        for _ in 1...10 where last?.outcome?.isFailure != true {
            let isMoving = bench.device.transferSnapshot(of: transfer(1))?.wait == nil
            if isMoving { bench.tell(.moved(transfer(1), errno: 28)) }
            _ = bench.passes(seconds(20))
            last = bench.transfersOnDisk[transfer(1)]
        }
        #expect(last?.outcome?.isFailure == true && last?.hold == nil)
        #expect(bench.device.transferSnapshot(of: transfer(1))?.until == nil)
    }

    @Test func aTransferUnderWayIsStoppedByItsTimeout() {
        var bench = Bench.withSession { $0.resourceTimeout = seconds(100) }
        bench.download(1)
        let count = bench.effects.count
        _ = bench.passes(seconds(100))
        #expect(bench.effects[count...].stopped == [transfer(1)])
        #expect(bench.engineStops(transfer(1), checkpoint(7)).failures.map(\.resumable) == [checkpoint(7)])
    }

    @Test func aFullDiskIsRetried() {
        var bench = Bench.withSession()
        bench.download(1)
        var problem = transientProblem(checkpoint(9))
        problem.isForLackOfRoom = true
        problem.isRetryable = false
        bench.tell(.failed(transfer(1), attempt: bench.attempt(transfer(1)), problem))
        #expect(bench.wait(transfer(1)) == .disk)
        _ = bench.passes(seconds(1))
        #expect(bench.isRunning(transfer(1)))
    }

    /// The errors are ENOSPC, EDQUOT, ENOMEM, ENFILE and EMFILE.
    @Test(arguments: [28, 122, 12, 23, 24] as [Int32]) func aFileThatCannotBeMovedJustNowIsMovedLater(errno: Int32) {
        var bench = Bench.withSession()
        bench.download(1)
        bench.tell(.completed(transfer(1), attempt: bench.attempt(transfer(1)), response, size: 9))
        #expect(bench.tell(.moved(transfer(1), errno: errno)).outcomes.isEmpty)
        let count = bench.effects.count
        _ = bench.passes(seconds(1))
        #expect(bench.effects[count...].contains(.concern(.transfer(.move(transfer(1))))))
        #expect(bench.tell(.moved(transfer(1), errno: nil)).outcomes == [1])
    }

    /// The first response changes nothing that is stored.
    @Test func aFirstResponseIsNotStored() {
        var bench = Bench.withSession()
        bench.download(1)
        let response = TransferReport.responded(
            transfer(1), attempt: bench.attempt(transfer(1)), offset: 0, expected: 1000)
        #expect(bench.tell(response).isEmpty)
    }

    @Test func theDelayOfMovesGrowsToItsLimit() {
        var bench = Bench.withSession()
        bench.download(1)
        bench.tell(.completed(transfer(1), attempt: bench.attempt(transfer(1)), response, size: 9))
        var delays: [Nanoseconds] = []
        for _ in 1...12 {
            bench.tell(.moved(transfer(1), errno: 28))
            let due = bench.device.nextDeadline?.at ?? .zero
            delays.append(due - bench.now.awake)
            _ = bench.meetsDeadline()
        }
        #expect(delays == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600].map { .seconds($0) })
    }

    @Test func aFileThatCannotBeMovedIsAFailure() {
        var bench = Bench.withSession()
        bench.download(1)
        bench.tell(.completed(transfer(1), attempt: bench.attempt(transfer(1)), response, size: 9))
        #expect(bench.tell(.moved(transfer(1), errno: 13)).failures.map(\.code) == [-3003])
    }
}

extension TransferOutcome {
    fileprivate var isFailure: Bool { if case .failed = self { true } else { false } }
}
