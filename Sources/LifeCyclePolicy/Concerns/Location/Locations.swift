import LifeCycleModel

/// The apps that use the device's location, and what they are told.
///
/// Standard updates belong to a launch. The app receives them while it is in use, and with the permission `always`
/// whenever its code runs; otherwise they wait. With the background mode they keep the app running. The monitoring of
/// significant changes and of regions belongs to the app. It wakes or launches an app that the user always allows the
/// location, or that has a background activity session.
struct Locations: Hashable, Sendable, Codable {
    var clients = SortedMap<AppID, LocationClient>()
    /// The newest position; nil if it is not known since the start of the system.
    private(set) var newest: LocationFix?
    /// Whether the receiver found it, and has been off since then. A position that was set by hand stays new.
    var newestIsOld = false
    /// Whether something has changed since the apps were last looked at.
    private var isStale = true
    /// The earliest time at which something is due: a significant change, a crossing, the answer to a request, a pause,
    /// or a switch of the receiver. On the wall clock.
    private var next: Nanoseconds?
    var receiver = LocationReceiver()
    /// The foreground app when the apps were last looked at.
    private(set) var foregroundApp: AppID?

    mutating func restore(_ records: [ConcernRecord], on device: DeviceState) {
        for record in records.locations {
            var client = LocationClient(record: record)
            client.assertion = restoredAssertion(for: client, on: device)
            clients.set(client, for: record.app)
        }
    }

    func nextDeadline(on device: DeviceState) -> Deadline? {
        next.map { Deadline(at: device.surroundings.clocks.awake(ofWall: $0), reason: .location) }
    }

    /// Whether the apps have to be looked at now.
    func isDue(at now: Nanoseconds) -> Bool { isStale || receiver.isWanted || next.map { $0 <= now } ?? false }

    mutating func becomeStale() { isStale = true }

    // MARK: Records

    /// Changes the client of an app, which is made if there is none.
    mutating func change(_ app: AppID, _ change: (inout LocationClient) -> Void) {
        var client = clients[app] ?? LocationClient(record: LocationRecord(app: app))
        change(&client)
        clients.set(client, for: app)
        isStale = true
    }

    /// Changes an app's record, and persists it.
    mutating func keep(_ app: AppID, into actions: inout Actions<Self>, _ change: (inout LocationRecord) -> Void) {
        self.change(app) { change(&$0.record) }
        if let record = clients[app]?.record { actions.persist(.client(record)) }
    }

    mutating func forget(_ app: AppID) {
        clients.remove(app)
        mayBecomeIdle()
    }

    /// An idle concern does not settle, which would find the next time.
    mutating func mayBecomeIdle() { (isStale, next) = (true, nil) }

    /// No recorded time may be in the future.
    mutating func clocksShifted(at now: Nanoseconds) {
        for app in clients.keys {
            clients.update(app) { client in
                client.record.toldAt = client.record.toldAt.map { min($0, now) }
                client.looksAt = nil
                (client.continuation.since, client.continuation.looksAt) = (nil, nil)
                client.updates?.still?.since = now
                client.request?.until = nil
                client.watch.clocksShifted(at: now)
            }
        }
        receiver.clocksShifted(at: now)
        isStale = true
    }

    // MARK: Positions

    /// The device has a new position.
    mutating func moved(to fix: LocationFix, on device: DeviceState) {
        (newest, newestIsOld) = (fix, false)
        receiver.moved(at: device.wallNow, policy: device.policy)
        let hasLooked = receiver.hasLooked(at: device.wallNow, policy: device.policy)
        for app in clients.keys {
            clients.update(app) { client in
                if client.record.permission.allowsUse {
                    client.updates?.take(fix, most: device.policy.locationQueue)
                }
                client.updates?.moved(to: fix, at: device.wallNow, policy: device.policy)
                if client.record.monitorsChanges {
                    client.looked(at: fix, now: device.wallNow, policy: device.policy)
                }
                client.watch.looked(
                    at: fix, client.record.regions, now: device.wallNow, policy: device.policy, hasLooked: hasLooked)
            }
        }
        isStale = true
    }

    /// Takes the known position as the first update of an app. If there is none, the app is told so.
    mutating func takeNewest(for app: AppID, policy: Policy, into actions: inout Actions<Self>) {
        guard let client = clients[app], let updates = client.updates, client.record.permission.allowsUse else {
            return
        }
        guard let newest else { return actions.call(app, .location(.failed(.unknown)), .whenItRuns) }
        if updates.newest == newest { return }
        clients.update(app) { $0.updates?.take(newest, most: policy.locationQueue) }
    }

    // MARK: Telling

    /// Tells each app the permission and the positions that it may receive now.
    mutating func tellAll(on device: DeviceState, into actions: inout Actions<Self>) {
        isStale = false
        next = nil
        foregroundApp = device.foreground.app
        for app in clients.keys {
            tellPermission(app, on: device, into: &actions)
            settleSession(of: app, on: device, into: &actions)
            settleActivity(of: app, on: device, into: &actions)
            tellUpdates(app, on: device, into: &actions)
            answerRequest(of: app, on: device, into: &actions)
            tellChange(app, on: device, into: &actions)
            tellRegions(app, on: device, into: &actions)
        }
        let wasOld = newestIsOld
        settleReceiver(on: device, into: &actions)
        // No crossing is told by an old position, so none has a time any longer.
        if newestIsOld != wasOld { tellAll(on: device, into: &actions) }
    }

