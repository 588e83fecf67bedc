import LifeCycleModel

/// Local notifications: what apps have scheduled, and when the device is to tell.
///
/// ```
///   scheduled ──its time has come──▶ fired ──the app is in front──▶ handed ──called──▶ gone
///      │    ▲                          │                              │ left the front uncalled
///      │    └── it repeats itself      └──────────────────────────────┴─▶ (sounding) ─▶ shown ──answered──▶ gone
///      └──canceled, discarded──▶ gone
/// ```
struct Notifications: Hashable, Sendable, Codable {
    /// When one is due, and which: the soonest is the only deadline there is.
    struct Due: Hashable, Comparable, Sendable, Codable {
        let at: Nanoseconds
        let id: NotificationID

        static func < (left: Self, right: Self) -> Bool { (left.at, left.id) < (right.at, right.id) }
    }

    /// By app.
    private(set) var clients = SortedMap<AppID, NotificationClient>()
    /// All that are due at some time.
    private var queue = SortedMap<Due, Present>()
    /// Zones that are being read.
    private var awaitedZones: [String] = []
    /// Remote notifications: who has registered for them, and which are held back.
    var pushes = Pushes()
    /// False after a restart of the system until it is known what has become of the launches.
    private var isStarted = true
    /// The notifications that had fired before a restart of the system, and were not displayed.
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

    /// When the next one fires, on the wall clock.
    var nextTime: Nanoseconds? { queue.first?.key.at }
    /// When a scheduled notification fires next, on the wall clock; nil where that cannot be told yet, or it never does.
    func due(_ id: NotificationID) -> Nanoseconds? {
        clients[id.app].flatMap { client in client.index(of: id).flatMap { client.scheduled[$0].due } }
    }

    /// All that is known of local notifications, as it is kept.
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

    /// It begins; gives what had fired and was not shown yet, and puts out which zones have still to be read.
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

    /// The next whose time has come, with how late that is noticed. It is scheduled no more, or for its next time.
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
        // What it has missed meanwhile it has missed.
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

    /// When it is due by the zones as they are known now.
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

    /// The rules of a zone are there, or there are none: gives those that asked for a zone that is none.
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

    /// The device is in another time zone, or its rules have changed.
    mutating func localZoneChanged(to local: ZoneRules) {
        for (_, client) in clients {
            for entry in client.scheduled where entry.record.notification.timeZone != nil {
                unqueue(entry)
                reckon(entry.record.id, local: local)
            }
        }
    }

    // MARK: What apps want

    /// Whether an act of an app's is news, and not one that it says again; it is remembered as heard.
    mutating func hears(_ number: Int64, from launch: LaunchID) -> Bool {
        if clients[launch.app] == nil {
            clients.set(NotificationClient(record: NotificationClientRecord(app: launch.app)), for: launch.app)
        }
        return clients.update(launch.app) { client in
            if client.record.launch != launch.number {
                (client.record.launch, client.record.heard) = (launch.number, 0)
            }
            guard number > client.record.heard else { return false }
            client.record.heard = number
            return true
        } ?? false
    }

    /// An app has scheduled one for later; gives those that there is no room for.
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

    /// An app takes back those that are equal to this one, or all; gives how many there were.
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

    // MARK: What has fired

    /// Changes what is known of an app with notifications.
    @discardableResult
    mutating func update<Result>(_ app: AppID, _ change: (inout NotificationClient) -> Result) -> Result? {
        clients.update(app, change)
    }

    /// Changes and keeps what is kept of an app itself.
    mutating func keep(
        _ app: AppID, into actions: inout Actions<Notifications>,
        _ change: (inout NotificationClientRecord) -> Void = { _ in }
    ) {
        clients.update(app) { change(&$0.record) }
        if let record = clients[app]?.record { actions.persist(.notification(.client(record))) }
    }

    /// One has fired and is kept; where there are too many, the oldest goes.
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

    /// Of an app's delivered ones these are shown no more; gives how many.
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

    /// The app is gone.
    mutating func forget(_ app: AppID) {
        for entry in clients[app]?.scheduled ?? [] { unqueue(entry) }
        clients.remove(app)
    }
}
