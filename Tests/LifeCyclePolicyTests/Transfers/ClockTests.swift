import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// The clocks of transfers. Timeouts and waits are counted on a steady clock, so setting the wall clock does not
/// change them.
@Suite struct TransferClockTests {
    private static let year = seconds(365 * 86_400)

    /// A board without a battery-backed clock starts in 1970, and sets its clock while it downloads.
    @Test(arguments: [1, -1]) func aClockThatIsSetEndsNoTransfer(direction: Int64) {
        var bench = Bench.withSession { $0.resourceTimeout = seconds(100) }
        bench.now.wall = Self.year + Self.year
        bench.download(1)
        _ = bench.passes(seconds(40))
        bench.now.wall = bench.now.wall + Nanoseconds(direction * Self.year.rawValue)
        let count = bench.effects.count
        _ = bench.plays(.device(.clockWasSet))
        let set = bench.effects[count...]
        #expect(set.stopped.isEmpty && set.failures.isEmpty)
        let deadline = bench.device.nextDeadline
        #expect(deadline == Deadline(at: at(100), reason: .transfer(transfer(1))))
        _ = bench.passes(seconds(59))
        #expect(bench.isRunning(transfer(1)))
        _ = bench.passes(seconds(1))
        #expect(!bench.isRunning(transfer(1)), "60 s were left")
    }

    /// Within a boot, the clock may even be set while the system is not running.
    @Test func aRestartOfTheSystemCountsOn() {
        var bench = Bench.withSession { $0.resourceTimeout = seconds(100) }
        bench.download(1)
        _ = bench.passes(seconds(40))
        bench.now = bench.now.advanced(by: seconds(10))
        bench.now.wall = bench.now.wall + Self.year
        bench.restartsAndStarts()
        _ = bench.plays()
        #expect(bench.isRunning(transfer(1)))
        #expect(bench.device.nextDeadline == Deadline(at: at(100), reason: .transfer(transfer(1))))
    }

    /// A bench with a download that has used 40 s of its 100 s. The device boots again, `away` seconds later by the
    /// wall clock.
    private func benchAfterAnotherBoot(away: Int64) -> Bench {
        var bench = Bench.withSession { $0.resourceTimeout = seconds(100) }
        bench.download(1)
        bench.now.wall = bench.now.wall + Self.year
        _ = bench.does(.device(.clockWasSet))
        _ = bench.passes(seconds(40))
        let wall = bench.now.wall
        // The clock was last set 40 s ago, and was persisted then.
        bench.now = Moment(awake: seconds(1), elapsed: seconds(1), wall: wall + seconds(away))
        _ = bench.restarts()
        bench.handle(.device(.deviceStarted))
        bench.handle(.deadlineReached)
        return bench
    }

    /// Across boots, the elapsed time is counted by the wall clock and added to the time used before.
    @Test(arguments: [(away: Int64(20), left: Int64(40)), (-5000, 100)])
    func timeOverABootIsCountedByTheWallClock(away: Int64, left: Int64) {
        var bench = benchAfterAnotherBoot(away: away)
        #expect(bench.isRunning(transfer(1)))
        _ = bench.plays()
        // If the wall clock was set back, the time used since the last persisted reading is unknown.
        #expect(bench.device.nextDeadline?.at == seconds(1 + left))
    }

    @Test func aBootThatTakesLongerThanWasLeftEndsTheDownload() {
        #expect(!benchAfterAnotherBoot(away: 70).isRunning(transfer(1)))
    }

    /// A session's clock is persisted once for each hour in which something happens, and not more often.
    @Test func theSteadyClockIsPersistedEachHour() {
        var bench = Bench.withSession()
        bench.download(1)
        let kept = { (effects: [Effect]) in
            effects.filter { if case .store(.concern(.transfer(.session))) = $0 { true } else { false } }.count
        }
        _ = bench.passes(seconds(1800))
        #expect(kept(bench.tell(.checkpointed(transfer(1), attempt: bench.attempt(transfer(1)), checkpoint(1)))) == 0)
        _ = bench.passes(seconds(1800))
        let count = bench.effects.count
        bench.tell(.checkpointed(transfer(1), attempt: bench.attempt(transfer(1)), checkpoint(2)))
        bench.tell(.checkpointed(transfer(1), attempt: bench.attempt(transfer(1)), checkpoint(3)))
        let all = Array(bench.effects[(count)...])
        #expect(kept(all) <= 1)
        #expect(bench.sessionsOnDisk[session()]?.clock?.steady == at(3600))
    }
}