    /// Tells a launch the newest permission and its regions, unless it has been told.
    mutating func tellPermission(_ app: AppID, on device: DeviceState, into actions: inout Actions<Self>) {
        guard let client = clients[app], client.isStale, !device.isSuspended(app),
            let launch = device.liveLaunch(of: app), launch == client.attached
        else { return }
        clients.update(app) { ($0.isStale, $0.watch.isListStale) = (false, false) }
        actions.send(.permission(client.record.permission), to: launch)
        guard client.watch.isListStale else { return }
        actions.send(.regions(client.record.regions.map(\.region)), to: launch)
    }

    /// Waits for this time, unless an earlier one is known.
    mutating func wait(until time: Nanoseconds) { next = min(time, next ?? time) }

    /// Whether an app may receive updates now.
    func receives(_ client: LocationClient, on device: DeviceState) -> Bool {
        mayLearn(client, on: device)
            && (client.updates?.arePaused != true || device.isInForeground(client.record.app))
    }

    /// Whether an app may learn the position now: it is in the foreground, or its code runs and either its permission is
    /// `always`, its updates continue in the background, or a background activity session keeps it in use.
    func mayLearn(_ client: LocationClient, on device: DeviceState) -> Bool {
        let app = client.record.app
        if device.isInForeground(app) { return client.record.permission.allowsUse }
        if device.isSuspended(app) { return false }
        return switch client.record.permission {
        case .ask, .deny: false
        case .whenInUse: client.hasActivity(in: device.liveLaunch(of: app)) || continues(client, on: device)
        case .always: true
        }
    }

    private mutating func tellUpdates(_ app: AppID, on device: DeviceState, into actions: inout Actions<Self>) {
        guard let client = clients[app], let updates = client.updates, !updates.isCalling,
            !client.continuation.isCalling,
            !updates.waiting.isEmpty, updates.launch == device.liveLaunch(of: app)
        else { return }
        let receives = receives(client, on: device)
        if !receives {
            guard isWokenByUpdates(client, on: device) else { return }
            // One event does not freeze and thaw an app.
            if device.isBeingFrozen(app) { return becomeStale() }
            guard device.refusal(to: app, for: .locationUpdate) == nil else { return }
        }
        clients.update(app) { client in
            client.updates?.waiting = []
            client.updates?.isCalling = true
        }
        let call = ConcernCall.location(.updated(updates.waiting, by: .updates))
        if receives {
            actions.call(app, call, .whenItRuns)
        } else {
            actions.wake(app, for: .locationUpdate, delivering: call)
        }
    }

    /// The system sends the app a call with positions.
    mutating func called(_ launch: LaunchID) {
        clients.update(launch.app) { client in
            // The position that launches the app comes first.
            if client.continuation.isCalling {
                client.continuation.isCalling = false
            } else {
                client.updates?.isCalling = false
            }
        }
        isStale = true
    }

    /// The launch is over, and its updates with it.
    mutating func ended(_ launch: LaunchID) {
        clients.update(launch.app) { client in
            if client.updates?.launch == launch { (client.updates, client.assertion) = (nil, nil) }
            (client.request, client.continuation.isCalling) = (nil, false)
            client.watch.answerBy = nil
        }
        isStale = true
    }

    private mutating func tellChange(_ app: AppID, on device: DeviceState, into actions: inout Actions<Self>) {
        guard let newest, let client = clients[app], client.record.monitorsChanges, device.manifest(of: app) != nil
        else { return clear(app) }
        let distance = client.significantDistance(to: newest, policy: device.policy)
        guard client.record.told == nil || distance != nil else { return clear(app) }
        let isForeground = device.isInForeground(app)
        guard mayMonitor(client, on: device) else { return clear(app) }
        // The first position is an answer to the app's own start, which gives it no time.
        let isAnswer = client.record.told == nil && device.isOpenable(app) && !device.isSuspended(app)
        let isCalled = isForeground || isAnswer
        if let time = client.mayBeTold(by: device.policy), time > device.wallNow {
            return wait(until: time)
        }
        // One event does not freeze and thaw an app.
        if !isCalled, device.isBeingFrozen(app) { return becomeStale() }
        if !isCalled, let refusal = device.refusal(to: app, for: .locationMonitoring) {
            if client.obstacle != refusal, refusal != .shuttingDown { actions.explain(.held(app, refusal)) }
            clients.update(app) { $0.obstacle = refusal }
            return
        }
        clear(app)
        actions.explain(.changed(app, by: distance))
        clients.update(app) { $0.tell(newest, now: device.wallNow, policy: device.policy) }
        if let record = clients[app]?.record { actions.persist(.client(record)) }
        let call = ConcernCall.location(.updated([newest], by: .changes))
        if isCalled {
            actions.call(app, call, .whenItRuns)
        } else {
            actions.wake(app, for: .locationMonitoring, delivering: call)
        }
    }

    private mutating func clear(_ app: AppID) { clients.update(app) { $0.obstacle = nil } }
}
