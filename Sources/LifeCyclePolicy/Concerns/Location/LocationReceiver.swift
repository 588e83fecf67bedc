import LifeCycleModel

/// The device's receiver of positions. It is on only while an app needs a position. All times are on the wall
/// clock.
struct LocationReceiver: Hashable, Sendable, Codable {
    /// The app that the receiver was switched on for; nil while it is off.
    private(set) var app: AppID?
    /// The time of the last position since the receiver was switched on, or of that; nil while it is off.
    private var activeAt: Nanoseconds?
    /// The time since which no app has needed the receiver; nil if one does, and while the receiver is off.
    private var unneededSince: Nanoseconds?
    /// The time when the receiver was last switched off.
    private var offAt: Nanoseconds?
    /// How often in a row the source has ended by itself without a position.
    private(set) var failures = 0
    /// The time from which the source may be tried again.
    private var retryAt: Nanoseconds?

    enum Switch { case on(AppID), off(AppID) }

    var isOn: Bool { app != nil }

    /// A new position is known.
    mutating func moved(at now: Nanoseconds) {
        guard isOn else { return }
        (activeAt, failures) = (now, 0)
    }

    /// The source has ended by itself. Returns the app that the receiver was on for; nil if it was off.
    mutating func ended(at now: Nanoseconds, policy: Policy) -> AppID? {
        guard let app else { return nil }
        self.app = nil
        (activeAt, unneededSince) = (nil, nil)
        // 1 s, 2 s, 4 s, and so on.
        retryAt = now + min(policy.locationRest, .seconds(1 << min(Int64(failures), 20)))
        failures += 1
        return app
    }

    /// Whether the receiver has found no position for so long that it is to rest.
    func isFruitless(at now: Nanoseconds, policy: Policy) -> Bool {
        activeAt.map { $0 + policy.locationLook <= now } ?? false
    }

    /// Switches the receiver if it is time. `app` is an app that needs a position now; nil if none does.
    mutating func settle(neededBy app: AppID?, at now: Nanoseconds, policy: Policy) -> Switch? {
        guard let app else {
            if !isOn { retryAt = nil }
            return settleUnneeded(at: now, policy: policy)
        }
        unneededSince = nil
        guard !isOn, retryAt.map({ $0 <= now }) ?? true else { return nil }
        (self.app, activeAt, retryAt) = (app, now, nil)
        return .on(app)
    }

    private mutating func settleUnneeded(at now: Nanoseconds, policy: Policy) -> Switch? {
        guard let app else { return nil }
        let since = unneededSince ?? now
        unneededSince = since
        guard offTime(since, policy) <= now else { return nil }
        (self.app, activeAt, unneededSince, offAt) = (nil, nil, nil, now)
        return .off(app)
    }

    /// The receiver is switched off at most once in a while, because its service takes a minute to close it.
    private func offTime(_ since: Nanoseconds, _ policy: Policy) -> Nanoseconds {
        max(since + policy.receiverLinger, offAt.map { $0 + policy.receiverPause } ?? since)
    }

    /// The next time that matters to the receiver. `isLooking` is whether it is needed for significant changes only.
    func nextTime(isNeeded: Bool, isLooking: Bool, policy: Policy) -> Nanoseconds? {
        switch (isOn, isNeeded) {
        case (true, true): isLooking ? activeAt.map { $0 + policy.locationLook } : nil
        case (true, false): unneededSince.map { offTime($0, policy) }
        case (false, true): retryAt
        case (false, false): nil
        }
    }

    /// The wall clock was set: the times start again.
    mutating func clocksShifted(at now: Nanoseconds) {
        (offAt, retryAt) = (nil, nil)
        if isOn { activeAt = now }
        if unneededSince != nil { unneededSince = now }
    }
}
