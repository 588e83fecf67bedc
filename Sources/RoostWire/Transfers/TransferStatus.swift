public import LifeCycleModel

/// What `roost transfers` shows of a transfer.
public struct TransferStatus: Hashable, Sendable, Codable {
    /// Its number: `app.session.task`.
    public var id: String
    /// Whose it is.
    public var app: BundleIdentifier
    /// The name of its session.
    public var session: String
    /// What is asked for.
    public var url: String
    /// How far it is: `waiting`, `running`, `moving`, `delivering` or `kept`.
    public var state: String
    /// Bytes that have arrived.
    public var received: Int64
    /// The whole length as the server has told it, else as the app expects it; nil where neither is known.
    public var expected: Int64?
    /// Bytes a second; nil unless it is under way.
    public var rate: Int64?
    /// What it waits for, a word for programs; nil unless it is `waiting`, or waits for room to be moved.
    public var wait: String?
    /// The same, for people.
    public var waitsFor: String?
    /// Since when it is as it is, on the wall clock.
    public var since: Nanoseconds
    /// Until when it waits at the latest, on the wall clock; nil where no time ends that.
    public var until: Nanoseconds?
    /// Its priority, in thousandths.
    public var priority: Int32
    /// How often it was tried and failed for a reason that may pass.
    public var failures: Int32
    /// Why it came to nothing, where it has.
    public var failure: String?

    /// A status of these; the rest is set where it applies.
    public init(
        id: TransferID, app: BundleIdentifier, session: String, url: String, state: String, received: Int64,
        expected: Int64?, since: Nanoseconds, priority: Int32, failures: Int32
    ) {
        self.id = id.description
        self.app = app
        self.session = session
        self.url = url
        self.state = state
        self.received = received
        self.expected = expected
        self.since = since
        self.priority = priority
        self.failures = failures
    }
}

/// Some of the transfers there are, in the order of their numbers.
public struct TransferPage: Hashable, Sendable, Codable {
    /// The transfers.
    public var transfers: [TransferStatus]
    /// Whether no other comes after them.
    public var isLast: Bool

    /// A page of these.
    public init(transfers: [TransferStatus], isLast: Bool) {
        self.transfers = transfers
        self.isLast = isLast
    }
}
