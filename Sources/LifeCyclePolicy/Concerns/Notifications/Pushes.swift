import LifeCycleModel

/// The apps that registered for remote notifications, and the silent push that is held back for each.
///
/// ```
///   unregistered ──asked──▶ registering ──token made──▶ registered ──held back──▶ holding
///        ▲                                                │  ▲                      │
///        └────────────────── unregisters ─────────────────┘  └── delivered, dropped ┘
/// ```
struct Pushes: Hashable, Sendable, Codable {
    /// An app that waits for its token, with its user default about the Newsstand throttle.
    struct Registering: Hashable, Sendable, Codable {
        let app: AppID
        var liftsNewsstandThrottle = false
    }

    private(set) var records = SortedMap<AppID, PushRecord>()
    /// The remote notifications that are in use.
    var contents: PushContents
    private var holding = SortedMap<AppID, Present>()
    /// The apps that wait for their token.
    private(set) var registering: [Registering] = []
    /// The apps whose token is made and not persisted yet. They are not registered.
    private(set) var unpersisted: [AppID] = []
    /// The earliest time at which a rate-limited push may be delivered, on the wall clock; nil if no push is
    /// rate-limited.
    private(set) var next: Nanoseconds?
    /// Whether the reasons for holding pushes back may have changed since the last check.
    var isStale = true

    init(records list: [PushRecord] = [], contents: [RemoteRecord] = []) {
        self.contents = PushContents(records: contents)
        for record in list {
            records.set(record, for: record.app)
            if record.held != nil { holding.insert(record.app) }
        }
    }

    /// Whether no app has a record or waits for a token.
    var isEmpty: Bool { records.isEmpty && registering.isEmpty }

    /// Whether the held pushes have to be checked again.
    func isDue(at now: Nanoseconds) -> Bool { isStale || next.map { $0 <= now } ?? false }

    /// The apps for which a push is held back, in order.
    var holders: [AppID] { holding.keys }

    func isRegistered(_ app: AppID) -> Bool { token(of: app) != nil }

    /// The token of a registered app; nil for any other app.
    func token(of app: AppID) -> DeviceToken? { unpersisted.contains(app) ? nil : records[app]?.token }

    // MARK: Registration

    /// An app registers. Returns whether a token has to be made.
    mutating func asked(by app: AppID) -> Bool {
        guard !registering.contains(where: { $0.app == app }), records[app]?.token == nil else { return false }
        registering.append(Registering(app: app))
        return true
    }

    /// A token was made, or could not be made. Returns whether the app still waits for it.
    mutating func made(_ token: DeviceToken?, for app: AppID, into actions: inout Actions<Notifications>) -> Bool {
        guard let asked = registering.first(where: { $0.app == app }) else { return false }
        registering.removeAll { $0.app == app }
        guard let token else { return true }
        var record = records[app] ?? PushRecord(app: app, token: token)
        record.token = token
        record.liftsNewsstandThrottle = asked.liftsNewsstandThrottle ? true : nil
        put(record, into: &actions)
        unpersisted.append(app)
        return true
    }

    /// The app's token is persisted. Returns the token; nil if the app has unregistered meanwhile.
    mutating func persisted(_ app: AppID) -> DeviceToken? {
        guard unpersisted.contains(app) else { return nil }
        unpersisted.removeAll { $0 == app }
        return records[app]?.token
    }

    /// The app unregisters. Returns whether a push was held back for it.
    mutating func unregistered(_ app: AppID, into actions: inout Actions<Notifications>) -> Bool {
        registering.removeAll { $0.app == app }
        unpersisted.removeAll { $0 == app }
        guard var record = records[app], record.token != nil else { return false }
        let held = record.held
        record.token = nil
        record.held = nil
        put(record, into: &actions)
        if let held { contents.unrecorded(held) }
        return held != nil
    }

    /// The app was removed.
    mutating func forget(_ app: AppID) {
        registering.removeAll { $0.app == app }
        unpersisted.removeAll { $0 == app }
        records.remove(app)
        contents.forget(app)
        release(app)
    }

