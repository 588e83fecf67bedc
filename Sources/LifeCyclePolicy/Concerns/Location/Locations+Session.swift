import LifeCycleModel

/// Standard updates in the background. Since iOS 9 they keep an app running; before, each update wakes it (R-136, R-137,
///
extension Locations {
    /// Begins or ends what an app's updates do in the background, and pauses updates that tell nothing new.
    mutating func settleSession(of app: AppID, on device: DeviceState, into actions: inout Actions<Self>) {
        guard let client = clients[app],
            client.updates != nil || client.assertion != nil || client.record.session != nil
        else { return }
        if let updates = client.updates {
            if updates.launch != device.liveLaunch(of: app) {
                // After a restart of the system, the launch is not there any longer.
                clients.update(app) { $0.updates = nil }
            } else if device.isInForeground(app) {
                clients.update(app) { $0.updates?.wereInForeground = true }
                if updates.arePaused { resume(updates.launch, on: device, into: &actions) }
            }
        }
        pauseIfStill(app, on: device, into: &actions)
        settleAssertion(of: app, on: device, into: &actions)
    }

    private mutating func settleAssertion(of app: AppID, on device: DeviceState, into actions: inout Actions<Self>) {
        guard let client = clients[app] else { return }
        let wanted = assertion(for: client, on: device)
        let session =
            wanted == nil ? nil : client.updates.map { LocationSession(launch: $0.launch, updates: $0.options) }
        if session != client.record.session {
            let launch = session?.launch ?? client.record.session?.launch
            if let launch, launch == device.liveLaunch(of: app), (session == nil) != (client.record.session == nil) {
                actions.explain(.session(launch, session != nil))
            }
            clients.update(app) { client in
                if let old = client.record.session, session == nil { client.ended(old.launch, at: newest, on: device) }
                client.record.session = session
            }
            if let record = clients[app]?.record { actions.persist(.client(record)) }
        }
        guard wanted != client.assertion else { return }
        clients.update(app) { $0.assertion = wanted }
        // The new assertion comes first, so that the app is not suspended in between.
        if let wanted { actions.hold(app, wanted) }
        if let old = client.assertion { actions.release(app, old) }
    }

    /// The assertion that keeps the app running now; nil for none. A suspended app is not resumed for it.
    private func assertion(for client: LocationClient, on device: DeviceState) -> Assertion? {
        guard device.policy.locationKeepsRunning, let updates = client.updates, continues(client, on: device),
            !device.isSuspended(client.record.app)
        else { return nil }
        return assertion(for: LocationSession(launch: updates.launch, updates: updates.options), client)
    }

    private func assertion(for session: LocationSession, _ client: LocationClient) -> Assertion {
        client.record.permission == .whenInUse || session.updates.showsIndicator
            || client.hasActivity(in: session.launch) ? .locationWithIndicator : .location
    }

    /// The assertion that an app had before a restart of the system; nil if its launch has none.
    func restoredAssertion(for client: LocationClient, on device: DeviceState) -> Assertion? {
        guard let session = client.record.session, session.launch == device.liveLaunch(of: client.record.app),
            device.policy.locationKeepsRunning, !device.isSuspended(client.record.app)
        else { return nil }
        return assertion(for: session, client)
    }

    /// Whether an app's updates continue in the background: by its mode, its permission, and its options or a background
    /// activity session. With the permission `whenInUse` the updates or the session must have begun in the foreground.
    func continues(_ client: LocationClient, on device: DeviceState) -> Bool {
        let app = client.record.app
        guard let updates = client.updates, !updates.arePaused else { return false }
        let hasActivity = client.hasActivity(in: updates.launch)
        guard updates.options.allowsBackground || hasActivity || !device.policy.locationKeepsRunning,
            updates.launch == device.liveLaunch(of: app), device.isOpenable(app), !device.isInForeground(app),
            device.manifest(of: app)?.backgroundModes.contains(.location) == true
        else { return false }
        return switch client.record.permission {
        case .ask, .deny: false
        case .whenInUse: updates.wereInForeground || hasActivity
        case .always: true
        }
    }

    /// Whether each update wakes the app while it is suspended.
    func isWokenByUpdates(_ client: LocationClient, on device: DeviceState) -> Bool {
        !device.policy.locationKeepsRunning && device.isSuspended(client.record.app) && continues(client, on: device)
    }

    // MARK: The pause

    /// Pauses the updates of an app in the background if the position has not changed for long.
    private mutating func pauseIfStill(_ app: AppID, on device: DeviceState, into actions: inout Actions<Self>) {
        guard let client = clients[app], let updates = client.updates else { return }
        guard updates.options.pausesAutomatically, let newest, continues(client, on: device) else {
            clients.update(app) { $0.updates?.still = nil }
            return
        }
        let still = updates.still ?? LocationClient.Updates.Still(fix: newest, since: device.wallNow)
        let time = still.since + device.policy.locationPause
        clients.update(app) { $0.updates?.still = still }
        guard time <= device.wallNow else { return wait(until: time) }
        clients.update(app) { client in
            client.updates?.still = nil
            client.updates?.arePaused = true
        }
        actions.explain(.paused(updates.launch, true))
        actions.call(app, .location(.paused), .whenItRuns)
    }

    /// The app is in the foreground again, or starts its updates again: they continue, with the known position.
    mutating func resume(_ launch: LaunchID, on device: DeviceState, into actions: inout Actions<Self>) {
        clients.update(launch.app) { $0.updates?.arePaused = false }
        actions.explain(.paused(launch, false))
        actions.call(launch.app, .location(.resumed), .whenItRuns)
        takeNewest(for: launch.app, policy: device.policy, into: &actions)
    }
}

extension LocationClient.Updates {
    /// The device has a new position, which may be near the old one.
    mutating func moved(to fix: LocationFix, at now: Nanoseconds, policy: Policy) {
        if let still, still.fix.distance(to: fix) > policy.locationPauseDistance {
            self.still = Still(fix: fix, since: now)
        }
    }
}
