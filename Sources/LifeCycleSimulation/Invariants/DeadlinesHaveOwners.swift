import LifeCycleModel
import LifeCyclePolicy

/// The next deadline belongs to an existing launch, and is in the future once an event has been handled.
enum DeadlinesHaveOwners {
    static func check(_ deadline: Deadline?, _ snapshots: [AppSnapshot], now: Nanoseconds) -> String? {
        guard let deadline else { return nil }
        if deadline.at == .zero, isOfConcern(deadline.reason) { return nil }
        if deadline.at < now { return "\(deadline.reason) was due at \(deadline.at) and still is" }
        switch deadline.reason {
        case .callback(let launch, _), .slowLaunch(let launch), .taskExpiry(let launch), .backgroundTime(let launch),
            .wake(let launch), .adopted(let launch), .freeze(let launch), .thaw(let launch), .reconnection(let launch),
            .exit(let launch), .containerCheck(let launch), .sessionEvents(let launch),
            .wakeEvent(let launch):
            return snapshots.contains { $0.launch == launch } ? nil : "\(deadline.reason) has no owner"
        default: return nil
        }
    }

    /// Whether a concern owns the deadline. After a restart of the system, concerns start at once, at the first
    /// deadline.
    private static func isOfConcern(_ reason: DeadlineReason) -> Bool {
        switch reason {
        case .recovery, .transfer, .concern: true
        default: false
        }
    }
}
