import LifeCycleModel

/// What apps and the user do with local notifications, and what apps are told of them.
extension Notifications {
    /// What an app does with its notifications.
    mutating func act(
        _ numbered: NumberedNotificationAct, by launch: LaunchID, on device: DeviceState,
        into actions: inout Actions<Notifications>
    ) {
        guard !device.isPrewarmed(launch.app), hears(numbered.number, from: launch) else {
            return actions.ignore(launch)
        }
        let app = launch.app
        // First, so that whatever comes of it is news of what the app knows to be heard.
        tell(.heard(numbered.number), to: app, on: device, into: &actions)
        switch numbered.act {
        case .schedule(let notification):
            guard let date = notification.fireDate else {
                fire(notification, at: device.wallNow, by: app, on: device, into: &actions)
                break
            }
            for record in schedule(notification, at: date, by: app, on: device, into: &actions) {
                actions.explain(.notification(.discarded(record.id)))
                tell(.unscheduled(record.notification), to: app, on: device, into: &actions)
            }
        case .present(let notification):
            fire(notification, at: device.wallNow, by: app, on: device, into: &actions)
        case .cancel(let notification):
            actions.explain(.notification(.canceled(app, cancel(notification, by: app, into: &actions))))
        case .cancelAll: actions.explain(.notification(.canceled(app, cancel(nil, by: app, into: &actions))))
        case .setBadge(let number): setBadge(max(0, number), of: app, on: device, into: &actions)
        case .register(let types):
            keep(app, into: &actions) { $0.registered = types.known }
            let allowed = clients[app]?.allowed(by: device.policy) ?? []
            actions.explain(.notification(.registered(app, allowed)))
            // A held push that can be displayed now is no longer rate-limited.
            pushes.isStale = true
            actions.call(app, .notification(.registered(allowed)), .whenItRuns)
        }
        keep(app, into: &actions)
    }

    /// The user lets an app show notifications, or not.
    mutating func allow(
        _ app: AppID, _ isAllowed: Bool, on device: DeviceState, into actions: inout Actions<Notifications>
    ) {
        guard let launch = device.lastLaunch(of: app) else { return actions.refuse(app, .unknown) }
        _ = hears(0, from: launch)
        keep(app, into: &actions) { $0.isAllowed = isAllowed }
        actions.explain(.notification(.allowed(app, isAllowed)))
        pushes.isStale = true
        if isAllowed { return }
        _ = takeAway(of: app, into: &actions) { $0.stage == .shown }
        showBadge(0, of: app, on: device, into: &actions)
    }

    private mutating func setBadge(
        _ number: Int32, of app: AppID, on device: DeviceState, into actions: inout Actions<Notifications>
    ) {
        guard let client = clients[app] else { return }
        if number == 0 { _ = takeAway(of: app, into: &actions) { $0.stage == .shown } }
        guard number == 0 || client.allowed(by: device.policy).contains(.badge) else {
            actions.explain(.notification(.badgeRefused(app)))
            return tell(.badge(client.record.badge), to: app, on: device, into: &actions)
        }
        showBadge(number, of: app, on: device, into: &actions)
    }

    mutating func showBadge(
        _ number: Int32, of app: AppID, on device: DeviceState, into actions: inout Actions<Notifications>
    ) {
        guard let client = clients[app], client.record.badge != number else { return }
        keep(app, into: &actions) { $0.badge = number }
        actions.explain(.notification(.badge(app, number)))
        actions.perform(.setBadge(app, number))
        tell(.badge(number), to: app, on: device, into: &actions)
    }

