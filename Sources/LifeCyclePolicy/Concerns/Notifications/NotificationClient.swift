import LifeCycleModel

/// One app's local notifications: those that are scheduled, and those that have fired and were not dealt with.
struct NotificationClient: Hashable, Sendable, Codable {
    /// One that is scheduled, and when it is due next.
    struct Scheduled: Hashable, Sendable, Codable {
        var record: ScheduledRecord
        /// On the wall clock. Nil before that can be told: its zone, or the device's, was not read; or it never is.
        var due: Nanoseconds?

        /// By which it counts among the soonest: as long as nobody knows what its zone's clocks show, those of UTC.
        var rank: Nanoseconds { due ?? (record.start == nil ? record.notification.fireDate : nil) ?? .distantFuture }

        /// The beginning of the year 2200: what is due later is never, and the clocks' sums stay within their bounds.
        private static let furthest = Nanoseconds.seconds(7_258_118_400)

        /// When it is due by now. What was reckoned before holds no more where the device is in another zone.
        mutating func reckon(local zone: ZoneRules?) {
            due = nil
            guard let start = record.start, let zone = record.notification.timeZone == nil ? .utc : zone else { return }
            let recurrence = Recurrence(start: start, interval: record.notification.repeats)
            due = recurrence.next(after: record.last, in: zone).flatMap { $0 < Self.furthest ? $0 : nil }
        }
    }

    /// An app that was launched because the user opened it by a notification.
    struct Opening: Hashable, Sendable, Codable {
        let launch: LaunchID
        let notification: DeliveredRecord
        /// Whether it is to be called for it besides.
        var isOwed = false
    }

    var record: NotificationClientRecord
    /// By number.
    private(set) var scheduled: [Scheduled] = []
    /// In the order they fired.
    var delivered: [DeliveredRecord] = []
    var opening: Opening?
    /// What the app has last heard of its notifications is not so any more, and it could not be told.
    var isStale = false

    init(record: NotificationClientRecord) { self.record = record }

    /// Whether more is scheduled than is kept of an app.
    func scheduledTooMuch(_ policy: Policy) -> Bool {
        scheduled.count > policy.notificationsPerApp
            || scheduled.reduce(0) { $0 + $1.record.notification.weight } > policy.notificationBytesPerApp
    }

    /// Whether more is shown than is kept of an app.
    func deliveredTooMuch(_ policy: Policy, _ contents: PushContents) -> Bool {
        delivered.count > policy.deliveredPerApp
            || delivered.reduce(0) {
                $0 + $1.notification.weight + Int64($1.push.flatMap { contents[$0] }?.payload.utf8.count ?? 0)
            } > policy.notificationBytesPerApp
    }

    init(record: NotificationClientRecord, scheduled: [ScheduledRecord], delivered: [DeliveredRecord]) {
        self.record = record
        self.scheduled = scheduled.sorted { $0.id < $1.id }.map { Scheduled(record: $0, due: nil) }
        self.delivered = delivered.sorted { $0.id < $1.id }
    }

    /// How it stands in this launch.
    func status(of launch: LaunchID, policy: Policy) -> NotificationStatus {
        NotificationStatus(
            heard: record.launch == launch.number ? record.heard : 0, badge: record.badge, types: allowed(by: policy))
    }

    /// What it may show.
    func allowed(by policy: Policy) -> NotificationTypes {
        if !record.isAllowed { return [] }
        return policy.notificationsNeedRegistration ? record.registered ?? [] : .all
    }

    /// Why nothing of a notification is shown.
    func reasonNotToShow(_ fired: DeliveredRecord, _ contents: PushContents) -> NotShownReason {
        let presentation = fired.push.flatMap { contents[$0] }?.presentation
        let kinds = presentation?.kinds(allowed: .all) ?? fired.notification.kinds(allowed: .all)
        if kinds.isEmpty { return .nothingToShow }
        return record.isAllowed ? .notRegistered : .notAllowed
    }

    /// The number of its next notification.
    mutating func nextID() -> NotificationID {
        record.lastNumber += 1
        return NotificationID(app: record.app, number: record.lastNumber)
    }

    // MARK: The scheduled ones

    func index(of id: NotificationID) -> Int? {
        var (low, high) = (0, scheduled.count)
        while low < high {
            let middle = (low + high) / 2
            if scheduled[middle].record.id < id { low = middle + 1 } else { high = middle }
        }
        return low < scheduled.count && scheduled[low].record.id == id ? low : nil
    }

    /// Its number is the highest.
    mutating func add(_ new: Scheduled) { scheduled.append(new) }

    mutating func remove(at index: Int) { scheduled.remove(at: index) }

    mutating func change(at index: Int, _ change: (inout Scheduled) -> Void) { change(&scheduled[index]) }

    /// The one that fires last; of several the newest.
    var last: Int? {
        scheduled.indices.max { (scheduled[$0].rank, $0) < (scheduled[$1].rank, $1) }
    }
}
