/// The configuration of a background session: its `URLSessionConfiguration`.
public struct TransferSessionConfiguration: Hashable, Sendable, Codable {
    /// `sessionSendsLaunchEvents`: whether the app is woken or launched when all tasks have ended.
    public var sendsLaunchEvents = true
    /// `isDiscretionary`: whether the system chooses the time.
    public var isDiscretionary = false
    /// The networks that the session may use.
    public var networks = NetworkAccess()
    /// `httpMaximumConnectionsPerHost`.
    public var connectionsPerHost: Int32 = 6
    /// `httpAdditionalHeaders`.
    public var fields: [HTTPField] = []
    /// `timeoutIntervalForRequest`: the time without a received byte after which a transfer is retried.
    public var requestTimeout = Nanoseconds.seconds(60)
    /// `timeoutIntervalForResource`: the total time after which a transfer fails.
    public var resourceTimeout = Nanoseconds.seconds(604_800)
    /// `sharedContainerIdentifier`: stored and returned without effect, since an app has one container.
    public var sharedContainer: String?

    /// Apple's defaults.
    public init() {}
}

/// The wakes of an app for its sessions, in quick succession, since the user opened it.
public struct TransferWakes: Hashable, Sendable, Codable {
    /// The number of wakes.
    public var count: Int32
    /// The time of the last wake, on the steady clock.
    public var last: Nanoseconds

    /// Created by the brain for a session's record after a wake.
    public init(count: Int32, last: Nanoseconds) {
        self.count = count
        self.last = last
    }
}

/// The persisted record of a background session, which must survive power loss.
public struct TransferSessionRecord: Hashable, Sendable, Codable {
    /// The app, and the number among its sessions.
    public var id: TransferSessionID
    /// The app's name for the session.
    public var identifier: SessionIdentifier
    /// The configuration from the app's last `open`.
    public var configuration: TransferSessionConfiguration
    /// Whether `finishTasksAndInvalidate` was called: the session is removed with its last task.
    public var isFinishing = false
    /// Whether the app has still to be notified that all tasks have ended: at that time the app was suspended or
    /// not running.
    public var areEventsPending = false
    /// The place of the last outcome for which the app was woken, or is not to be woken; nil before the first.
    public var lastWokenPlace: Int64?
    /// The app's wakes that count for R-61, as of the last wake for this session; nil if there was no wake.
    public var wakes: TransferWakes?
    /// The time at which the device's conditions for transfers last changed, on the wall clock.
    public var gatesSince: Nanoseconds?
    /// The last persisted reading of the steady clock; nil in records of older systems.
    public var clock: TransferClock?

    private enum CodingKeys: String, CodingKey {
        case id, identifier, configuration, isFinishing
        /// The keys in the store.
        case areEventsPending = "owesEvents"
        case lastWokenPlace = "toldPlace"
        case wakes, gatesSince, clock
    }

    /// The record of a session that was just opened.
    public init(id: TransferSessionID, identifier: SessionIdentifier, configuration: TransferSessionConfiguration) {
        self.id = id
        self.identifier = identifier
        self.configuration = configuration
    }
}
