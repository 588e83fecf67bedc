import LifeCycleModel
import Testing

@testable import RoostGuardian

@Suite struct GuardianshipTests {
    private typealias Action = Guardianship.Action
    private typealias ExitStatus = LifeCycleModel.ExitStatus

    /// A guardianship with its most recent requests.
    private struct Bench {
        var machine = Guardianship(absence: .seconds(10), hang: .seconds(30), shutdown: .seconds(10))
        var now = Nanoseconds.seconds(1000)

        mutating func take(_ event: (inout Guardianship, Nanoseconds, inout [Action]) -> Void) -> [Action] {
            var actions: [Action] = []
            event(&machine, now, &actions)
            return actions
        }

        mutating func begin() -> [Action] { take { $0.begin(into: &$2) } }
        mutating func ready() -> [Action] { take { $0.supervisorIsReady(at: $1, into: &$2) } }
        mutating func ended(_ status: ExitStatus) -> [Action] {
            take { $0.supervisorEnded(status, at: $1, into: &$2) }
        }
        mutating func asked(_ signal: Int32) -> [Action] { take { $0.asked(toEndBy: signal, at: $1, into: &$2) } }
        mutating func pass(_ time: Nanoseconds) -> [Action] {
            now = now + time
            return take { $0.timePassed(at: $1, into: &$2) }
        }
        mutating func released() -> [Action] { take { $0.released(into: &$2) } }

        /// A guardianship whose supervisor is up.
        static var up: Bench {
            var bench = Bench()
            _ = bench.begin()
            _ = bench.ready()
            return bench
        }
    }

    private func without(_ actions: [Action]) -> [Action] {
        actions.filter { if case .tell = $0 { false } else { true } }
    }

    @Test func aRunWithoutIncident() {
        var bench = Bench()
        #expect(bench.begin() == [.start])
        #expect(bench.ready() == [.tell(.isUp)])
        #expect(bench.machine.nextDeadline == nil, "an idle guardian has no deadline")
        #expect(bench.asked(15) == [.tell(.isEnding(15)), .forward(15)])
        #expect(bench.ended(.exited(code: 0)) == [.leave(0)])
    }

    // MARK: A supervisor that hangs

    @Test func aHungSupervisorIsReplaced() {
        var bench = Bench.up
        bench.machine.heartbeatRanOut(at: bench.now)
        #expect(bench.machine.nextDeadline == bench.now + .seconds(1), "the supervisor is checked again")
        #expect(bench.pass(.seconds(1)) == [.tell(.hangs(.seconds(30))), .kill])
        #expect(bench.machine.nextDeadline == nil)
        #expect(bench.ended(.signaled(9)).last == .start)
        #expect(bench.ready() == [.tell(.isUp)])
    }

    /// A supervisor that waits for a disk is checked each second, and reported once. Killing it would not end the wait.
    @Test func aSupervisorWaitingForADiskIsNotKilled() {
        var bench = Bench.up
        bench.machine.heartbeatRanOut(at: bench.now)
        for second in 1...3 {
            bench.now = bench.now + .seconds(1)
            let actions = bench.take { $0.timePassed(at: $1, supervisorWaitsForDevice: true, into: &$2) }
            #expect(actions == (second == 1 ? [.tell(.waitsForDevice(.seconds(30)))] : []))
            #expect(bench.machine.nextDeadline == bench.now + .seconds(1))
        }
        var other = bench
        other.machine.heartbeatIsBack()
        #expect(other.machine.nextDeadline == nil)
        #expect(without(bench.pass(.seconds(1))) == [.kill], "a hang without a wait for a disk")
    }

    /// The whole machine stalled.
    @Test func aRecoveredHeartbeatPreventsTheKill() {
        var bench = Bench.up
        bench.machine.heartbeatRanOut(at: bench.now)
        bench.machine.heartbeatIsBack()
        #expect(bench.machine.nextDeadline == nil)
    }

