import LifeCycleModel

/// An app that uses the location, or that the user decided about.
struct LocationClient: Hashable, Sendable, Codable {
    /// Standard updates of a launch.
    struct Updates: Hashable, Sendable, Codable {
        let launch: LaunchID
        /// The updates, as the app asks for them.
        var options: StandardUpdates
        /// The newest position that the app was told, or that waits for it.
        var newest: LocationFix?
        /// The positions that wait until the app may receive them, oldest first.
        var waiting: [LocationFix] = []
        /// Whether the app is about to be called with earlier positions.
        var isCalling = false
        /// Whether the app was in the foreground since they began.
        var wereInForeground = false
        /// Whether the system has paused them.
        var arePaused = false
        /// The position near which the device has stayed in the background, and since when, on the wall clock.
        var still: Still?

        struct Still: Hashable, Sendable, Codable {
            let fix: LocationFix
            var since: Nanoseconds
        }

        /// Updates that begin, or begin again: no position waits, and none was told.
        init(launch: LaunchID, options: StandardUpdates) { (self.launch, self.options) = (launch, options) }

        /// The updates of a session, after a restart of the system. With a background activity session they may have
        /// begun in the background.
        init(_ session: LocationSession, hasActivity: Bool) {
            (launch, options, wereInForeground) = (session.launch, session.updates, !hasActivity)
        }

        /// Takes a new position, unless it is too near to the last one, or the updates are paused.
        mutating func take(_ fix: LocationFix, most: Int64) {
            if arePaused { return }
            if let newest, options.distanceFilter > 0, newest.distance(to: fix) < options.distanceFilter { return }
            newest = fix
            waiting.append(fix)
            if waiting.count > most { waiting.removeFirst(waiting.count - Int(most)) }
        }
    }

    /// A launch's request for one position.
    struct PositionRequest: Hashable, Sendable, Codable {
        let launch: LaunchID
        /// The time until which a new position is awaited, on the wall clock; nil while the app may not receive it.
        var until: Nanoseconds?
        /// Whether the app is about to be called with the answer.
        var isCalling = false

        init(launch: LaunchID) { self.launch = launch }
    }

    /// The next launch of an app whose background activity session was interrupted. Times are on the wall clock.
    struct Continuation: Hashable, Sendable, Codable {
        /// The time from which a new position launches the app; nil for now.
        var since: Nanoseconds?
        /// The position that was known at the interruption; it is not new.
        var known: LocationFix?
        /// The time from which the receiver looks for a new position; nil for now.
        var looksAt: Nanoseconds?
        /// Whether the app is about to be called with the position that launches it.
        var isCalling = false
    }

    var record: LocationRecord
    var updates: Updates?
    var request: PositionRequest?
    /// The assertion that keeps the app running in the background; nil if there is none.
    var assertion: Assertion?
    /// The obstacle to a wake for the present significant change; nil if there is none, or no change.
    var obstacle: WakeRefusal?
    /// The time from which the receiver looks for the next significant change, on the wall clock; nil for now.
    var looksAt: Nanoseconds?
    /// The next launch of the app for its background activity session.
    var continuation = Continuation()
    /// The crossings of the app's regions, and the next look at them.
    var watch = RegionWatch()
    /// The launch that has connected to this system; nil if none has.
    var attached: LaunchID?
    /// Whether that launch has to be told the newest permission, and its regions.
    var isStale = false

    init(record: LocationRecord) {
        self.record = record
        updates = record.session.map { Updates($0, hasActivity: record.activity?.launch == $0.launch) }
    }

    /// The distance in centimetres by which a position differs significantly from what the app was told; nil if it does
    /// not.
    func significantDistance(to fix: LocationFix, policy: Policy) -> Int64? {
        guard let told = record.told else { return nil }
        let distance = told.distance(to: fix)
        return distance >= policy.significantDistance ? distance : nil
    }

    /// The time from which the app may be told of a significant change, on the wall clock.
    func mayBeTold(by policy: Policy) -> Nanoseconds? { record.toldAt.map { $0 + policy.significantPause } }
}
