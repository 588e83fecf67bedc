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
    /// The time when the receiver was switched on; nil while it is off.
    private var onAt: Nanoseconds?
    /// Whether it has found a position since it was switched on.
    private(set) var hasFound = false
    /// How often in a row the source has ended by itself soon after it was switched on.
    private(set) var failures = 0
    /// The time when the source ended by itself; nil if it has been tried again.
    private var endedAt: Nanoseconds?
    /// Whether an app waits for the next attempt.
    private var isAwaited = false

    enum Switch { case on(AppID), off(AppID) }

    var isOn: Bool { app != nil }
    /// Whether it is on, or is to be tried again: each event may make it unneeded.
    var isWanted: Bool { isOn || isAwaited }

    /// A new position is known.
    mutating func moved(at now: Nanoseconds, policy: Policy) {
        guard let onAt else { return }
        (activeAt, hasFound) = (now, true)
        // A single position may come from a source that ends again and again.
        if onAt + policy.receiverPause <= now { failures = 0 }
    }

    /// The source has ended by itself. Returns the app that the receiver was on for; nil if it was off.
    mutating func ended(at now: Nanoseconds) -> AppID? {
        guard let app else { return nil }
        self.app = nil
        (onAt, activeAt, unneededSince, endedAt) = (nil, nil, nil, now)
        failures += 1
        return app
    }

    /// The time from which the source may be tried again: after 1 s, 2 s, 4 s, and so on. An app that waits for a
    /// position needs it soon; significant changes and crossings come late in any case.
    private func retryTime(isAwaited: Bool, policy: Policy) -> Nanoseconds? {
        let longest = isAwaited ? policy.receiverPause : policy.locationRest
        return endedAt.map { $0 + min(longest, .seconds(1 << min(Int64(failures) - 1, 20))) }
    }

    /// Whether the receiver has been on for so long that no better position is expected soon.
    func hasLooked(at now: Nanoseconds, policy: Policy) -> Bool {
        onAt.map { $0 + policy.locationLook <= now } ?? false
    }

    /// Whether the receiver has found no position for so long that it is to rest.
    func isFruitless(at now: Nanoseconds, policy: Policy) -> Bool {
        activeAt.map { $0 + policy.locationLook <= now } ?? false
    }

    /// Switches the receiver if it is time. `app` is an app that needs a position now; nil if none does. `isLooking` is
    /// whether no app waits for a position.
    mutating func settle(neededBy app: AppID?, isLooking: Bool, at now: Nanoseconds, policy: Policy) -> Switch? {
        isAwaited = false
        guard let app else { return settleUnneeded(at: now, policy: policy) }
        unneededSince = nil
        guard !isOn else { return nil }
        if let time = retryTime(isAwaited: !isLooking, policy: policy) {
            isAwaited = now < time
            if isAwaited { return nil }
            // The failures of long ago say nothing.
            if time + policy.locationRest <= now { failures = 0 }
        }
        (self.app, onAt, activeAt, hasFound, endedAt) = (app, now, now, false, nil)
        return .on(app)
    }

    private mutating func settleUnneeded(at now: Nanoseconds, policy: Policy) -> Switch? {
        guard let app else { return nil }
        let since = unneededSince ?? now
        unneededSince = since
        guard offTime(since, policy) <= now else { return nil }
        (self.app, onAt, activeAt, unneededSince, offAt) = (nil, nil, nil, nil, now)
        return .off(app)
    }

    /// The receiver is switched off at most once in a while, because its service takes a minute to close it.
    private func offTime(_ since: Nanoseconds, _ policy: Policy) -> Nanoseconds {
        max(since + policy.receiverLinger, offAt.map { $0 + policy.receiverPause } ?? since)
    }

    /// The next time that matters to the receiver. `isLooking` is whether no app waits for a position.
    func nextTime(isNeeded: Bool, isLooking: Bool, policy: Policy) -> Nanoseconds? {
        switch (isOn, isNeeded) {
        case (true, true): isLooking ? activeAt.map { $0 + policy.locationLook } : nil
        case (true, false): unneededSince.map { offTime($0, policy) }
        case (false, true): retryTime(isAwaited: !isLooking, policy: policy)
        case (false, false): nil
        }
    }

    /// The wall clock was set: the times start again.
    mutating func clocksShifted(at now: Nanoseconds) {
        (offAt, endedAt) = (nil, nil)
        if isOn { (onAt, activeAt) = (now, now) }
        if unneededSince != nil { unneededSince = now }
    }
}
