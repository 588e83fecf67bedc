public import LifeCycleModel

/// The condition that a transfer waits for.
public enum TransferWait: String, Hashable, Sendable, Codable, CaseIterable {
    /// The app's `resume`: the app has not resumed the task, or has suspended it.
    case suspended
    /// The user, who has paused the transfer.
    case paused
    /// The app's earliest begin date.
    case earliestBegin
    /// The app's answer to whether the task may begin.
    case answer
    /// The retry after a failed attempt.
    case retry
    /// The end of the server's `Retry-After`.
    case server
    /// The delay for tasks that are resumed in the background.
    case resumptionDelay
    /// Any network.
    case network
    /// A network that is not cellular.
    case wifi
    /// A network that is not metered.
    case inexpensive
    /// The end of Low Data Mode.
    case lowDataMode
    /// A battery that is not low, or power.
    case battery
    /// The end of Low Power Mode.
    case lowPowerMode
    /// Free disk space.
    case disk
    /// A connection to the host: the session uses all its connections to this host.
    case connection
    /// The transfer's turn: as many transfers are under way as the policy allows.
    case turn
    /// The engine, which is stopping the transfer.
    case stop
}

/// The state of a transfer at this instant, for `roost transfers` and the invariants.
public struct TransferSnapshot: Hashable, Sendable {
    /// The persisted record.
    public let record: TransferRecord
    /// The session's name.
    public let session: SessionIdentifier
    /// The progress of the transfer.
    public let state: TransferState
    /// The condition that the transfer waits for; nil if it does not wait.
    public let wait: TransferWait?
    /// The beginning of the present wait or attempt, on the wall clock.
    public let since: Nanoseconds
    /// The latest end of the wait, on the wall clock; nil if no time ends it.
    public let until: Nanoseconds?
    /// The attempt under way; nil if there is none.
    public let attempt: Int32?
    /// The bytes that have arrived, according to the engine's last report.
    public let received: Int64
    /// The whole length in bytes; nil if it is unknown.
    public let expected: Int64?

    /// The session, and the task's number in it.
    public var id: TransferID { record.id }

    /// The whole length to display, in bytes: the length from the server, otherwise the length that the app expects
    /// . Nil if neither is known, or if more than the expected length has arrived.
    public func length(reported: Int64?, received: Int64) -> Int64? {
        reported ?? record.expectedToReceive.flatMap { $0 >= received ? $0 : nil }
    }
}

/// The progress of a transfer.
public enum TransferState: String, Hashable, Sendable, Codable, CaseIterable {
    /// The transfer waits for a condition.
    case waiting
    /// The transfer is under way.
    case running
    /// The file is being moved into the app's container.
    case moving
    /// The transfer has ended, and the app has not acknowledged the outcome yet.
    case delivering
    /// The outcome is delivered; the partial file is retained for a later task.
    case retained
}
