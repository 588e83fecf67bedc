import LifeCycleModel

/// The scheduled and the delivered local notifications, and their due times.
///
/// ```
///   scheduled ──due──▶ fired ──the app is in the foreground──▶ delivering ──called──▶ gone
///      │   ▲             │                                        │ left the foreground uncalled
///      │   └── repeats   └────────────────────────────────────────┴─▶ (sounding) ─▶ shown ──answered──▶ gone
///      └──canceled, discarded──▶ gone
/// ```
struct Notifications: Hashable, Sendable, Codable {
    /// The due time of a notification, with its id. Only the soonest has a deadline.
    struct Due: Hashable, Comparable, Sendable, Codable {
        let at: Nanoseconds
        let id: NotificationID

        static func < (left: Self, right: Self) -> Bool { (left.at, left.id) < (right.at, right.id) }
    }

    private(set) var clients = SortedMap<AppID, NotificationClient>()
    /// The scheduled notifications whose due time is known.
    private var queue = SortedMap<Due, Present>()
    /// The names of the zones that are being read, sorted.
    private var awaitedZones: [String] = []
    /// Remote notifications: the registrations, and the notifications that are held back.
    var pushes = Pushes()
    /// False after a restart of the system, until the system knows which launches still exist.
    private var isStarted = true
    /// The notifications that fired before a restart of the system and were not displayed.
    private var interrupted: [NotificationID] = []

    mutating func restore(_ persisted: [ConcernRecord], on device: DeviceState) {
        let records = persisted.notifications
        pushes = Pushes(records: persisted.pushes, contents: records.remotes)
        isStarted = records.clients.isEmpty
        interrupted = records.delivered.filter { $0.stage != .shown }.map(\.id)
        var scheduled: [AppID: [ScheduledRecord]] = [:]  // ordered: looked up only
        for record in records.scheduled { scheduled[record.id.app, default: []].append(record) }
        var delivered: [AppID: [DeliveredRecord]] = [:]  // ordered: looked up only
        for record in records.delivered { delivered[record.id.app, default: []].append(record) }
        for record in records.clients {
            let client = NotificationClient(
                record: record, scheduled: scheduled[record.app] ?? [], delivered: delivered[record.app] ?? [])
            clients.set(client, for: record.app)
            for entry in client.scheduled { reckon(entry.record.id, local: nil) }
        }
    }

    /// The due time of the soonest notification, on the wall clock; nil if no notification has a known due time.
    var nextTime: Nanoseconds? { queue.first?.key.at }
    /// The next due time of a scheduled notification, on the wall clock; nil if it is never due, or cannot be computed
    /// yet.
    func due(_ id: NotificationID) -> Nanoseconds? {
        clients[id.app].flatMap { client in client.index(of: id).flatMap { client.scheduled[$0].due } }
    }

    /// The records of all local notifications, as they are persisted.
    var records: NotificationRecords {
        var records = NotificationRecords()
        for (_, client) in clients {
            records.clients.append(client.record)
            records.scheduled += client.scheduled.map(\.record)
            records.delivered += client.delivered
        }
        return records
    }

    // MARK: Time

    /// Starts after a restart: requests the unread zones, and returns the notifications that fired and were not
    /// displayed.
    mutating func start(into actions: inout Actions<Notifications>) -> [DeliveredRecord] {
        guard !isStarted else { return [] }
        isStarted = true
        for (_, client) in clients {
            for entry in client.scheduled where entry.record.start == nil {
                if let zone = entry.record.notification.timeZone { read(zone, into: &actions) }
            }
        }
        defer { interrupted = [] }
        return interrupted.compactMap { delivered($0) }.filter { $0.stage != .shown }
    }

