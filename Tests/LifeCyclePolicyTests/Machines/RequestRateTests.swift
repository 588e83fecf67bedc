import LifeCycleModel
import Testing

@testable import LifeCyclePolicy

/// The token bucket of requests: a burst, and a rate per second.
@Suite struct RequestRateTests {
    private func policy(_ rate: Int64?, burst: Int64 = 3) -> Policy {
        Policy.iOS26.with {
            $0.requestRate = rate
            $0.requestBurst = burst
        }
    }

    private func allowed(_ rate: inout RequestRate, _ count: Int, _ policy: Policy, at time: Nanoseconds) -> Int {
        (0..<count).filter { _ in rate.allows(policy: policy, at: time) }.count
    }

    @Test func aBurstThenTheRate() {
        var rate = RequestRate()
        let policy = policy(10)
        #expect(allowed(&rate, 10, policy, at: at(0)) == 3)
        #expect(allowed(&rate, 10, policy, at: at(0) + .milliseconds(99)) == 0)
        #expect(allowed(&rate, 10, policy, at: at(0) + .milliseconds(100)) == 1)
        #expect(allowed(&rate, 10, policy, at: at(0) + .milliseconds(300)) == 2)
        #expect(allowed(&rate, 10, policy, at: at(99)) == 3, "never more than the bucket holds")
    }

    @Test func noRateMeansNoLimit() {
        var rate = RequestRate()
        #expect(allowed(&rate, 100_000, policy(nil), at: at(0)) == 100_000)
    }

    @Test func aLaunchBeginsWithAFullBucket() {
        var rate = RequestRate()
        _ = allowed(&rate, 10, policy(1), at: at(0))
        rate.launchBegan()
        #expect(allowed(&rate, 10, policy(1), at: at(0)) == 3)
        rate.launchEnding()
        #expect(rate == RequestRate())
    }

    @Test func theLargestLimitsDoNotOverflow() {
        var rate = RequestRate()
        let most = Int64.max / 4_000_000_000 - 1
        #expect(allowed(&rate, 1, policy(1, burst: most), at: at(0)) == 1)
        #expect(allowed(&rate, 1, policy(most, burst: most), at: .seconds(9_000_000_000)) == 1)
    }
}
