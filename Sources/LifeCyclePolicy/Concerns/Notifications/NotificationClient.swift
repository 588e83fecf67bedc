import LifeCycleModel

/// One app's local notifications: the scheduled notifications, and the fired notifications that are displayed or to be
/// delivered.
struct NotificationClient: Hashable, Sendable, Codable {
    /// A scheduled notification with its next due time.
    struct Scheduled: Hashable, Sendable, Codable {
        var record: ScheduledRecord
        /// On the wall clock. Nil if the notification is never due, or if the rules of its zone or the device's zone
        /// are not read yet.
        var due: Nanoseconds?

        /// The time by which the soonest notifications are chosen. While the zone is unknown, the time is the fire date
        /// in UTC.
        var rank: Nanoseconds { due ?? (record.start == nil ? record.notification.fireDate : nil) ?? .distantFuture }

        /// The beginning of the year 2200. A later due time counts as never, so that sums of times cannot overflow.
        private static let furthest = Nanoseconds.seconds(7_258_118_400)

        /// Computes `due` again. An earlier result is invalid once the device is in another zone.
        mutating func reckon(local zone: ZoneRules?) {
            due = nil
            guard let start = record.start, let zone = record.notification.timeZone == nil ? .utc : zone else { return }
            let recurrence = Recurrence(start: start, interval: record.notification.repeats)
            due = recurrence.next(after: record.last, in: zone).flatMap { $0 < Self.furthest ? $0 : nil }
        }
    }

    /// A launch that was started because the user tapped a notification.
    struct Opening: Hashable, Sendable, Codable {
        let launch: LaunchID
        let notification: DeliveredRecord
        /// Whether the app is also called with the notification, which is already in its launch options.
        var isCallPending = false
    }

    var record: NotificationClientRecord
    /// By number.
    private(set) var scheduled: [Scheduled] = []
    /// In the order in which they fired.
    var delivered: [DeliveredRecord] = []
    var opening: Opening?
    /// Whether the app's view of its notifications is out of date, because the app was suspended when they changed.
    var isStale = false

    init(record: NotificationClientRecord) { self.record = record }

    /// Whether the app's scheduled notifications exceed the policy's limits for their number or size.
    func scheduledTooMuch(_ policy: Policy) -> Bool {
        scheduled.count > policy.notificationsPerApp
            || scheduled.reduce(0) { $0 + $1.record.notification.weight } > policy.notificationBytesPerApp
    }

    /// Whether the app's delivered notifications exceed the policy's limits for their number or size.
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

    /// The state of the app's notifications, as a launch of the app receives it.
    func status(of launch: LaunchID, policy: Policy) -> NotificationStatus {
        NotificationStatus(
            received: record.launch == launch.number ? record.received : 0, badge: record.badge,
            types: allowed(by: policy))
    }

    /// The kinds of notification that the app may display.
    func allowed(by policy: Policy) -> NotificationTypes {
        if !record.isAllowed { return [] }
        return policy.notificationsNeedRegistration ? record.registered ?? [] : .all
    }

    /// Why nothing of a notification is displayed.
    func reasonNotToShow(_ fired: DeliveredRecord, _ contents: PushContents) -> NotShownReason {
        let presentation = fired.push.flatMap { contents[$0] }?.presentation
        let kinds = presentation?.kinds(allowed: .all) ?? fired.notification.kinds(allowed: .all)
        if kinds.isEmpty { return .nothingToShow }
        return record.isAllowed ? .notRegistered : .notAllowed
    }

    /// Takes the number for the app's next notification.
    mutating func nextID() -> NotificationID {
        record.lastNumber += 1
        return NotificationID(app: record.app, number: record.lastNumber)
    }

    // MARK: Scheduled notifications

    func index(of id: NotificationID) -> Int? {
        var (low, high) = (0, scheduled.count)
        while low < high {
            let middle = (low + high) / 2
            if scheduled[middle].record.id < id { low = middle + 1 } else { high = middle }
        }
        return low < scheduled.count && scheduled[low].record.id == id ? low : nil
    }

    /// Adds a notification, whose number must be the highest.
    mutating func add(_ new: Scheduled) { scheduled.append(new) }

    mutating func remove(at index: Int) { scheduled.remove(at: index) }

    mutating func change(at index: Int, _ change: (inout Scheduled) -> Void) { change(&scheduled[index]) }

    /// The index of the notification that fires last; of several at the same time, the newest. Nil if no notification
    /// is scheduled.
    var last: Int? {
        scheduled.indices.max { (scheduled[$0].rank, $0) < (scheduled[$1].rank, $1) }
    }
}