    // MARK: Arrival

    /// The time until which silent pushes may not wake the app; nil if silent pushes may wake the app now.
    func throttled(_ app: AppID, at now: Nanoseconds, policy: Policy) -> Nanoseconds? {
        guard let record = records[app] else { return nil }
        let count = Int(clamping: policy.silentPushes)
        // A wake in the future was recorded before the clock was set back.
        let recent = record.wakes.filter { $0 <= now && now < $0 + policy.silentPushPeriod }
        guard recent.count >= count, let oldest = recent.suffix(count).first else { return nil }
        return oldest + policy.silentPushPeriod
    }

    /// Whether a push may wake the app for a Newsstand download: once a day, unless a development default lifts that
    ///
    func allowsNewsstandWake(of app: AppID, at now: Nanoseconds, policy: Policy) -> Bool {
        guard let record = records[app], let last = record.newsstandWake else { return true }
        if policy.liftsNewsstandThrottle, record.liftsNewsstandThrottle == true { return true }
        // A wake in the future was recorded before the clock was set back.
        return now < last || now >= last + policy.newsstandPeriod
    }

    /// A push wakes the app for a Newsstand download.
    mutating func wokenForNewsstand(_ app: AppID, at now: Nanoseconds, into actions: inout Actions<Notifications>) {
        guard var record = records[app] else { return }
        record.newsstandWake = now
        put(record, into: &actions)
    }

    /// The app reports whether its user defaults lift the limit of one Newsstand wake a day.
    mutating func said(liftsNewsstandThrottle isLifted: Bool, by app: AppID, into actions: inout Actions<Notifications>)
    {
        if var record = records[app], record.token != nil {
            guard record.liftsNewsstandThrottle ?? false != isLifted else { return }
            record.liftsNewsstandThrottle = isLifted ? true : nil
            put(record, into: &actions)
            isStale = true
        } else if let index = registering.firstIndex(where: { $0.app == app }) {
            registering[index].liftsNewsstandThrottle = isLifted
        }
    }

    /// Holds a push back. Returns whether it replaces another.
    mutating func hold(_ push: PushID, into actions: inout Actions<Notifications>) -> Bool {
        guard var record = records[push.app] else { return false }
        let other = record.held
        record.held = push
        contents.record(push, into: &actions)
        put(record, into: &actions)
        if let other { contents.unrecorded(other) }
        return other != nil
    }

    /// The push that is held back for the app.
    func held(for app: AppID) -> Push? {
        guard let id = records[app]?.held, let notification = contents[id] else { return nil }
        return Push(id: id, notification: notification)
    }

    /// Takes the push that is held back for the app; nil if there is none.
    mutating func takeHeld(of app: AppID, into actions: inout Actions<Notifications>) -> Push? {
        guard let held = held(for: app), var record = records[app] else { return nil }
        record.held = nil
        put(record, into: &actions)
        contents.unrecorded(held.id)
        return held
    }

    /// A silent push wakes the app.
    mutating func woken(_ app: AppID, at now: Nanoseconds, policy: Policy, into actions: inout Actions<Notifications>) {
        guard var record = records[app] else { return }
        record.wakes = (record.wakes + [now]).suffix(Int(clamping: policy.silentPushes))
        put(record, into: &actions)
    }

    /// All held pushes have been checked. The first rate-limited push may be delivered at `until`. With `isStale`, all
    /// held pushes are checked again at the next event.
    mutating func looked(until: Nanoseconds?, isStale: Bool) {
        self.isStale = isStale
        next = until
    }

    private mutating func put(_ record: PushRecord, into actions: inout Actions<Notifications>) {
        records.set(record, for: record.app)
        if record.held == nil { release(record.app) } else { holding.insert(record.app) }
        actions.persist(.push(record))
    }

    /// No push is held back for the app any longer, so `next` may be out of date. If no push is held back at all,
    /// `next` is nil.
    private mutating func release(_ app: AppID) {
        guard holding.remove(app) != nil else { return }
        isStale = true
        if holding.isEmpty { next = nil }
    }
}
