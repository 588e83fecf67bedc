import LifeCycleModel
import LifeCyclePolicy

/// A notification fires only if it is scheduled, not before its time, and once for each of its times. A fired
/// notification is displayed at most once, after it was stored. The number of stored notifications is limited (R-100 to
/// A notification for the foreground app is delivered to it or displayed.
struct NotificationsFireOnce: Invariant {
    static let name = "notifications fire once"

    /// This and the following tables are for look-up only, so the order does not matter.
    private var scheduled: [NotificationID: ScheduledRecord] = [:]
    private var delivered: [NotificationID: DeliveredRecord] = [:]
    private var shown: Set<NotificationID> = []
    /// The notifications that foreground apps have yet to receive.
    private var delivering: Set<NotificationID> = []
    /// The last stored record of each notification, also of those that were removed.
    private var last: [NotificationID: ScheduledRecord] = [:]
    /// When each notification last fired, on the wall clock.
    private var fired: [NotificationID: Nanoseconds] = [:]

    init() {}

    init(_ device: Device) {
        let records = device.notificationRecords
        for record in records.scheduled {
            scheduled[record.id] = record
            last[record.id] = record
        }
        for record in records.delivered {
            delivered[record.id] = record
            if record.stage == .shown { shown.insert(record.id) }
            if record.stage == .delivering { delivering.insert(record.id) }
        }
    }

    mutating func check(_ turn: Observation) -> String? {
        for effect in turn.effects {
            switch effect {
            case .decided(.concern(.notification(.fired(let id, _)))):
                if let finding = checkFired(id, wall: turn.moment.wall) { return finding }
            case .concern(.notification(.show(let notification))):
                if let finding = checkShown(notification) { return finding }
            case .store(.concern(.notification(let change))): note(change)
            case .store(.appRemoved(let app)):
                scheduled = scheduled.filter { $0.key.app != app }
                delivered = delivered.filter { $0.key.app != app }
                delivering = delivering.filter { $0.app != app }
            default: break
            }
        }
        return checkCount(turn.effects, turn.policy) ?? checkDelivering(turn.snapshots, turn.foregroundApp)
    }

    /// Notifications are persisted.
    mutating func systemRestarted() {}

    private func checkDelivering(_ snapshots: [AppSnapshot], _ foregroundApp: AppID?) -> String? {
        for id in delivering.sorted() where id.app != foregroundApp {
            guard let snapshot = snapshots.first(where: { $0.record.app == id.app }) else { continue }
            // A background app may still be on its way to the foreground, which it reaches before it leaves.
            if snapshot.state == .suspended || snapshot.state == .notRunning {
                return "notification \(id) is neither delivered nor displayed"
            }
        }
        return nil
    }

    /// Checks a notification that fires. Its stored record changes before that decision.
    private mutating func checkFired(_ id: NotificationID, wall: Nanoseconds) -> String? {
        guard let record = last[id] else { return "notification \(id) fires, and was not scheduled" }
        guard let start = record.start else { return "notification \(id) fires before its zone is known" }
        if record.notification.timeZone == nil, start.utc > wall { return "notification \(id) fires before its time" }
        guard fired[id].map({ $0 < wall && record.notification.repeats != nil }) ?? true else {
            return "notification \(id) fires a second time"
        }
        fired[id] = wall
        guard let kept = scheduled[id] else {
            return record.notification.repeats == nil ? nil : "notification \(id) no longer fires after this"
        }
        // By the system's own clock, which may be behind by less than counts as setting the clock.
        return kept.last.map { $0 >= wall - .milliseconds(100) } ?? false
            ? nil : "notification \(id) fires, and it is not kept that it has"
    }

    private mutating func checkShown(_ notification: ShownNotification) -> String? {
        let id = notification.id
        guard shown.insert(id).inserted else { return "notification \(id) is shown a second time" }
        guard notification.types.contains(.alert) else { return nil }
        return delivered[id]?.stage == .shown ? nil : "notification \(id) is shown before it is kept"
    }

    private mutating func note(_ change: NotificationRecord) {
        switch change {
        case .client, .remote, .remoteRemoved: break
        case .scheduled(let record):
            scheduled[record.id] = record
            last[record.id] = record
        case .unscheduled(let id): scheduled[id] = nil
        case .delivered(let record):
            delivered[record.id] = record
            if record.stage == .delivering { delivering.insert(record.id) } else { delivering.remove(record.id) }
        case .removed(let id):
            delivered[id] = nil
            delivering.remove(id)
        }
    }

    private func checkCount(_ effects: [Effect], _ policy: Policy) -> String? {
        for case .store(.concern(.notification(.scheduled(let new)))) in effects {
            let count = scheduled.keys.count { $0.app == new.id.app }
            if count > policy.notificationsPerApp { return "\(new.id.app) has \(count) notifications scheduled" }
        }
        return nil
    }
}