    @Test func aStoppedSupervisorIsKilledAfterItsTime() {
        var bench = Bench.up
        bench.machine.supervisorStopped(true, at: bench.now)
        #expect(bench.machine.nextDeadline == bench.now + .seconds(30))
        bench.machine.heartbeatRanOut(at: bench.now + .seconds(5))
        bench.machine.heartbeatIsBack()
        #expect(bench.machine.nextDeadline == bench.now + .seconds(30))
        var other = bench
        other.machine.supervisorStopped(false, at: other.now)
        #expect(other.machine.nextDeadline == nil, "the supervisor continues")
        #expect(without(bench.pass(.seconds(30))) == [.kill])
    }

    // MARK: The end that does not come

    @Test func aSupervisorThatDoesNotEndIsReplacedToEndTheSystem() {
        var bench = Bench.up
        _ = bench.asked(15)
        #expect(bench.machine.nextDeadline == bench.now + .seconds(15))
        #expect(bench.pass(.seconds(15)) == [.tell(.doesNotEnd), .kill])
        #expect(without(bench.ended(.signaled(9))) == [.start, .forward(15)])
        _ = bench.ready()
        #expect(bench.pass(.seconds(15)) == [.tell(.endsWithoutSupervisor), .kill])
        #expect(bench.ended(.signaled(9)) == [.release])
        #expect(bench.released() == [.leave(1)])
    }

    @Test func aSecondSignalLeavesLittleTime() {
        var bench = Bench.up
        _ = bench.asked(15)
        #expect(bench.asked(15) == [.forward(15)])
        #expect(bench.machine.nextDeadline == bench.now + .seconds(4))
        #expect(without(bench.pass(.seconds(4))) == [.kill])
    }

    @Test func everySignalIsPassedOn() {
        var bench = Bench.up
        #expect(bench.asked(2) == [.tell(.isEnding(2)), .forward(2)])
        #expect(bench.asked(2) == [.forward(2)])
    }

    @Test func aSupervisorThatNeverCameUpIsNotRestarted() {
        var bench = Bench()
        _ = bench.begin()
        #expect(bench.ended(.exited(code: 1)) == [.leave(1)])
    }

    @Test func aKilledSupervisorRestartsAtOnce() {
        for status in [ExitStatus.signaled(9), .signaled(11), .exited(code: 1), .exited(code: 70)] {
            var bench = Bench.up
            #expect(bench.ended(status) == [.tell(.ended(status, startingAgainAfter: .zero)), .start])
            #expect(bench.ready() == [.tell(.isUp)])
        }
    }

    @Test func handingOverIsNoFailure() {
        var bench = Bench.up
        for _ in 1...20 {
            #expect(bench.ended(.exited(code: Guardianship.handOverCode)) == [.tell(.handsOver), .start])
            #expect(bench.ready() == [.tell(.isUp)])
        }
    }

