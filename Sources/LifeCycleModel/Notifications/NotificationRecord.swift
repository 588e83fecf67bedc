/// The persisted record of an app that uses notifications.
public struct NotificationClientRecord: Hashable, Sendable, Codable {
    /// The app that uses notifications.
    public let app: AppID
    /// The number on the app's badge.
    public var badge: Int32 = 0
    /// The kinds that the app has registered for; nil if it has never registered.
    public var registered: NotificationTypes?
    /// Whether the user allows the app to display notifications.
    public var isAllowed = true
    /// The highest number of the app's notifications.
    public var lastNumber: Int64 = 0
    /// The number of the last launch that made requests about notifications.
    public var launch: Int32 = 0
    /// The number of that launch's last received request.
    public var received: Int64 = 0

    private enum CodingKeys: String, CodingKey {
        case app, badge, registered, isAllowed, lastNumber, launch
        /// The key in the store.
        case received = "heard"
    }

    /// The record of an app that has made no request yet.
    public init(app: AppID) { self.app = app }
}

/// The persisted record of a scheduled notification.
public struct ScheduledRecord: Hashable, Sendable, Codable {
    /// The id of the scheduled notification. Each delivery has its own id, since the notification may fire again.
    public let id: NotificationID
    /// The notification as the app scheduled it.
    public let notification: LocalNotification
    /// The civil time of the first firing, in UTC if the notification has no zone. Nil before its zone is read.
    public var start: CivilTime?
    /// The time of the last firing, on the wall clock. Missed firings before that time are not made up for.
    public var last: Nanoseconds?

    /// The record of a notification; by default it has not fired yet.
    public init(id: NotificationID, notification: LocalNotification, start: CivilTime?, last: Nanoseconds? = nil) {
        self.id = id
        self.notification = notification
        self.start = start
        self.last = last
    }
}

/// The persisted record of a notification that fired, until the user answers it.
public struct DeliveredRecord: Hashable, Sendable, Codable {
    /// The id of this delivery. The scheduled notification has another id, since it may fire again.
    public let id: NotificationID
    /// The contents.
    public let notification: LocalNotification
    /// The kinds of the notification that the app may display.
    public var types: NotificationTypes
    /// The due time, on the wall clock.
    public let fired: Nanoseconds
    /// The progress of the delivery.
    public var stage: Stage
    /// The remote notification that this record displays; nil for a local notification.
    public let push: PushID?

    /// The progress of a fired notification.
    public enum Stage: String, Hashable, Sendable, Codable, CaseIterable {
        /// The foreground app is to be called with it, and has not been called yet.
        case delivering = "handed"
        /// The sound file is being examined.
        case sounding
        /// The notification is displayed.
        case shown

        /// The word for programs. The raw value is that of the store.
        public var word: String {
            switch self {
            case .delivering: "delivering"
            case .sounding, .shown: rawValue
            }
        }
    }

    /// The record of a notification that has just fired.
    public init(
        id: NotificationID, notification: LocalNotification, types: NotificationTypes, fired: Nanoseconds, stage: Stage,
        push: PushID? = nil
    ) {
        self.id = id
        self.notification = notification
        self.types = types
        self.fired = fired
        self.stage = stage
        self.push = push
    }

    /// The call of an app that the user opened with the notification.
    public var call: ConcernCall {
        push.map { .notification(.receivedRemote(.of($0))) } ?? .notification(.received(notification))
    }
}

/// The only copy of a remote notification. A `PushRecord`, a `DeliveredRecord` or both refer to it.
public struct RemoteRecord: Hashable, Sendable, Codable {
    /// The id by which other records refer to the notification.
    public let id: PushID
    /// The payload and the values parsed from it. Nil in an effect, since the journal has the payload in the event.
    /// `Device.filled` adds it before the record is stored.
    public var notification: RemoteNotification?

    /// An effect has no notification: see `notification`.
    public init(id: PushID, notification: RemoteNotification? = nil) {
        self.id = id
        self.notification = notification
    }
}

/// A change of the records of notifications. When an app is removed, so are all its records.
public enum NotificationRecord: Hashable, Sendable, Codable {
    case client(NotificationClientRecord)
    case scheduled(ScheduledRecord)
    case unscheduled(NotificationID)
    indirect case delivered(DeliveredRecord)
    case removed(NotificationID)
    indirect case remote(RemoteRecord)
    case remoteRemoved(PushID)
}

