import LifeCycleModel
import LifeCyclePolicy
import RoostWire

/// Local notifications, as people look at them and answer them.
extension ControlServer {
    /// So many are told at once: a reply stays below what a client takes.
    private static let most = 5000
    /// What a notification says is cut after so many characters.
    private static let longestText = 200

    func notifications(of app: BundleIdentifier?) throws(ControlFailure) -> [NotificationSummary] {
        let number = try number(of: app)
        let records = supervisor.device.notificationRecords
        let delivered = records.delivered.filter { number == nil || $0.id.app == number }.prefix(Self.most)
        let scheduled = records.scheduled.filter { number == nil || $0.id.app == number }
            .prefix(Self.most - delivered.count)
        return delivered.compactMap {
            summary($0.id, $0.notification, state: $0.stage.rawValue, at: $0.fired)
        }
            + scheduled.compactMap {
                summary($0.id, $0.notification, state: "scheduled", at: supervisor.device.notificationDue($0.id))
            }
    }

    private func summary(
        _ id: NotificationID, _ notification: LocalNotification, state: String, at time: Nanoseconds?
    ) -> NotificationSummary? {
        guard let app = supervisor.identifiers[id.app] else { return nil }
        var summary = NotificationSummary(number: id.number, app: app, state: state)
        summary.at = time
        summary.repeats = notification.repeats?.rawValue
        summary.timeZone = notification.timeZone
        summary.title = notification.alertTitle.map { String($0.prefix(Self.longestText)) }
        summary.body = notification.alertBody.map { String($0.prefix(Self.longestText)) }
        return summary
    }

    func answer(
        _ number: Int64, of app: BundleIdentifier, _ wish: NotificationWish
    ) throws(ControlFailure) -> ControlReply {
        try act(on: app) { app in
            let id = NotificationID(app: app, number: number)
            return .notification(wish == .tap ? .tapped(id) : .dismissed(id))
        }
    }
}
