import LifeCycleModel

/// Background fetch: the apps that want it, and the times at which they are woken.
///
/// ```
///   waiting ──the latest time of an app has come──▶ due, with every app whose earliest time has come
///      ▲                                             │ at most as many at once as the policy allows
///      └──── the handler is called, or the app ended ── under way
/// ```
struct Fetches: Hashable, Sendable, Codable {
    private(set) var clients = SortedMap<AppID, FetchClient>()
    /// The apps that are due, in order. Each app is offered its opportunity as soon as other apps are done.
    private(set) var due: [AppID] = []
    /// The apps that were given an opportunity and have not called its completion handler.
    private(set) var underWay: [AppID] = []
    /// The earliest of the apps' latest times, on the wall clock; nil if no app waits.
    private var next: Nanoseconds?
    /// Whether the obstacles may have changed since the last check.
    var isStale = true

    mutating func restore(_ records: [ConcernRecord], on device: DeviceState) {
        for record in records.fetches { clients.set(FetchClient(record: record), for: record.app) }
    }

    /// The time of the next fetch, on the awake clock.
    func nextDeadline(on device: DeviceState) -> Deadline? {
        guard let next else { return nil }
        return Deadline(at: device.surroundings.clocks.awake(ofWall: next), reason: .backgroundFetch)
    }

    // MARK: Clients

    /// `setMinimumBackgroundFetchInterval`: nil, or ten years and more, for never. The interval counts from now.
    mutating func asked(
        _ interval: Nanoseconds?, by app: AppID, on device: DeviceState, into actions: inout Actions<Fetches>
    ) {
        guard let interval, interval < FetchClient.never else {
            guard clients[app] != nil else { return }
            // A fetch that is under way may finish.
            clients.remove(app)
            due.removeAll { $0 == app }
            reckon(on: device)
            return actions.persist(.removed(app))
        }
        let asked = max(.zero, interval)
        // Apps set the same interval at each launch. A repeated call must not restart the wait.
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

    /// The app was removed.
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
        // The shutdown bars every app: a decision for each would say nothing new.
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

    /// Whether one more app may fetch now.
    func hasRoom(policy: Policy) -> Bool { underWay.count < policy.fetchesAtOnce }

    // MARK: The person

    /// The user opened an app. The hour is one of the habits by which fetches are timed.
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

    /// The time since the earliest time of the app's opportunity; zero if the app has no record.
    func lateness(of app: AppID, on device: DeviceState) -> Nanoseconds {
        guard let client = clients[app] else { return .zero }
        return max(.zero, device.wallNow - client.earliest(by: device.policy))
    }

    /// The app gets its opportunity (`isGiven`), or misses it.
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

    /// The result of a fetch, nil if the app never called the handler, and the fetch's time in the background.
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

    /// The app's fetch no longer counts as under way: its launch is over, or the app is in the foreground.
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
