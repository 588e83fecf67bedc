public import LifeCycleModel

/// A transfer, as `roost transfers` shows it.
public struct TransferStatus: Hashable, Sendable, Codable {
    /// The number, as `app.session.task`.
    public var id: String
    /// The app that owns the session.
    public var app: BundleIdentifier
    /// The name of the session.
    public var session: String
    /// The requested URL.
    public var url: String
    /// `waiting`, `running`, `moving`, `delivering` or `retained`.
    public var state: String
    /// The received bytes.
    public var received: Int64
    /// The total length from the server, or otherwise the app's own expectation; nil if neither is known.
    public var expected: Int64?
    /// The rate in bytes per second; nil unless the transfer is running.
    public var rate: Int64?
    /// The reason for waiting, as a word for programs. Nil unless the transfer is `waiting`, or waits for space to be
    /// moved.
    public var wait: String?
    /// The reason for waiting, as text.
    public var waitsFor: String?
    /// The time of the last change of state, on the wall clock.
    public var since: Nanoseconds
    /// The latest end of the wait, on the wall clock; nil without a limit.
    public var until: Nanoseconds?
    /// The priority, in thousandths.
    public var priority: Int32
    /// The number of attempts that failed for a transient reason.
    public var failures: Int32
    /// The reason for the failure, as text; nil unless the transfer failed.
    public var failure: String?

    /// The other properties can be set afterwards.
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

/// A page of transfers, in the order of their numbers.
public struct TransferPage: Hashable, Sendable, Codable {
    /// In the order of their numbers.
    public var transfers: [TransferStatus]
    /// Whether this is the last page.
    public var isLast: Bool

    /// Created by the control server. The last page has `isLast`.
    public init(transfers: [TransferStatus], isLast: Bool) {
        self.transfers = transfers
        self.isLast = isLast
    }
}
