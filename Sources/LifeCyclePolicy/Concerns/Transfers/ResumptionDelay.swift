import LifeCycleModel

/// The delay before a task that an app resumes in the background may begin.
///
/// The delay grows with each wake for a session's events. It is zero again once the user has opened the app, or once
/// the next delay's length has passed without a wake.
struct ResumptionDelay: Hashable, Sendable, Codable {
    private var wakes: Int32 = 0
    private var lastWake = Nanoseconds.zero

    /// Restores the delay from an app's sessions.
    init(_ sessions: [TransferSessionRecord]) {
        let last = sessions.compactMap(\.wakes).max { ($0.last, $0.count) < ($1.last, $1.count) }
        (wakes, lastWake) = (last?.count ?? 0, last?.last ?? .zero)
    }

    /// The part that a session's record persists; nil if there was no wake.
    var kept: TransferWakes? { wakes > 0 ? TransferWakes(count: wakes, last: lastWake) : nil }

    /// `now` is on the steady clock.
    mutating func woken(policy: Policy, at now: Nanoseconds) {
        if now - lastWake >= Self.length(afterWakes: wakes + 1, policy: policy) { wakes = 0 }
        wakes = min(wakes + 1, 32)
        lastWake = now
    }

    mutating func opened() { self = ResumptionDelay([]) }

    /// The delay of a task that is resumed now.
    func length(policy: Policy, at now: Nanoseconds) -> Nanoseconds {
        guard wakes > 0, now - lastWake < Self.length(afterWakes: wakes + 1, policy: policy) else { return .zero }
        return Self.length(afterWakes: wakes, policy: policy)
    }

    /// Zero after the first wake, then `Policy.resumptionDelay`, then four times as long with each wake.
    static func length(afterWakes wakes: Int32, policy: Policy) -> Nanoseconds {
        guard wakes > 1 else { return .zero }
        return policy.resumptionDelay.grown(by: 4, times: wakes - 2, most: policy.resumptionDelayMost)
    }
}

extension Nanoseconds {
    /// This length, multiplied by `factor` for each of `times`, but at most `most`.
    func grown(by factor: Int64, times: Int32, most: Nanoseconds) -> Nanoseconds {
        var length = rawValue
        for _ in 0..<max(0, times) where length < most.rawValue {
            let (product, overflowed) = length.multipliedReportingOverflow(by: factor)
            length = overflowed ? most.rawValue : product
        }
        return Swift.min(Nanoseconds(length), most)
    }
}