    /// Takes the next notification that is due, with its lateness. The notification is unscheduled, or rescheduled if
    /// it repeats.
    mutating func takeDue(
        at wallNow: Nanoseconds, local: ZoneRules?, into actions: inout Actions<Notifications>
    ) -> (entry: ScheduledRecord, isLast: Bool, due: Nanoseconds, late: Nanoseconds)? {
        guard let due = queue.first?.key, due.at <= wallNow else { return nil }
        queue.remove(due)
        guard let index = clients[due.id.app]?.index(of: due.id), let entry = clients[due.id.app]?.scheduled[index]
        else {
            actions.fail(due.id.app, .notificationNotScheduled)
            return nil
        }
        // Repetitions that were missed meanwhile are skipped.
        let now = max(due.at, wallNow)
        let isLast = entry.record.notification.repeats == nil
        if isLast {
            clients.update(due.id.app) { $0.remove(at: index) }
            actions.persist(.notification(.unscheduled(due.id)))
        } else {
            clients.update(due.id.app) { client in client.change(at: index) { $0.record.last = now } }
            reckon(due.id, local: local)
            if let record = clients[due.id.app]?.scheduled[index].record {
                actions.persist(.notification(.scheduled(record)))
            }
        }
        return (entry.record, isLast, due.at, now - due.at)
    }

    /// Computes the due time again, with the rules that are known now.
    private mutating func reckon(_ id: NotificationID, local: ZoneRules?) {
        guard let index = clients[id.app]?.index(of: id) else { return }
        clients.update(id.app) { client in client.change(at: index) { $0.reckon(local: local) } }
        if let at = clients[id.app]?.scheduled[index].due { queue.insert(Due(at: at, id: id)) }
    }

    private mutating func unqueue(_ entry: NotificationClient.Scheduled) {
        if let at = entry.due { queue.remove(Due(at: at, id: entry.record.id)) }
    }

    // MARK: Zones

    private mutating func read(_ zone: String, into actions: inout Actions<Notifications>) {
        let place = awaitedZones.sortedIndex(of: zone)
        if place < awaitedZones.count, awaitedZones[place] == zone { return }
        awaitedZones.insert(zone, at: place)
        actions.perform(.readZone(zone))
    }

    /// The rules of a zone were read; nil if the zone does not exist. Returns the notifications that are discarded
    /// because of a missing zone.
    mutating func zoneRead(
        _ name: String, _ rules: ZoneRules?, local: ZoneRules?, into actions: inout Actions<Notifications>
    ) -> [ScheduledRecord] {
        awaitedZones.removeAll { $0 == name }
        var forgotten: [ScheduledRecord] = []
        for app in clients.keys {
            let waiting = (clients[app]?.scheduled ?? []).filter {
                $0.record.start == nil && $0.record.notification.timeZone == name
            }
            for entry in waiting {
                guard let index = clients[app]?.index(of: entry.record.id) else { continue }
                guard let rules, let date = entry.record.notification.fireDate else {
                    remove(entry, into: &actions)
                    forgotten.append(entry.record)
                    continue
                }
                clients.update(app) { client in client.change(at: index) { $0.record.start = rules.civil(at: date) } }
                reckon(entry.record.id, local: local)
                if let record = clients[app]?.scheduled[index].record {
                    actions.persist(.notification(.scheduled(record)))
                }
            }
        }
        return forgotten
    }

    /// The device is in another time zone, or the rules of its zone changed.
    mutating func localZoneChanged(to local: ZoneRules) {
        for (_, client) in clients {
            for entry in client.scheduled where entry.record.notification.timeZone != nil {
                unqueue(entry)
                reckon(entry.record.id, local: local)
            }
        }
    }

    // MARK: Requests of apps

    /// Whether an app's request is new rather than repeated. The number of a new request is remembered.
    mutating func acceptRequest(_ number: Int64, from launch: LaunchID) -> Bool {
        if clients[launch.app] == nil {
            clients.set(NotificationClient(record: NotificationClientRecord(app: launch.app)), for: launch.app)
        }
        return clients.update(launch.app) { client in
            if client.record.launch != launch.number {
                (client.record.launch, client.record.received) = (launch.number, 0)
            }
            guard number > client.record.received else { return false }
            client.record.received = number
            return true
        } ?? false
    }

