public import LifeCycleModel

/// What a transfer waits for.
public enum TransferWait: String, Hashable, Sendable, Codable, CaseIterable {
    /// The app has not resumed it, or has suspended it.
    case suspended
    /// The user has paused it.
    case paused
    /// The date before which the app does not want it.
    case earliestBegin
    /// The app's answer, whether it may begin.
    case answer
    /// The next attempt, after one that failed.
    case retry
    /// The time the server asked to be left alone.
    case server
    /// The delay for what is resumed off the foreground.
    case resumptionDelay
    /// Any network.
    case network
    /// A network that is no mobile one.
    case wifi
    /// A network that is not metered.
    case inexpensive
    /// The end of Low Data Mode.
    case lowDataMode
    /// A battery that is not low, or power.
    case battery
    /// The end of Low Power Mode.
    case lowPowerMode
    /// Room on the disk.
    case disk
    /// A connection to its host: the session has all it may have.
    case connection
    /// Its turn: as many are under way as may be.
    case turn
    /// The engine, which is stopping it.
    case stop
}

/// What there is to know of a transfer at this instant, for `roost transfers` and the invariants.
public struct TransferSnapshot: Hashable, Sendable {
    /// What is kept of it.
    public let record: TransferRecord
    /// The session's name.
    public let session: SessionIdentifier
    /// How far it is.
    public let state: TransferState
    /// What it waits for; nil unless it `waits`.
    public let wait: TransferWait?
    /// Since when, on the wall clock.
    public let since: Nanoseconds
    /// Until when at the latest, on the wall clock; nil where no time ends it.
    public let until: Nanoseconds?
    /// The attempt under way; nil where none is.
    public let attempt: Int32?
    /// Bytes that have arrived, as far as was reported.
    public let received: Int64
    /// The whole length, where it is known.
    public let expected: Int64?

    /// Which transfer it is.
    public var id: TransferID { record.id }

    /// The whole length where `received` bytes have arrived, for people: what the server has told, else what the app expects
    /// to receive, as long as no more has arrived.
    public func length(told: Int64?, received: Int64) -> Int64? {
        told ?? record.expectedToReceive.flatMap { $0 >= received ? $0 : nil }
    }
}

/// How far a transfer is.
public enum TransferState: String, Hashable, Sendable, Codable, CaseIterable {
    /// It waits for something.
    case waiting
    /// It is under way.
    case running
    /// Its file is brought into the app's container.
    case moving
    /// It has come to its end, and the app has not taken it yet.
    case delivering
    /// It is delivered; what has arrived is kept for a later task.
    case kept
}
