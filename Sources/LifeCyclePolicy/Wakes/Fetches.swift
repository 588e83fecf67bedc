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
    /// A device made from its records begins once it knows what has become of the launches.
    var isStarted = true
    /// What the device and the launch rules allow may have changed since it was last looked at.
    var isStale = true

    var isEmpty: Bool { clients.isEmpty }

    init() {}

    init(records: [FetchRecord]) {
        for record in records { clients.set(FetchClient(record: record), for: record.app) }
        isStarted = clients.isEmpty
    }

    /// When the brain is to be called for it, on the awake clock.
    func nextDeadline(by clocks: Clocks) -> Deadline? {
        if !isStarted { return Deadline(at: .zero, reason: .backgroundFetch) }
        guard let next else { return nil }
        return Deadline(at: clocks.awake(ofWall: next), reason: .backgroundFetch)
    }

    // MARK: Who wants it

    /// `setMinimumBackgroundFetchInterval`: nil, or ten years and more, for never. The time counts from now on.
    mutating func asked(
        _ interval: Nanoseconds?, by app: AppID, obstacle: FetchObstacle?, in surroundings: DeviceSurroundings,
        policy: Policy, into effects: inout [Effect]
    ) {
        guard let interval, interval < FetchClient.never else {
            guard clients[app] != nil else { return }
            // What it is at it may finish.
            clients.remove(app)
            due.removeAll { $0 == app }
            reckon(in: surroundings, policy: policy)
            return effects.append(.store(.concern(.fetch(.removed(app)))))
        }
        let asked = max(.zero, interval)
        // Apps say it at each launch: then nothing begins anew.
        if clients[app]?.record.minimumInterval == asked { return }
        var client = FetchClient(
            record: clients[app]?.record
                ?? FetchRecord(app: app, minimumInterval: asked, last: surroundings.clocks.wallNow))
        client.record.minimumInterval = asked
        client.record.patience = FetchClient.firstPatience(client.interval(by: policy))
        clients.set(client, for: app)
        learn(obstacle, of: app, into: &effects)
        if client.earliest(by: policy) > surroundings.clocks.wallNow { due.removeAll { $0 == app } }
        reckon(in: surroundings, policy: policy)
        effects.append(.store(.concern(.fetch(.client(client.record)))))
    }

    /// It is gone.
    mutating func forget(_ app: AppID, in surroundings: DeviceSurroundings, policy: Policy) {
        clients.remove(app)
        due.removeAll { $0 == app }
        underWay.removeAll { $0 == app }
        reckon(in: surroundings, policy: policy)
    }

    /// What the device and the launch rules allow may be different now.
    mutating func changed(
        _ obstacles: [(app: AppID, obstacle: FetchObstacle?)], in surroundings: DeviceSurroundings, policy: Policy,
        into effects: inout [Effect]
    ) {
        isStale = false
        for (app, obstacle) in obstacles { learn(obstacle, of: app, into: &effects) }
        reckon(in: surroundings, policy: policy)
    }

    private mutating func learn(_ obstacle: FetchObstacle?, of app: AppID, into effects: inout [Effect]) {
        guard let client = clients[app], client.obstacle != obstacle else { return }
        clients.update(app) { $0.obstacle = obstacle }
        if obstacle != nil { due.removeAll { $0 == app } }
        // That nobody has any during the shutdown need not be said of each.
        if obstacle != .refused(.shuttingDown) { effects.append(.decided(.concern(.fetch(.barred(app, obstacle))))) }
    }

    // MARK: Time

    /// Apps whose time has come: where one has to have its opportunity, all that may are given theirs in the same go.
    mutating func timePassed(in surroundings: DeviceSurroundings, policy: Policy) {
        let now = surroundings.clocks.wallNow
        guard let next, next <= now else { return }
        for (app, client) in clients where client.obstacle == nil && !due.contains(app) && !underWay.contains(app) {
            if client.earliest(by: policy) <= now { due.append(app) }
        }
        reckon(in: surroundings, policy: policy)
    }

    /// The wall clock was set, or the device slept.
    mutating func clocksShifted(in surroundings: DeviceSurroundings, policy: Policy) {
        for app in clients.keys { clients.update(app) { $0.noticed(surroundings.clocks.wallNow) } }
        reckon(in: surroundings, policy: policy)
    }

    /// The device is in another time zone, by whose hours people open apps.
    mutating func zoneChanged(in surroundings: DeviceSurroundings, policy: Policy) {
        reckon(in: surroundings, policy: policy)
    }

    /// Whether there is room for one more.
    func hasRoom(policy: Policy) -> Bool { underWay.count < policy.fetchesAtOnce }

    // MARK: The person

    /// A person has opened an app: that is when it should have its news.
    mutating func opened(
        _ app: AppID, in surroundings: DeviceSurroundings, policy: Policy, into effects: inout [Effect]
    ) {
        guard clients[app] != nil else { return }
        let (now, ahead) = (surroundings.clocks.wallNow, surroundings.ahead)
        guard clients.update(app, { $0.opened(at: now, ahead: ahead) }) ?? false,
            let record = clients[app]?.record
        else { return }
        reckon(in: surroundings, policy: policy)
        effects.append(.store(.concern(.fetch(.client(record)))))
    }

    // MARK: Opportunities

    /// How long ago it might have had one.
    func lateness(of app: AppID, in surroundings: DeviceSurroundings, policy: Policy) -> Nanoseconds {
        guard let client = clients[app] else { return .zero }
        return max(.zero, surroundings.clocks.wallNow - client.earliest(by: policy))
    }

    /// It has its turn, or has to do without: `isGiven` says which.
    mutating func had(
        _ app: AppID, isGiven: Bool, in surroundings: DeviceSurroundings, policy: Policy, into effects: inout [Effect]
    ) {
        due.removeAll { $0 == app }
        if isGiven, !underWay.contains(app) { underWay.append(app) }
        guard
            let record = clients.update(
                app,
                { client in
                    client.had(at: surroundings.clocks.wallNow, policy: policy)
                    return client.record
                })
        else { return }
        reckon(in: surroundings, policy: policy)
        effects.append(.store(.concern(.fetch(.client(record)))))
    }

    /// What its fetch has brought, nil where it never said, and how long it took off the foreground.
    mutating func brought(
        _ result: BackgroundFetchResult?, by app: AppID, after time: Nanoseconds, in surroundings: DeviceSurroundings,
        policy: Policy,
        into effects: inout [Effect]
    ) {
        isOver(for: app, in: surroundings, policy: policy)
        let now = surroundings.clocks.wallNow
        guard let old = clients[app] else { return }
        let isSpent = clients.update(app) { $0.brought(result, after: time, at: now, policy: policy) }
        if isSpent == true, let client = clients[app] {
            effects.append(.decided(.concern(.fetch(.spent(app, until: client.earliest(by: policy))))))
        }
        guard let new = clients[app], new.record != old.record else { return }
        reckon(in: surroundings, policy: policy)
        effects.append(.store(.concern(.fetch(.client(new.record)))))
    }

    /// Its launch is over, or nobody waits for it any more: another may have its turn.
    mutating func isOver(for app: AppID, in surroundings: DeviceSurroundings, policy: Policy) {
        guard underWay.contains(app) else { return }
        underWay.removeAll { $0 == app }
        reckon(in: surroundings, policy: policy)
    }

    private mutating func reckon(in surroundings: DeviceSurroundings, policy: Policy) {
        next = nil
        if clients.isEmpty { return }
        let ahead = surroundings.ahead
        for (app, client) in clients where client.obstacle == nil && !due.contains(app) && !underWay.contains(app) {
            let latest = client.latest(by: policy, ahead: ahead)
            if next.map({ latest < $0 }) ?? true { next = latest }
        }
    }
}