    /// The user opens an app by one of its notifications: it is launched with it, or hears of it on its way to the front.
    mutating func tapped(_ id: NotificationID, on device: DeviceState, into actions: inout Actions<Notifications>) {
        guard let record = delivered(id), record.stage == .shown, device.manifest(of: id.app) != nil,
            let last = device.lastLaunch(of: id.app)
        else { return actions.explain(.notification(.answered(id, .gone))) }
        if let refusal = device.refusalToOpen(id.app) { return actions.refuse(id.app, .wakeRefused(.user, refusal)) }
        actions.explain(.notification(.answered(id, .tapped)))
        _ = takeAway(of: id.app, into: &actions) { $0.id == id }
        if !device.isOpenable(id.app) {
            // Also where it is opened again only once what ends has ended.
            let number = last.number + (device.isPrewarmed(id.app) ? 0 : 1)
            let launch = LaunchID(app: id.app, number: number)
            update(id.app) { $0.opening = NotificationClient.Opening(launch: launch, notification: record) }
        }
        // The app is handed it by that.
        if let remote = record.remote, pushes.records[id.app]?.held == remote {
            _ = pushes.takeHeld(of: id.app, into: &actions)
        }
        actions.open(id.app, delivering: record.call)
    }

    // MARK: What apps are told

    /// One that does not run hears of it when it does.
    mutating func tell(
        _ news: NotificationNews, to app: AppID, on device: DeviceState, into actions: inout Actions<Notifications>
    ) {
        guard let launch = device.liveLaunch(of: app) else { return }
        if device.isSuspended(app) { update(app) { $0.isStale = true } } else { actions.send(news, to: launch) }
    }

    /// An app has connected: it is told how it stands, where it has to do with notifications at all.
    mutating func attached(
        _ launch: LaunchID, _ attachment: Attachment, on device: DeviceState, into actions: inout Actions<Notifications>
    ) {
        let client = clients[launch.app]
        if attachment.phase == .starting { tellOfPush(launch, on: device, into: &actions) }
        guard client != nil || attachment.notificationActs > 0 else { return }
        if device.isSuspended(launch.app) {
            // It hears when it runs again.
            _ = hears(0, from: launch)
            update(launch.app) { $0.isStale = true }
        } else {
            tellAll(to: launch, on: device, into: &actions)
        }
        guard let opening = client?.opening, opening.launch == launch else { return }
        if attachment.phase != .starting {
            update(launch.app) { $0.opening = nil }
            return
        }
        if device.manifest(of: launch.app)?.usesScenes == true {
            // With scenes there are no launch options: it hears of it on its way to the front.
            update(launch.app) { $0.opening = nil }
        } else if let remote = opening.notification.remote {
            actions.send(.launchedByRemote(remote.payload), to: launch)
            // It is among its launch options, and it is called for it too.
            if opening.isOwed { return }
            update(launch.app) { $0.opening?.isOwed = true }
        } else {
            return actions.send(.launchedBy(opening.notification.notification), to: launch)
        }
        actions.call(launch.app, opening.notification.call, .onTheWayToForeground)
    }

    /// It is launched for a remote notification, which is among its launch options; with scenes there are none.
    private func tellOfPush(
        _ launch: LaunchID, on device: DeviceState, into actions: inout Actions<Notifications>
    ) {
        guard let push = device.pushLaunchedFor(launch), device.manifest(of: launch.app)?.usesScenes == false else {
            return
        }
        actions.send(.launchedByRemote(push.payload), to: launch)
    }

    mutating func tellAll(
        to launch: LaunchID, on device: DeviceState, into actions: inout Actions<Notifications>
    ) {
        if device.isSuspended(launch.app) { return }
        update(launch.app) { $0.isStale = false }
        let client = clients[launch.app]
        let status = client?.status(of: launch, policy: device.policy) ?? NotificationStatus()
        actions.send(.begins(status), to: launch)
        for entry in client?.scheduled ?? [] { actions.send(.scheduled(entry.record.notification), to: launch) }
    }

    /// The app is gone, and what it has shown with it.
    mutating func withdrawAll(of app: AppID, into actions: inout Actions<Notifications>) {
        guard let client = clients[app] else { return }
        let shown = client.delivered.filter { $0.stage == .shown }.map(\.id)
        if !shown.isEmpty { actions.perform(.withdraw(app, shown)) }
        if client.record.badge != 0 { actions.perform(.setBadge(app, 0)) }
        forget(app)
    }
}
