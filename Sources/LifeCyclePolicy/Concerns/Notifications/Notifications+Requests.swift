import LifeCycleModel

/// Requests of apps, actions of the user, and the news that apps receive of their notifications.
extension Notifications {
    /// An app schedules, presents, cancels or registers for local notifications, or sets its badge.
    mutating func act(
        _ numbered: NumberedNotificationAct, by launch: LaunchID, on device: DeviceState,
        into actions: inout Actions<Notifications>
    ) {
        guard !device.isPrewarmed(launch.app), acceptRequest(numbered.number, from: launch) else {
            return actions.ignore(launch)
        }
        let app = launch.app
        // This goes first: the app applies all later news to the state after this request.
        tell(.received(numbered.number), to: app, on: device, into: &actions)
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

    /// The user allows an app to display notifications, or disallows it.
    mutating func allow(
        _ app: AppID, _ isAllowed: Bool, on device: DeviceState, into actions: inout Actions<Notifications>
    ) {
        guard let launch = device.lastLaunch(of: app) else { return actions.refuse(app, .unknown) }
        _ = acceptRequest(0, from: launch)
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

    /// The user taps a notification. Its app is launched with it, or is called with it on the way to the foreground.
    mutating func tapped(_ id: NotificationID, on device: DeviceState, into actions: inout Actions<Notifications>) {
        guard let record = delivered(id), record.stage == .shown, device.manifest(of: id.app) != nil,
            let last = device.lastLaunch(of: id.app)
        else { return actions.explain(.notification(.answered(id, .gone))) }
        if let refusal = device.refusalToOpen(id.app) { return actions.refuse(id.app, .wakeRefused(.user, refusal)) }
        actions.explain(.notification(.answered(id, .tapped)))
        _ = takeAway(of: id.app, into: &actions) { $0.id == id }
        if !device.isOpenable(id.app) {
            // An app that is being ended is opened in its next launch.
            let number = last.number + (device.isPrewarmed(id.app) ? 0 : 1)
            let launch = LaunchID(app: id.app, number: number)
            update(id.app) { $0.opening = NotificationClient.Opening(launch: launch, notification: record) }
        }
        // The call that opens the app also delivers the remote notification that was held.
        if let push = record.push, pushes.records[id.app]?.held == push {
            _ = pushes.takeHeld(of: id.app, into: &actions)
        }
        actions.open(id.app, delivering: record.call)
    }

    // MARK: Messages to apps

    /// Sends an app news. A suspended app receives its whole state when it next runs.
    mutating func tell(
        _ news: NotificationNews, to app: AppID, on device: DeviceState, into actions: inout Actions<Notifications>
    ) {
        guard let launch = device.liveLaunch(of: app) else { return }
        if device.isSuspended(app) { update(app) { $0.isStale = true } } else { actions.send(news, to: launch) }
    }

    /// An app has connected. If it uses notifications, it receives their state.
    mutating func attached(
        _ launch: LaunchID, _ attachment: Attachment, on device: DeviceState, into actions: inout Actions<Notifications>
    ) {
        let client = clients[launch.app]
        if attachment.phase == .starting { sendLaunchPush(launch, on: device, into: &actions) }
        guard client != nil || attachment.notificationActs > 0 else { return }
        if device.isSuspended(launch.app) {
            // The app receives the state when it runs again.
            _ = acceptRequest(0, from: launch)
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
            // An app with scenes has no launch options: it is called on its way to the foreground.
            update(launch.app) { $0.opening = nil }
        } else if let push = opening.notification.push {
            actions.send(.launchedByRemote(.of(push)), to: launch)
            // A remote notification is one of the launch options, and the app is also called with it.
            if opening.isCallPending { return }
            update(launch.app) { $0.opening?.isCallPending = true }
        } else {
            return actions.send(.launchedBy(opening.notification.notification), to: launch)
        }
        actions.call(launch.app, opening.notification.call, .onTheWayToForeground)
    }

    /// Sends an app without scenes the remote notification that it is launched for, as one of the launch options.
    private func sendLaunchPush(
        _ launch: LaunchID, on device: DeviceState, into actions: inout Actions<Notifications>
    ) {
        guard let push = device.pushLaunchedFor(launch), device.manifest(of: launch.app)?.usesScenes == false else {
            return
        }
        actions.send(.launchedByRemote(.of(push)), to: launch)
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

    /// Withdraws all displayed notifications and the badge of a removed app.
    mutating func withdrawAll(of app: AppID, into actions: inout Actions<Notifications>) {
        guard let client = clients[app] else { return }
        let shown = client.delivered.filter { $0.stage == .shown }.map(\.id)
        if !shown.isEmpty { actions.perform(.withdraw(app, shown)) }
        if client.record.badge != 0 { actions.perform(.setBadge(app, 0)) }
        forget(app)
    }
}