    @Test func repeatedDeathsDelayTheRestart() {
        var bench = Bench.up
        var waits: [Nanoseconds] = []
        for _ in 1...12 {
            let actions = bench.ended(.signaled(6))
            guard case .tell(.ended(_, let wait)) = actions.first else {
                Issue.record("\(actions)")
                return
            }
            waits.append(wait)
            #expect(without(actions) == (wait == .zero ? [.start] : []))
            if wait > .zero {
                #expect(bench.pass(wait - Nanoseconds(1)).isEmpty)
                #expect(bench.pass(Nanoseconds(1)) == [.start])
            }
            _ = bench.ready()
        }
        #expect(
            waits == [0, 0, 0, 100, 200, 400, 800, 1600, 3200, 5000, 5000, 5000].map { Nanoseconds.milliseconds($0) })
        // A long run clears the earlier failures.
        _ = bench.pass(Guardianship.steadyRun)
        #expect(without(bench.ended(.signaled(6))) == [.start])
    }

    @Test func anAbsenceThatLastsEndsTheSystem() {
        var bench = Bench.up
        let begin = bench.now
        var actions = bench.ended(.signaled(9))
        while !actions.contains(.release) {
            guard bench.now < begin + .seconds(11) else {
                Issue.record("the restarts never end")
                return
            }
            if actions.contains(.start) {
                actions = bench.ended(.exited(code: 1))
            } else {
                guard let deadline = bench.machine.nextDeadline else {
                    Issue.record("no deadline")
                    return
                }
                actions = bench.pass(deadline - bench.now)
            }
        }
        #expect(bench.now == begin + .seconds(10), "exactly at the limit")
        #expect(actions == [.tell(.absentTooLong(.seconds(10))), .release])
        #expect(bench.released() == [.leave(1)])
    }

    @Test func aSupervisorThatHangsWhileStartingIsKilled() {
        var bench = Bench.up
        _ = bench.ended(.signaled(9))
        #expect(bench.pass(.seconds(10)) == [.tell(.absentTooLong(.seconds(10))), .kill])
        #expect(bench.ready().isEmpty, "too late")
        #expect(bench.ended(.signaled(9)) == [.release])
        #expect(bench.released() == [.leave(1)])
    }

    @Test func aShutdownOutlivesTheSupervisor() {
        var bench = Bench.up
        _ = bench.asked(15)
        #expect(without(bench.ended(.signaled(9))) == [.start, .forward(15)])
        _ = bench.ready()
        #expect(bench.ended(.exited(code: 0)) == [.leave(0)])
    }

    @Test func aShutdownWithoutASupervisorTriesOnceMore() {
        var bench = Bench.up
        for _ in 1...3 { _ = bench.ended(.exited(code: 1)) }
        #expect(without(bench.ended(.exited(code: 1))).isEmpty, "the restart is delayed")
        #expect(bench.asked(15) == [.tell(.isEnding(15)), .start, .forward(15)])
        #expect(without(bench.ended(.exited(code: 1))) == [.release])
        #expect(bench.released() == [.leave(1)])
    }

    /// Each supervisor comes up, and dies before it has ended the system.
    @Test(arguments: [LifeCycleModel.ExitStatus.signaled(5), .exited(code: 1)])
    func aShutdownOfWhichEverySupervisorDiesHasAnEnd(status: LifeCycleModel.ExitStatus) {
        var bench = Bench.up
        // A supervisor that has crashed again and again, so that its restart was delayed.
        for _ in 1...8 {
            if !bench.ended(.signaled(5)).contains(.start) { _ = bench.pass(.seconds(5)) }
            _ = bench.ready()
        }
        _ = bench.asked(15)
        for _ in 1...Guardianship.endingAttempts {
            #expect(without(bench.ended(status)) == [.start, .forward(15)], "at once")
            #expect(bench.ready() == [.tell(.isUp)])
            _ = bench.pass(.seconds(6))
        }
        #expect(bench.ended(status).suffix(2) == [.tell(.endsWithoutSupervisor), .release])
        #expect(bench.released() == [.leave(1)])
        #expect(bench.machine.nextDeadline == nil)
    }

    @Test func aProgramThatCanNotBeStarted() {
        var bench = Bench()
        _ = bench.begin()
        #expect(
            bench.take { $0.supervisorDidNotStart(errno: 2, at: $1, into: &$2) } == [
                .tell(.couldNotStart(2)), .leave(1),
            ])
        bench = .up
        _ = bench.ended(.signaled(9))
        #expect(
            bench.take { $0.supervisorDidNotStart(errno: 11, at: $1, into: &$2) }
                == [.tell(.couldNotStart(11)), .start])
    }

    @Test func remarksAreSentences() {
        let remarks: [Guardianship.Remark] = [
            .isUp, .ended(.signaled(9), startingAgainAfter: .zero), .ended(.unknown, startingAgainAfter: .seconds(1)),
            .handsOver, .couldNotStart(2), .absentTooLong(.seconds(10)), .endsWithoutSupervisor, .isEnding(15),
        ]
        #expect(Set(remarks.map(\.description)).count == remarks.count)
        #expect("\(remarks[1])".contains("signal 9") && "\(remarks[2])".contains("in 1 s"), "\(remarks[2])")
    }
}