    /// Schedules a notification. Returns the notifications that are discarded because the app has too many.
    mutating func schedule(
        _ notification: LocalNotification, at date: Nanoseconds, by app: AppID, on device: DeviceState,
        into actions: inout Actions<Notifications>
    ) -> [ScheduledRecord] {
        let zone = device.surroundings.zone
        guard let id = clients.update(app, { $0.nextID() }) else { return [] }
        var start: CivilTime?
        switch notification.timeZone {
        case nil: start = CivilTime(utc: date)
        case zone?.name?: start = zone?.rules.civil(at: date)
        case let other?: read(other, into: &actions)
        }
        let record = ScheduledRecord(id: id, notification: notification, start: start)
        clients.update(app) { $0.add(NotificationClient.Scheduled(record: record, due: nil)) }
        reckon(id, local: zone?.rules)
        guard let client = clients[app] else { return [] }
        actions.explain(.notification(.scheduled(id, at: client.scheduled.last?.due)))
        actions.persist(.notification(.scheduled(record)))
        var discarded: [ScheduledRecord] = []
        while let client = clients[app], let last = client.last, client.scheduledTooMuch(device.policy) {
            let entry = client.scheduled[last]
            remove(entry, into: &actions)
            discarded.append(entry.record)
        }
        return discarded
    }

    private mutating func remove(_ entry: NotificationClient.Scheduled, into actions: inout Actions<Notifications>) {
        let id = entry.record.id
        guard let index = clients[id.app]?.index(of: id) else { return }
        unqueue(entry)
        clients.update(id.app) { $0.remove(at: index) }
        actions.persist(.notification(.unscheduled(id)))
    }

    /// Cancels the notifications that equal `notification`; nil cancels all. Returns the number of canceled
    /// notifications.
    mutating func cancel(_ notification: LocalNotification?, by app: AppID, into actions: inout Actions<Notifications>)
        -> Int
    {
        let entries = (clients[app]?.scheduled ?? []).filter {
            notification == nil || $0.record.notification == notification
        }
        for entry in entries { remove(entry, into: &actions) }
        let shown = takeAway(of: app, into: &actions) {
            $0.push == nil && (notification == nil || $0.notification == notification)
        }
        return entries.count + shown
    }

    // MARK: Fired notifications

    /// Changes an app's entry; nil if the app has no entry.
    @discardableResult
    mutating func update<Result>(_ app: AppID, _ change: (inout NotificationClient) -> Result) -> Result? {
        clients.update(app, change)
    }

    /// Changes the app's own record and persists it.
    mutating func keep(
        _ app: AppID, into actions: inout Actions<Notifications>,
        _ change: (inout NotificationClientRecord) -> Void = { _ in }
    ) {
        clients.update(app) { change(&$0.record) }
        if let record = clients[app]?.record { actions.persist(.notification(.client(record))) }
    }

    /// Stores a fired notification. If the app has too many, its oldest displayed notifications are removed.
    mutating func add(_ record: DeliveredRecord, policy: Policy, into actions: inout Actions<Notifications>) {
        if let push = record.push { pushes.contents.record(push, into: &actions) }
        actions.persist(.notification(.delivered(record)))
        let app = record.id.app
        clients.update(app) { client in
            client.delivered.removeAll { $0.id == record.id }
            client.delivered.append(record)
        }
        while let client = clients[app], client.deliveredTooMuch(policy, pushes.contents),
            let oldest = client.delivered.first(where: { $0.stage == .shown && $0.id != record.id })
        {
            _ = takeAway(of: app, into: &actions) { $0.id == oldest.id }
        }
    }

    /// Removes the app's delivered notifications that match. Returns the number of removed notifications.
    mutating func takeAway(
        of app: AppID, into actions: inout Actions<Notifications>, where isMeant: (DeliveredRecord) -> Bool
    ) -> Int {
        let gone = (clients[app]?.delivered ?? []).filter(isMeant)
        guard !gone.isEmpty else { return 0 }
        clients.update(app) { client in
            client.delivered.removeAll { record in gone.contains { $0.id == record.id } }
        }
        for record in gone {
            actions.persist(.notification(.removed(record.id)))
            if let push = record.push { pushes.contents.unrecorded(push) }
        }
        let shown = gone.filter { $0.stage == .shown }.map(\.id)
        if !shown.isEmpty { actions.perform(.withdraw(app, shown)) }
        return gone.count
    }

    func delivered(_ id: NotificationID) -> DeliveredRecord? {
        clients[id.app]?.delivered.first { $0.id == id }
    }

    /// The app was removed.
    mutating func forget(_ app: AppID) {
        for entry in clients[app]?.scheduled ?? [] { unqueue(entry) }
        clients.remove(app)
    }
}
