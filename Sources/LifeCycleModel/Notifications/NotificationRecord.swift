/// What is kept of an app that has to do with notifications.
public struct NotificationClientRecord: Hashable, Sendable, Codable {
    /// The app's number.
    public let app: AppID
    /// What its badge shows.
    public var badge: Int32 = 0
    /// What it has registered for; nil where it has never.
    public var registered: NotificationTypes?
    /// Whether the user lets it show notifications.
    public var isAllowed = true
    /// The highest number that was given to one of its notifications.
    public var lastNumber: Int64 = 0
    /// The last launch that did something with its notifications, and the number of what it did last.
    public var launch: Int32 = 0
    /// See `launch`.
    public var heard: Int64 = 0

    /// An app that has done nothing yet.
    public init(app: AppID) { self.app = app }
}

/// What is kept of a notification that is scheduled.
public struct ScheduledRecord: Hashable, Sendable, Codable {
    /// Which one.
    public let id: NotificationID
    /// What the app has asked for.
    public let notification: LocalNotification
    /// When it fires first, as a clock shows it: in UTC where it has no zone. Nil before its zone was read.
    public var start: CivilTime?
    /// When it last fired, on the wall clock: the time it was due, not when that was noticed.
    public var last: Nanoseconds?

    /// One that has not fired.
    public init(id: NotificationID, notification: LocalNotification, start: CivilTime?, last: Nanoseconds? = nil) {
        self.id = id
        self.notification = notification
        self.start = start
        self.last = last
    }
}

/// What is kept of a notification that has fired, until the user has dealt with it.
public struct DeliveredRecord: Hashable, Sendable, Codable {
    /// Which one: not the number it was scheduled under, since it may fire again.
    public let id: NotificationID
    /// What it says.
    public let notification: LocalNotification
    /// What of it the user lets the app show.
    public var types: NotificationTypes
    /// When it was due, on the wall clock.
    public let fired: Nanoseconds
    /// How far it has come.
    public var stage: Stage
    /// The remote notification that it displays; nil for a notification of the app's own.
    public let push: PushID?

    /// How far a notification has come that has fired.
    public enum Stage: String, Hashable, Sendable, Codable, CaseIterable {
        /// The app in front is to be handed it, and was not called yet.
        case handed
        /// Its sound is looked at.
        case sounding
        /// It is shown.
        case shown
    }

    /// One that has just fired.
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

    /// What an app is called with that the user has opened by it.
    public var call: ConcernCall {
        push.map { .notification(.receivedRemote(.of($0))) } ?? .notification(.received(notification))
    }
}

/// The one copy of a remote notification to which a `PushRecord`, a `DeliveredRecord` or both refer.
public struct RemoteRecord: Hashable, Sendable, Codable {
    /// The id by which the others refer to the notification.
    public let id: PushID
    /// The payload and what was parsed from it. Nil in an effect, since the journal has the payload in the event;
    /// `Device.filled` adds it before the record is stored.
    public var notification: RemoteNotification?

    /// A remote notification that is to be persisted, or is.
    public init(id: PushID, notification: RemoteNotification? = nil) {
        self.id = id
        self.notification = notification
    }
}

/// A change of what is kept of notifications. When an app is gone, so is all of it.
public enum NotificationRecord: Hashable, Sendable, Codable {
    case client(NotificationClientRecord)
    case scheduled(ScheduledRecord)
    case unscheduled(NotificationID)
    indirect case delivered(DeliveredRecord)
    case removed(NotificationID)
    indirect case remote(RemoteRecord)
    case remoteRemoved(PushID)
}

/// All that is kept of notifications.
public struct NotificationRecords: Hashable, Sendable, Codable {
    /// By app.
    public var clients: [NotificationClientRecord] = []
    /// By number.
    public var scheduled: [ScheduledRecord] = []
    /// By number.
    public var delivered: [DeliveredRecord] = []
    /// By id: the remote notifications that are held back or displayed.
    public var remotes: [RemoteRecord] = []

    /// Nothing.
    public init() {}
}

extension NotificationRecords {
    /// Takes in a change, as a store does.
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

    /// The app is gone.
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
    /// The notifications of an app.
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
