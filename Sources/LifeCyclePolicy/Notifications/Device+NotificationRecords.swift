public import LifeCycleModel

extension Device {
    /// All that is known of local notifications, as it is kept.
    public var notificationRecords: NotificationRecords {
        var records = NotificationRecords()
        for (_, client) in notifications.clients {
            records.clients.append(client.record)
            records.scheduled += client.scheduled.map(\.record)
            records.delivered += client.delivered
        }
        return records
    }

    /// When a scheduled notification fires next, on the wall clock; nil where that cannot be told yet, or it never does.
    public func notificationDue(_ id: NotificationID) -> Nanoseconds? {
        guard let client = notifications.clients[id.app], let index = client.index(of: id) else { return nil }
        return client.scheduled[index].due
    }

    /// The name of the zone that the device's clocks show, as far as anything has told.
    public var localZone: String? { surroundings.zone?.name }
}
