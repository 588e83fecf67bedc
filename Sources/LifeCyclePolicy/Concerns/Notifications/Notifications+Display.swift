import LifeCycleModel

/// Fired notifications: the foreground app is called with its own; all other notifications are displayed (R-102,
///
extension Notifications {
    /// Fires the notifications that are due.
    mutating func fireDue(on device: DeviceState, into actions: inout Actions<Notifications>) {
        guard device.shutdown == .none else { return }
        while let (entry, isLast, due, late) = takeDue(
            at: device.wallNow, local: device.surroundings.zone?.rules, into: &actions)
        {
            actions.explain(.notification(.fired(entry.id, late: late)))
            if isLast { tell(.unscheduled(entry.notification), to: entry.id.app, on: device, into: &actions) }
            fire(entry.notification, at: due, by: entry.id.app, on: device, into: &actions)
        }
    }

    /// Fires a notification. A foreground app is called with the notification. Otherwise the notification is displayed
    ///
    mutating func fire(
        _ notification: LocalNotification, at due: Nanoseconds, by app: AppID, on device: DeviceState,
        into actions: inout Actions<Notifications>
    ) {
        guard device.manifest(of: app) != nil, let id = update(app, { $0.nextID() }), let client = clients[app] else {
            return
        }
        let types = notification.kinds(allowed: client.allowed(by: device.policy))
        var record = DeliveredRecord(id: id, notification: notification, types: types, fired: due, stage: .shown)
        keep(app, into: &actions)
        guard device.isInForeground(app), hasRoomForDelivering(app, policy: device.policy) else {
            return show(record, on: device, into: &actions)
        }
        record.stage = .delivering
        add(record, policy: device.policy, into: &actions)
        actions.call(app, .notification(.received(notification)), .inForeground(elseAtOnce: false))
    }

    private func hasRoomForDelivering(_ app: AppID, policy: Policy) -> Bool {
        clients[app]?.delivered.count { $0.stage == .delivering } ?? 0 < policy.notificationsPerApp
    }

    /// Displays the visible part of a remote notification whose app is not in the foreground.
    mutating func show(
        _ push: Push, on device: DeviceState, into actions: inout Actions<Notifications>
    ) {
        guard let record = record(of: push, .shown, on: device, into: &actions) else { return }
        show(record, on: device, into: &actions)
    }

    /// Stores a remote notification until the foreground app is called with it. If the app leaves the foreground first,
    /// the notification is displayed. Returns false if the notification has no visible part, or if too many
    /// notifications are stored already.
    mutating func hand(
        _ push: Push, on device: DeviceState, into actions: inout Actions<Notifications>
    ) -> Bool {
        guard hasRoomForDelivering(push.id.app, policy: device.policy),
            let record = record(of: push, .delivering, on: device, into: &actions)
        else { return false }
        add(record, policy: device.policy, into: &actions)
        return true
    }

    private mutating func record(
        of push: Push, _ stage: DeliveredRecord.Stage, on device: DeviceState,
        into actions: inout Actions<Notifications>
    ) -> DeliveredRecord? {
        let app = push.id.app
        guard let presentation = push.notification.presentation, let launch = device.lastLaunch(of: app) else {
            return nil
        }
        _ = acceptRequest(0, from: launch)
        guard let id = update(app, { $0.nextID() }), let client = clients[app] else { return nil }
        keep(app, into: &actions)
        return DeliveredRecord(
            id: id, notification: presentation.notification,
            types: presentation.kinds(allowed: client.allowed(by: device.policy)),
            fired: device.wallNow, stage: stage, push: push.id)
    }

    /// Displays a notification. If it names a sound of the app, the sound file is examined first.
    mutating func show(
        _ fired: DeliveredRecord, on device: DeviceState, into actions: inout Actions<Notifications>
    ) {
        guard let client = clients[fired.id.app] else { return }
        let shown = fired.types.intersection(client.allowed(by: device.policy))
        var record = fired
        (record.types, record.stage) = (shown, .shown)
        guard !shown.isEmpty else {
            actions.explain(.notification(.notShown(fired.id, client.reasonNotToShow(fired, pushes.contents))))
            _ = takeAway(of: fired.id.app, into: &actions) { $0.id == fired.id }
            return
        }
        guard shown.contains(.sound), case .named(let name) = fired.notification.sound else {
            let sound: NotificationSound = shown.contains(.sound) ? .standard : .none
            return show(record, sound: sound, on: device, into: &actions)
        }
        record.stage = .sounding
        add(record, policy: device.policy, into: &actions)
        actions.perform(.examineSound(fired.id, name: name))
    }

    mutating func soundExamined(
        _ id: NotificationID, _ file: SoundFile, on device: DeviceState, into actions: inout Actions<Notifications>
    ) {
        guard let record = delivered(id), record.stage == .sounding else {
            return actions.explain(.notification(.answered(id, .gone)))
        }
        let fault = file.fault(limit: device.policy.notificationSound)
        if let fault { actions.explain(.notification(.soundReplaced(id, fault))) }
        let sound = fault == nil ? record.notification.sound : .standard
        show(record, sound: sound, on: device, into: &actions)
    }

    /// Persists the record before the notification is displayed, so that a restart in between displays nothing twice.
    private mutating func show(
        _ fired: DeliveredRecord, sound: NotificationSound, on device: DeviceState,
        into actions: inout Actions<Notifications>
    ) {
        var record = fired
        record.stage = .shown
        if record.types.contains(.alert) {
            add(record, policy: device.policy, into: &actions)
        } else {
            // Without an alert there is nothing that the user could tap later.
            _ = takeAway(of: record.id.app, into: &actions) { $0.id == record.id }
        }
        if record.types.contains(.badge) {
            showBadge(max(0, record.notification.badge), of: record.id.app, on: device, into: &actions)
        }
        actions.explain(.notification(.shown(record.id, record.types)))
        let shown = ShownNotification(
            id: record.id, notification: record.notification, types: record.types, sound: sound)
        actions.perform(.show(shown))
    }

    /// Displays the notifications that the app was not called with before it left the foreground or ended.
    mutating func showDelivering(
        to app: AppID, on device: DeviceState, into actions: inout Actions<Notifications>
    ) {
        guard device.manifest(of: app) != nil else {
            _ = takeAway(of: app, into: &actions) { $0.stage == .delivering }
            return
        }
        for record in clients[app]?.delivered ?? [] where record.stage == .delivering {
            show(record, on: device, into: &actions)
        }
    }

    /// The app is called with a notification that fired while the app was in the foreground. The notification is then
    /// done.
    mutating func called(_ app: AppID, _ call: ConcernCall, into actions: inout Actions<Notifications>) {
        guard let record = clients[app]?.delivered.first(where: { $0.stage == .delivering && $0.call == call }) else {
            return
        }
        _ = takeAway(of: app, into: &actions) { $0.id == record.id }
    }
}
