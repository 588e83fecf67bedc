import LifeCycleModel

/// A remote notification with its id. Records, calls and decisions refer to it by the id.
struct Push {
    let id: PushID
    let notification: RemoteNotification
}

/// The remote notifications that are in use, with one copy of each.
///
/// ```
///   arrived ──held back, displayed──▶ recorded
///      │                                 │ no record refers to it
///      └──▶ called for, tapped ◀─────────┘
///                  │ no call refers to it
///                  └──▶ gone
/// ```
struct PushContents: Hashable, Sendable, Codable {
    private struct Content: Hashable, Sendable, Codable {
        let notification: RemoteNotification
        var isRecorded = false
    }

    private var contents = SortedMap<PushID, Content>()
    /// The notifications that may have no record. They are checked when an event ends.
    private var unsettled = SortedMap<PushID, Present>()
    private var lastPush: Int64 = 0

    init(records: [RemoteRecord] = []) {
        for record in records {
            guard let notification = record.notification else { continue }
            contents.set(Content(notification: notification, isRecorded: true), for: record.id)
            unsettled.insert(record.id)
            lastPush = max(lastPush, record.id.number)
        }
    }

    subscript(id: PushID) -> RemoteNotification? { contents[id]?.notification }

    /// The notifications to check when an event ends.
    var toSettle: [PushID] { unsettled.keys }
    /// All remote notifications in use, in the order of their ids.
    var list: [RemoteRecord] { contents.map { RemoteRecord(id: $0.key, notification: $0.value.notification) } }

    /// Numbers a notification that has arrived, and stores its contents.
    mutating func arrived(_ notification: RemoteNotification, for app: AppID) -> Push {
        lastPush += 1
        let id = PushID(app: app, number: lastPush)
        contents.set(Content(notification: notification), for: id)
        unsettled.insert(id)
        return Push(id: id, notification: notification)
    }

    /// A record that refers to the notification is about to be persisted.
    mutating func record(_ id: PushID, into actions: inout Actions<Notifications>) {
        guard contents[id]?.isRecorded == false else { return }
        contents.update(id) { $0.isRecorded = true }
        actions.persist(.notification(.remote(RemoteRecord(id: id))))
    }

    /// A record no longer refers to the notification.
    mutating func unrecorded(_ id: PushID) { unsettled.insert(id) }

    /// An event ends. `isRecorded`: a record refers to the notification. `isInUse`: a record, a call or an opening app
    /// refers to it.
    mutating func settle(
        _ id: PushID, isRecorded: Bool, isInUse: Bool, into actions: inout Actions<Notifications>
    ) {
        if isRecorded || !isInUse { unsettled.remove(id) }
        guard !isRecorded, let content = contents[id] else { return }
        if content.isRecorded {
            contents.update(id) { $0.isRecorded = false }
            actions.persist(.notification(.remoteRemoved(id)))
        }
        if !isInUse { contents.remove(id) }
    }

    /// The app was removed.
    mutating func forget(_ app: AppID) {
        for id in contents.keys where id.app == app {
            contents.remove(id)
            unsettled.remove(id)
        }
    }
}
