import LifeCycleModel
import Testing

@testable import RoostRuntime

/// The times that the supervisor's loop gives the heartbeat. By these times the guardian notices that the loop hangs.
@Suite(.serialized) struct SupervisorHeartbeatTests {
    @Test func eachIterationHasTheLimitAndEachSleepTheDeadlineAndTheLimit() throws {
        var policy = Policy.iOS26
        policy.supervisorHang = .seconds(7)
        let bench = try Bench(policy: policy)
        var (busy, asleep): ([Nanoseconds], [Nanoseconds?]) = ([], [])
        bench.supervisor.beat(busy: { busy.append($0) }, asleep: { asleep.append($0) }, off: {})
        let due = EventLoop.now + .seconds(3600)
        bench.supervisor.loop.deadline = due
        let (limit, end) = (policy.supervisorHang, due + policy.supervisorHang)
        bench.run(until: { !busy.isEmpty })
        #expect(busy == [limit])
        #expect(asleep == [end])
        // A deadline that has passed is due now.
        let now = EventLoop.now
        bench.supervisor.loop.deadline = .zero
        bench.run(until: { busy.count > 1 })
        #expect(busy == [limit, limit])
        try #require(asleep.count == 2)
        #expect(try #require(asleep[1]) >= now + limit)
    }
}
