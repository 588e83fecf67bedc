import LifeCycleModel

/// How long a task waits that an app resumes off the foreground: longer with each wake for a session's events, nothing
/// once the user has opened the app, or such a delay has passed without a wake.
struct ResumptionDelay: Hashable, Sendable, Codable {
    private var wakes: Int32 = 0
    private var lastWake = Nanoseconds.zero

    /// As the sessions of an app keep it.
    init(_ sessions: [TransferSessionRecord]) {
        let last = sessions.compactMap(\.wakes).max { $0.last < $1.last }
        (wakes, lastWake) = (last?.count ?? 0, last?.last ?? .zero)
    }

    /// What a session keeps of it.
    var kept: TransferWakes? { wakes > 0 ? TransferWakes(count: wakes, last: lastWake) : nil }

    /// `now` is on the steady clock.
    mutating func woken(policy: Policy, at now: Nanoseconds) {
        if now - lastWake >= Self.length(afterWakes: wakes + 1, policy: policy) { wakes = 0 }
        wakes = min(wakes + 1, 32)
        lastWake = now
    }

    mutating func opened() { self = ResumptionDelay([]) }

    /// How long a task that is resumed now has to wait.
    func length(policy: Policy, at now: Nanoseconds) -> Nanoseconds {
        guard wakes > 0, now - lastWake < Self.length(afterWakes: wakes + 1, policy: policy) else { return .zero }
        return Self.length(afterWakes: wakes, policy: policy)
    }

    /// Nothing, then `Policy.resumptionDelay`, and four times as much with each wake.
    static func length(afterWakes wakes: Int32, policy: Policy) -> Nanoseconds {
        guard wakes > 1 else { return .zero }
        return policy.resumptionDelay.grown(by: 4, times: wakes - 2, most: policy.resumptionDelayMost)
    }
}

extension Nanoseconds {
    /// This, `factor` times as much for each of `times`, but no more than `most`.
    func grown(by factor: Int64, times: Int32, most: Nanoseconds) -> Nanoseconds {
        var length = rawValue
        for _ in 0..<max(0, times) where length < most.rawValue {
            let (product, overflowed) = length.multipliedReportingOverflow(by: factor)
            length = overflowed ? most.rawValue : product
        }
        return Swift.min(Nanoseconds(length), most)
    }
}
