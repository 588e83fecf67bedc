import CRoost
import Glibc
import LifeCycleModel
import Testing

@testable import RoostGuardian

@Suite struct HeartbeatTests {
    @Test func theHeartbeatRunsOutUnlessRenewed() throws {
        let heartbeat = try #require(Heartbeat())
        defer { close(heartbeat.descriptor) }
        #expect(!heartbeat.isSet && !heartbeat.hasRunOut())
        heartbeat.busy(for: .milliseconds(1))
        #expect(croost_wait_for(heartbeat.descriptor, Int16(POLLIN), 20_000_000_000) == 0)
        #expect(heartbeat.hasRunOut())
        #expect(!heartbeat.isSet, "an expired heartbeat is not set")
        heartbeat.asleep(until: nil)
        #expect(heartbeat.isSet && !heartbeat.hasRunOut(), "an idle system is not woken by it")
        heartbeat.asleep(until: Nanoseconds(croost_monotonic()) + .seconds(1000))
        #expect(heartbeat.isSet)
        heartbeat.off()
        #expect(!heartbeat.isSet)
    }

    /// A supervisor starts with its connection at `supervisorsDescriptor`, so the heartbeat needs a higher number.
    @Test func itsNumberIsNotThatOfTheConnection() throws {
        let heartbeat = try #require(Heartbeat())
        defer { close(heartbeat.descriptor) }
        #expect(heartbeat.descriptor > Guardian.supervisorsDescriptor)
    }

    @Test func onlyATimerIsTaken() throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        #expect(Heartbeat(taking: ends[0]) == nil)
    }
}
