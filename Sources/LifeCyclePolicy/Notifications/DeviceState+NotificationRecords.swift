import LifeCycleModel

extension DeviceState {
    /// All that is known of local notifications, as it is kept.
    var notificationRecords: NotificationRecords {
        var records = NotificationRecords()
        for (_, client) in notifications.clients {
            records.clients.append(client.record)
            records.scheduled += client.scheduled.map(\.record)
            records.delivered += client.delivered
        }
        return records
    }

    /// When a scheduled notification fires next, on the wall clock; nil where that cannot be told yet, or it never does.
    func notificationDue(_ id: NotificationID) -> Nanoseconds? {
        guard let client = notifications.clients[id.app], let index = client.index(of: id) else { return nil }
        return client.scheduled[index].due
    }
}
