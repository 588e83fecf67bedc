import LifeCycleModel

/// A token bucket for an app's requests. The bucket holds `Policy.requestBurst` requests and fills at
/// `Policy.requestRate`. It is stored as the time at which it would be full again.
struct RequestRate: Hashable, Sendable, Codable {
    private var fullAt = Nanoseconds.zero

    mutating func launchBegan() { self = RequestRate() }
    mutating func launchEnding() { self = RequestRate() }

    /// Takes one request from the bucket. Returns false if the bucket is empty.
    mutating func allows(policy: Policy, at now: Nanoseconds) -> Bool {
        allows(rate: policy.requestRate, burst: policy.requestBurst, at: now)
    }

    /// Takes one request from a bucket with this rate and size. Returns false if the bucket is empty.
    mutating func allows(rate: Int64?, burst: Int64, at now: Nanoseconds) -> Bool {
        guard let rate else { return true }
        let cost = Nanoseconds(1_000_000_000 / max(1, rate))
        let next = max(fullAt, now) + cost
        guard next - now <= Nanoseconds(cost.rawValue * burst) else { return false }
        fullAt = next
        return true
    }
}
