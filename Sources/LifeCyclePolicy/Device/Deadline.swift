public import LifeCycleModel

/// The purpose of a deadline. Every deadline has an owner.
public enum DeadlineReason: Hashable, Sendable, Codable {
    /// A callback must have returned.
    case callback(LaunchID, Callback)
    /// A launch is slow enough to be logged.
    case slowLaunch(LaunchID)
    /// Expiration handlers are to be called.
    case taskExpiry(LaunchID)
    /// Background time is up.
    case backgroundTime(LaunchID)
    /// The slice of time for a wake is over.
    case wake(LaunchID)
    /// An adopted app's time in the background is over.
    case adopted(LaunchID)
    /// The kernel must have frozen the app.
    case freeze(LaunchID)
    /// A failed thaw is retried.
    case thaw(LaunchID)
    /// The app must have connected again after a restart of the system.
    case reconnection(LaunchID)
    /// The app's container is measured, after the pause since the last measurement.
    case containerCheck(LaunchID)
    /// An app that was asked to exit must have exited.
    case exit(LaunchID)
    /// The app must have handled the events of a background session.
    case sessionEvents(LaunchID)
    /// The app must have handled an event.
    case wakeEvent(LaunchID)
    /// A concern has something to do; the string names it.
    case concern(String)
    /// A transfer may begin, is retried, or has taken too long.
    case transfer(TransferID)
    /// The device locks itself, because it was not touched for long enough.
    case autoLock
    /// The shutdown must be done.
    case shutdown
    /// Concerns resume after a restart of the system.
    case recovery
}

/// The time at which the brain next wants `Event.deadlineReached`, on the awake clock, with its purpose.
public struct Deadline: Hashable, Sendable, Codable {
    /// The reading of CLOCK_MONOTONIC.
    public var at: Nanoseconds
    /// The deadline's purpose and owner.
    public var reason: DeadlineReason

    /// Each owner of a deadline creates its own; `earlier(_:_:)` combines them.
    public init(at: Nanoseconds, reason: DeadlineReason) {
        self.at = at
        self.reason = reason
    }

    /// The earlier of two deadlines; the first if they are at the same time.
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
