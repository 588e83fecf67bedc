import LifeCycleModel

/// Who has registered for remote notifications, and which silent one is held back for each.
///
/// ```
///   unregistered ──asked──▶ registering ──token made──▶ registered ──held back──▶ holding
///        ▲                                                │  ▲                      │
///        └────────────────── asked for none ──────────────┘  └──handed over, gone──┘
/// ```
struct Pushes: Hashable, Sendable, Codable {
    /// An app that waits for its token, and what it has said of its defaults.
    struct Registering: Hashable, Sendable, Codable {
        let app: AppID
        var liftsNewsstandThrottle = false
    }

    /// By app.
    private(set) var records = SortedMap<AppID, PushRecord>()
    /// The remote notifications to which anything refers.
    var contents: PushContents
    private var holding = SortedMap<AppID, Present>()
    /// Those that wait for their token.
    private(set) var registering: [Registering] = []
    /// The apps whose token is made and not persisted yet. They are not registered.
    private(set) var unpersisted: [AppID] = []
    /// When the first may be handed over that is held back for having come too often, on the wall clock.
    private(set) var next: Nanoseconds?
    /// What lets one be handed over may have changed since it was last looked at.
    var isStale = true

    init(records list: [PushRecord] = [], contents: [RemoteRecord] = []) {
        self.contents = PushContents(records: contents)
        for record in list {
            records.set(record, for: record.app)
            if record.held != nil { holding.insert(record.app) }
        }
    }

    /// Whether no app has registered, or wants to.
    var isEmpty: Bool { records.isEmpty && registering.isEmpty }

    /// Whether it is time to look again at what is held back.
    func isDue(at now: Nanoseconds) -> Bool { isStale || next.map { $0 <= now } ?? false }

    /// Those for which one is held back, in order.
    var holders: [AppID] { holding.keys }

    func isRegistered(_ app: AppID) -> Bool { token(of: app) != nil }

    /// The token of an app that is registered; nil for any other app.
    func token(of app: AppID) -> DeviceToken? { unpersisted.contains(app) ? nil : records[app]?.token }

    // MARK: Who wants them

    /// True where a token is to be made.
    mutating func asked(by app: AppID) -> Bool {
        guard !registering.contains(where: { $0.app == app }), records[app]?.token == nil else { return false }
        registering.append(Registering(app: app))
        return true
    }

    /// Whether somebody waits for it.
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

    /// The token of an app is persisted; nil if the app has unregistered meanwhile.
    mutating func persisted(_ app: AppID) -> DeviceToken? {
        guard unpersisted.contains(app) else { return nil }
        unpersisted.removeAll { $0 == app }
        return records[app]?.token
    }

    /// It wants none any more. Whether one was held back.
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

    /// It is gone.
    mutating func forget(_ app: AppID) {
        registering.removeAll { $0.app == app }
        unpersisted.removeAll { $0 == app }
        records.remove(app)
        contents.forget(app)
        release(app)
    }

    // MARK: What comes

    /// When a silent one may wake the app: nil for now.
    func throttled(_ app: AppID, at now: Nanoseconds, policy: Policy) -> Nanoseconds? {
        guard let record = records[app] else { return nil }
        let count = Int(clamping: policy.silentPushes)
        // One that lies in the future was before the clock was set back.
        let recent = record.wakes.filter { $0 <= now && now < $0 + policy.silentPushPeriod }
        guard recent.count >= count, let oldest = recent.suffix(count).first else { return nil }
        return oldest + policy.silentPushPeriod
    }

    /// Whether one may wake the app for a Newsstand download: once a day, unless it is in development.
    func allowsNewsstandWake(of app: AppID, at now: Nanoseconds, policy: Policy) -> Bool {
        guard let record = records[app], let last = record.newsstandWake else { return true }
        if policy.liftsNewsstandThrottle, record.liftsNewsstandThrottle == true { return true }
        // One that lies in the future was before the clock was set back.
        return now < last || now >= last + policy.newsstandPeriod
    }

    /// One wakes the app for a Newsstand download.
    mutating func wokenForNewsstand(_ app: AppID, at now: Nanoseconds, into actions: inout Actions<Notifications>) {
        guard var record = records[app] else { return }
        record.newsstandWake = now
        put(record, into: &actions)
    }

    /// Whether it is to be kept from waking for a day, as its defaults say.
    mutating func said(liftsNewsstandThrottle isLifted: Bool, by app: AppID, into actions: inout Actions<Notifications>)
    {
        if var record = records[app], record.token != nil {
            guard record.liftsNewsstandThrottle ?? false != isLifted else { return }
            record.liftsNewsstandThrottle = isLifted ? true : nil
            put(record, into: &actions)
        } else if let index = registering.firstIndex(where: { $0.app == app }) {
            registering[index].liftsNewsstandThrottle = isLifted
        }
    }

    /// One is held back. Whether another was before.
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

    /// The one that is held back, which is held no more.
    mutating func takeHeld(of app: AppID, into actions: inout Actions<Notifications>) -> Push? {
        guard let held = held(for: app), var record = records[app] else { return nil }
        record.held = nil
        put(record, into: &actions)
        contents.unrecorded(held.id)
        return held
    }

    /// A silent one wakes the app.
    mutating func woken(_ app: AppID, at now: Nanoseconds, policy: Policy, into actions: inout Actions<Notifications>) {
        guard var record = records[app] else { return }
        record.wakes = (record.wakes + [now]).suffix(Int(clamping: policy.silentPushes))
        put(record, into: &actions)
    }

    /// All that is held back has been looked at: of those that have come too often, the first may come then.
    mutating func looked(until: Nanoseconds?) {
        isStale = false
        next = until
    }

    private mutating func put(_ record: PushRecord, into actions: inout Actions<Notifications>) {
        records.set(record, for: record.app)
        if record.held == nil { release(record.app) } else { holding.insert(record.app) }
        actions.persist(.push(record))
    }

    /// No push is held for the app, so that `next` may be the time of a push that is gone. If no push is held for any app, there
    /// is no next time.
    private mutating func release(_ app: AppID) {
        guard holding.remove(app) != nil else { return }
        isStale = true
        if holding.isEmpty { next = nil }
    }
}
