import LifeCycleModel

/// Background fetch: who wants it, and when the device is woken for it.
///
/// ```
///   waiting ──somebody's latest time has come──▶ due, and with it whoever may already
///      ▲                                          │ at most so many at once
///      └──── the handler is called, or the app ended ── under way
/// ```
struct Fetches: Hashable, Sendable, Codable {
    /// By app.
    private(set) var clients = SortedMap<AppID, FetchClient>()
    /// Those whose turn it is, in order; they have it as soon as others are done.
    private(set) var due: [AppID] = []
    /// Those that were handed an opportunity, and have not said what it brought.
    private(set) var underWay: [AppID] = []
    /// The earliest time by which somebody has to have one, on the wall clock.
    private var next: Nanoseconds?
    /// What the device and the launch rules allow may have changed since it was last looked at.
    var isStale = true

    mutating func restore(_ records: [ConcernRecord], on device: DeviceState) {
        for record in records.fetches { clients.set(FetchClient(record: record), for: record.app) }
    }

    /// When the brain is to be called for it, on the awake clock.
    func nextDeadline(on device: DeviceState) -> Deadline? {
        guard let next else { return nil }
        return Deadline(at: device.surroundings.clocks.awake(ofWall: next), reason: .backgroundFetch)
    }

    // MARK: Who wants it

    /// `setMinimumBackgroundFetchInterval`: nil, or ten years and more, for never. The time counts from now on.
    mutating func asked(
        _ interval: Nanoseconds?, by app: AppID, on device: DeviceState, into actions: inout Actions<Fetches>
    ) {
        guard let interval, interval < FetchClient.never else {
            guard clients[app] != nil else { return }
            // What it is at it may finish.
            clients.remove(app)
            due.removeAll { $0 == app }
            reckon(on: device)
            return actions.persist(.removed(app))
        }
        let asked = max(.zero, interval)
        // Apps say it at each launch: then nothing begins anew.
        if clients[app]?.record.minimumInterval == asked { return }
        var client =
            clients[app]
            ?? FetchClient(record: FetchRecord(app: app, minimumInterval: asked, last: device.wallNow))
        client.record.minimumInterval = asked
        client.record.patience = FetchClient.firstPatience(client.interval(by: device.policy))
        clients.set(client, for: app)
        learn(obstacle(to: app, on: device), of: app, into: &actions)
        if client.earliest(by: device.policy) > device.wallNow { due.removeAll { $0 == app } }
        reckon(on: device)
        actions.persist(.client(client.record))
    }

    /// It is gone.
    mutating func forget(_ app: AppID, on device: DeviceState) {
        clients.remove(app)
        due.removeAll { $0 == app }
        underWay.removeAll { $0 == app }
        reckon(on: device)
    }

    mutating func learn(_ obstacle: FetchObstacle?, of app: AppID, into actions: inout Actions<Fetches>) {
        guard let client = clients[app], client.obstacle != obstacle else { return }
        clients.update(app) { $0.obstacle = obstacle }
        if obstacle != nil { due.removeAll { $0 == app } }
        // That nobody has any during the shutdown need not be said of each.
        if obstacle != .refused(.shuttingDown) { actions.explain(.barred(app, obstacle)) }
    }

    // MARK: Time

    /// Whether an app has to fetch by now.
    func isDue(at now: Nanoseconds) -> Bool { next.map { $0 <= now } ?? false }

    /// Fetches are batched: when one app is due, every app that may fetch is due too.
    mutating func timePassed(on device: DeviceState) {
        let now = device.wallNow
        for (app, client) in clients where client.obstacle == nil && !due.contains(app) && !underWay.contains(app) {
            if client.earliest(by: device.policy) <= now { due.append(app) }
        }
        reckon(on: device)
    }

    /// The wall clock was set, or the device slept.
    mutating func clocksShifted(on device: DeviceState) {
        for app in clients.keys { clients.update(app) { $0.noticed(device.wallNow) } }
        reckon(on: device)
    }

    /// Whether there is room for one more.
    func hasRoom(policy: Policy) -> Bool { underWay.count < policy.fetchesAtOnce }

    // MARK: The person

    /// A person has opened an app: that is when it should have its news.
    mutating func opened(
        _ app: AppID, on device: DeviceState, into actions: inout Actions<Fetches>
    ) {
        guard clients[app] != nil else { return }
        let (now, ahead) = (device.wallNow, device.surroundings.ahead)
        guard clients.update(app, { $0.opened(at: now, ahead: ahead) }) ?? false,
            let record = clients[app]?.record
        else { return }
        reckon(on: device)
        actions.persist(.client(record))
    }

    // MARK: Opportunities

    /// How long ago it might have had one.
    func lateness(of app: AppID, on device: DeviceState) -> Nanoseconds {
        guard let client = clients[app] else { return .zero }
        return max(.zero, device.wallNow - client.earliest(by: device.policy))
    }

    /// It has its turn, or has to do without: `isGiven` says which.
    mutating func had(
        _ app: AppID, isGiven: Bool, on device: DeviceState, into actions: inout Actions<Fetches>
    ) {
        due.removeAll { $0 == app }
        if isGiven, !underWay.contains(app) { underWay.append(app) }
        guard
            let record = clients.update(
                app,
                { client in
                    client.had(at: device.wallNow, policy: device.policy)
                    return client.record
                })
        else { return }
        reckon(on: device)
        actions.persist(.client(record))
    }

    /// What its fetch has brought, nil where it never said, and how long it took off the foreground.
    mutating func brought(
        _ result: BackgroundFetchResult?, by app: AppID, after time: Nanoseconds, on device: DeviceState,
        into actions: inout Actions<Fetches>
    ) {
        isOver(for: app, on: device)
        let now = device.wallNow
        guard let old = clients[app] else { return }
        let isSpent = clients.update(app) { $0.brought(result, after: time, at: now, policy: device.policy) }
        if isSpent == true, let client = clients[app] {
            actions.explain(.spent(app, until: client.earliest(by: device.policy)))
        }
        guard let new = clients[app], new.record != old.record else { return }
        reckon(on: device)
        actions.persist(.client(new.record))
    }

    /// Its launch is over, or nobody waits for it any more: another may have its turn.
    mutating func isOver(for app: AppID, on device: DeviceState) {
        guard underWay.contains(app) else { return }
        underWay.removeAll { $0 == app }
        reckon(on: device)
    }

    mutating func reckon(on device: DeviceState) {
        next = nil
        if clients.isEmpty { return }
        let ahead = device.surroundings.ahead
        for (app, client) in clients where client.obstacle == nil && !due.contains(app) && !underWay.contains(app) {
            let latest = client.latest(by: device.policy, ahead: ahead)
            if next.map({ latest < $0 }) ?? true { next = latest }
        }
    }
}