/// The part of the store that belongs to notifications, from which they are restored.
public struct NotificationRecords: Hashable, Sendable, Codable {
    /// By app.
    public var clients: [NotificationClientRecord] = []
    /// By number.
    public var scheduled: [ScheduledRecord] = []
    /// By number.
    public var delivered: [DeliveredRecord] = []
    /// The remote notifications that are held back or displayed, by id.
    public var remotes: [RemoteRecord] = []

    /// Makes an empty set of records.
    public init() {}
}

extension NotificationRecords {
    /// Applies a change, as a store does.
    public mutating func apply(_ change: NotificationRecord) {
        switch change {
        case .client(let record): Self.put(record, into: &clients, \.app)
        case .scheduled(let record): Self.put(record, into: &scheduled, \.id)
        case .unscheduled(let id): scheduled.removeAll { $0.id == id }
        case .delivered(let record): Self.put(record, into: &delivered, \.id)
        case .removed(let id): delivered.removeAll { $0.id == id }
        case .remote(let record): Self.put(record, into: &remotes, \.id)
        case .remoteRemoved(let id): remotes.removeAll { $0.id == id }
        }
    }

    /// The app was removed.
    public mutating func forget(_ app: AppID) {
        clients.removeAll { $0.app == app }
        scheduled.removeAll { $0.id.app == app }
        delivered.removeAll { $0.id.app == app }
        remotes.removeAll { $0.id.app == app }
    }

    private static func put<Element, Key: Comparable>(
        _ new: Element, into all: inout [Element], _ key: (Element) -> Key
    ) {
        let place = all.firstIndex { key($0) >= key(new) } ?? all.count
        if place < all.count, key(all[place]) == key(new) { all[place] = new } else { all.insert(new, at: place) }
    }
}

extension RecordSubject {
    /// The local notifications of an app, scheduled and delivered.
    public static func notifications(of app: AppID) -> RecordSubject { RecordSubject("notifications", of: app) }
    /// The registration of an app for remote notifications.
    public static func registration(of app: AppID) -> RecordSubject { RecordSubject("registration", of: app) }
}

extension NotificationRecord: RecordedChange {
    package var subject: RecordSubject {
        switch self {
        case .client(let record): Self.subject(of: record.app, group: 1)
        case .scheduled(let record): Self.subject(of: record.id.app, group: 2, number: record.id.number)
        case .unscheduled(let id): Self.subject(of: id.app, group: 2, number: id.number)
        case .delivered(let record): Self.subject(of: record.id.app, group: 3, number: record.id.number)
        case .removed(let id): Self.subject(of: id.app, group: 3, number: id.number)
        case .remote(let record): Self.subject(of: record.id.app, group: 4, number: record.id.number)
        case .remoteRemoved(let id): Self.subject(of: id.app, group: 4, number: id.number)
        }
    }
    package var isRemoval: Bool {
        switch self {
        case .unscheduled, .removed, .remoteRemoved: true
        case .client, .scheduled, .delivered, .remote: false
        }
    }
    package var subjectsBuiltUpon: [RecordSubject] { [.notifications(of: subject.app)] }

    private static func subject(of app: AppID, group: Int32, number: Int64 = 0) -> RecordSubject {
        RecordSubject("notifications", of: app, group: group, number: number)
    }
}

extension PushRecord: RecordedChange {
    package var subject: RecordSubject { .registration(of: app) }
    package var isRemoval: Bool { false }
    package var subjectsBuiltUpon: [RecordSubject] { [subject] }
}

extension [ConcernRecord] {
    /// The records of notifications, by kind.
    public var notifications: NotificationRecords {
        var all = NotificationRecords()
        for case .notification(let change) in self {
            switch change {
            case .client(let record): all.clients.append(record)
            case .scheduled(let record): all.scheduled.append(record)
            case .delivered(let record): all.delivered.append(record)
            case .remote(let record): all.remotes.append(record)
            case .unscheduled, .removed, .remoteRemoved: break
            }
        }
        return all
    }
    /// The registrations for remote notifications.
    public var pushes: [PushRecord] { compactMap { if case .push(let record) = $0 { record } else { nil } } }
}
