/// What an app says of a background session: its `URLSessionConfiguration`.
public struct TransferSessionConfiguration: Hashable, Sendable, Codable {
    /// `sessionSendsLaunchEvents`: whether the app is resumed or launched when all of it is done.
    public var sendsLaunchEvents = true
    /// `isDiscretionary`: whether the system chooses the time.
    public var isDiscretionary = false
    /// Which networks it may use.
    public var networks = NetworkAccess()
    /// `httpMaximumConnectionsPerHost`.
    public var connectionsPerHost: Int32 = 6
    /// `httpAdditionalHeaders`.
    public var fields: [HTTPField] = []
    /// `timeoutIntervalForRequest`: after so long without a byte the transfer is tried again.
    public var requestTimeout = Nanoseconds.seconds(60)
    /// `timeoutIntervalForResource`: after so long in all the transfer fails.
    public var resourceTimeout = Nanoseconds.seconds(604_800)
    /// `sharedContainerIdentifier`; kept and given back, since an app has one container.
    public var sharedContainer: String?

    /// Apple's defaults.
    public init() {}
}

/// How often an app was woken for its sessions since the user opened it, in short order.
public struct TransferWakes: Hashable, Sendable, Codable {
    /// So often.
    public var count: Int32
    /// The last time, on the clock that counts transfers' spans.
    public var last: Nanoseconds

    /// So many wakes.
    public init(count: Int32, last: Nanoseconds) {
        self.count = count
        self.last = last
    }
}

/// What is kept of a background session. Owed.
public struct TransferSessionRecord: Hashable, Sendable, Codable {
    /// Its number.
    public var id: TransferSessionID
    /// The app's name for it.
    public var identifier: SessionIdentifier
    /// What the app last said of it.
    public var configuration: TransferSessionConfiguration
    /// `finishTasksAndInvalidate` was called: it goes when its last task has gone.
    public var isFinishing = false
    /// The app has still to be told that all of it is done: it was not in front when the last task ended.
    public var owesEvents = false
    /// Up to this place among the outcomes of its tasks the app was told, or called for, or is not to be.
    public var toldPlace: Int64?
    /// The wakes of its app that count for R-61, where the last of them was for this session.
    public var wakes: TransferWakes?
    /// Since when the device allows transfers what it does, on the wall clock.
    public var gatesSince: Nanoseconds?
    /// The clock that counts the spans of its tasks, as it was when it was last kept; nil in what an older system kept.
    public var clock: TransferClock?

    /// A session that was just opened.
    public init(id: TransferSessionID, identifier: SessionIdentifier, configuration: TransferSessionConfiguration) {
        self.id = id
        self.identifier = identifier
        self.configuration = configuration
    }
}
