public import LifeCycleModel

/// What a deadline is for: every deadline has an owner.
public enum DeadlineReason: Hashable, Sendable, Codable {
    /// A callback has to have returned.
    case callback(LaunchID, Callback)
    /// A launch is worth a remark.
    case slowLaunch(LaunchID)
    /// Expiration handlers are due.
    case taskExpiry(LaunchID)
    /// Background time is up.
    case backgroundTime(LaunchID)
    /// A wake's slice is over.
    case wake(LaunchID)
    /// An adopted app's time in the background is over.
    case adopted(LaunchID)
    /// The kernel has to have frozen it.
    case freeze(LaunchID)
    /// A thaw that failed is tried again.
    case thaw(LaunchID)
    /// The app has to have come back.
    case reconnection(LaunchID)
    /// Its container is measured, which had to wait.
    case containerCheck(LaunchID)
    /// An app told to end has to have exited.
    case exit(LaunchID)
    /// The events of a background session have to have been handled.
    case sessionEvents(LaunchID)
    /// An event has to have been handled.
    case wakeEvent(LaunchID)
    /// A concern has something to do, in one word.
    case concern(String)
    /// A transfer may begin, is tried again, or has taken too long.
    case transfer(TransferID)
    /// Nobody has touched the device for long enough.
    case autoLock
    /// The shutdown has to be done.
    case shutdown
    /// After a restart of the system concerns go on.
    case recovery
}

/// When the brain next wants `Event.deadlineReached`, on the awake clock, and what for.
public struct Deadline: Hashable, Sendable, Codable {
    /// The reading of CLOCK_MONOTONIC.
    public var at: Nanoseconds
    /// Its owner.
    public var reason: DeadlineReason

    /// A deadline at `at`, for `reason`.
    public init(at: Nanoseconds, reason: DeadlineReason) {
        self.at = at
        self.reason = reason
    }

    /// The earlier of two, the first where they are at one time.
    @inline(__always) static func earlier(_ one: Deadline?, _ other: Deadline?) -> Deadline? {
        guard let one, let other else { return one ?? other }
        return other.at < one.at ? other : one
    }
}

extension Optional<Nanoseconds> {
    /// The earlier of two times. Nil if both are nil.
    @inline(__always) static func earlier(_ one: Nanoseconds?, _ other: Nanoseconds?) -> Nanoseconds? {
        guard let one, let other else { return one ?? other }
        return min(one, other)
    }
}
