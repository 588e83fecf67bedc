import LifeCycleModel
import LifeCyclePolicy
import RoostWire

/// Notifications for the control interface.
extension ControlServer {
    /// The most notifications in one reply, which keeps the reply below a client's limit.
    private static let most = 5000
    /// The most bytes of texts and data in one reply. In the worst case, JSON escapes text to six times its length.
    private static let mostBytes = 2 << 20
    /// The most characters of each text after that limit.
    private static let longestText = 200

    func notifications(of app: BundleIdentifier?) throws(ControlFailure) -> [NotificationSummary] {
        let number = try number(of: app)
        let records = supervisor.device.notificationRecords
        let delivered = records.delivered.filter { number == nil || $0.id.app == number }.prefix(Self.most)
        let scheduled = records.scheduled.filter { number == nil || $0.id.app == number }
            .prefix(Self.most - delivered.count)
        var all = delivered.compactMap(summary) + scheduled.compactMap(summary)
        var bytes = 0
        for index in all.indices {
            bytes += all[index].weight
            if bytes > Self.mostBytes { all[index].cut(after: Self.longestText) }
        }
        return all
    }

    private func summary(_ record: DeliveredRecord) -> NotificationSummary? {
        guard let app = supervisor.identifiers[record.id.app] else { return nil }
        var summary = NotificationSummary(
            record.id, of: app, record.notification, state: record.stage.word, types: record.types,
            remote: record.push.flatMap(supervisor.device.remoteNotification))
        summary.at = record.fired
        return summary
    }

    private func summary(_ record: ScheduledRecord) -> NotificationSummary? {
        guard let app = supervisor.identifiers[record.id.app] else { return nil }
        var summary = NotificationSummary(record.id, of: app, record.notification, state: "scheduled")
        summary.at = supervisor.device.notificationDue(record.id)
        return summary
    }
}
