import LifeCycleModel

/// Between the apps, their local notifications and the user: what fires, who is handed it, what is shown.
extension DeviceState {
    /// What an app does with its notifications.
    mutating func act(
        _ numbered: NumberedNotificationAct, by launch: LaunchID, _ slot: Int, at now: Nanoseconds,
        into effects: inout [Effect]
    ) {
        guard !apps[slot].lifeCycle.isPrewarmed, !apps[slot].record.manifest.isAdopted,
            !apps[slot].isBeingUninstalled, notifications.hears(numbered.number, from: launch)
        else { return effects.append(.decided(.launch(launch, .ignoredLate))) }
        let app = launch.app
        // First, so that whatever comes of it is news of what the app knows to be heard.
        tell(.heard(numbered.number), to: slot, into: &effects)
        switch numbered.act {
        case .schedule(let notification):
            guard let date = notification.fireDate else {
                fire(notification, at: wallNow, slot, at: now, into: &effects)
                break
            }
            let discarded = notifications.schedule(
                notification, at: date, by: app, zone: surroundings.zone, policy: policy, into: &effects)
            for record in discarded {
                effects.append(.decided(.concern(.notification(.discarded(record.id)))))
                tell(.unscheduled(record.notification), to: slot, into: &effects)
            }
        case .present(let notification):
            fire(notification, at: wallNow, slot, at: now, into: &effects)
        case .cancel(let notification):
            let count = notifications.cancel(notification, by: app, into: &effects)
            effects.append(.decided(.concern(.notification(.canceled(app, count)))))
        case .cancelAll:
            let count = notifications.cancel(nil, by: app, into: &effects)
            effects.append(.decided(.concern(.notification(.canceled(app, count)))))
        case .setBadge(let number): setBadge(max(0, number), of: slot, into: &effects)
        case .register(let types):
            notifications.keep(app, into: &effects) { $0.registered = types.known }
            let allowed = notifications.clients[app]?.allowed(by: policy) ?? []
            effects.append(.decided(.concern(.notification(.registered(app, allowed)))))
            // A held push that can be displayed now is no longer rate-limited.
            pushes.isStale = true
            owe(.notification(.registered(allowed)), .whenItRuns, slot, at: now, into: &effects)
        }
        notifications.keep(app, into: &effects)
    }

    private mutating func setBadge(_ number: Int32, of slot: Int, into effects: inout [Effect]) {
        let app = ids[slot]
        guard let client = notifications.clients[app] else { return }
        if number == 0 { _ = notifications.takeAway(of: app, into: &effects) { $0.stage == .shown } }
        guard number == 0 || client.allowed(by: policy).contains(.badge) else {
            effects.append(.decided(.concern(.notification(.badgeRefused(app)))))
            return tell(.badge(client.record.badge), to: slot, into: &effects)
        }
        showBadge(number, of: slot, into: &effects)
    }

    private mutating func showBadge(_ number: Int32, of slot: Int, into effects: inout [Effect]) {
        let app = ids[slot]
        guard let client = notifications.clients[app], client.record.badge != number else { return }
        notifications.keep(app, into: &effects) { $0.badge = number }
        effects.append(.decided(.concern(.notification(.badge(app, number)))))
        effects.append(.concern(.notification(.setBadge(app, number))))
        tell(.badge(number), to: slot, into: &effects)
    }

    // MARK: What happens

    mutating func notice(_ input: NotificationInput, at now: Nanoseconds, into effects: inout [Effect]) {
        switch input {
        case .pushArrived(let app, let notification): pushed(notification, to: app, at: now, into: &effects)
        case .tokenMade(let app, let token): tokenMade(token, for: app, at: now, into: &effects)
        case .tokenPersisted(let app): tokenPersisted(for: app, at: now, into: &effects)
        case .zoneRead(let name, let rules):
            for record in notifications.zoneRead(name, rules, local: surroundings.zone?.rules, into: &effects) {
                effects.append(.decided(.concern(.notification(.zoneUnknown(record.id)))))
                guard let slot = slot(of: record.id.app) else { continue }
                tell(.unscheduled(record.notification), to: slot, into: &effects)
            }
        case .localZoneChanged(let name, let rules):
            let zone = DeviceSurroundings.LocalZone(name: name, rules: rules)
            guard surroundings.zone != zone else { return }
            surroundings.zone = zone
            notifications.localZoneChanged(to: rules)
            tell(.zoneChanged)
            effects.append(.decided(.concern(.notification(.zoneChanged(name)))))
        case .soundExamined(let id, let file): soundExamined(id, file, into: &effects)
        case .tapped(let id): tapped(id, at: now, into: &effects)
        case .dismissed(let id):
            let isThere = notifications.takeAway(of: id.app, into: &effects) { $0.id == id && $0.stage == .shown } > 0
            effects.append(.decided(.concern(.notification(.answered(id, isThere ? .dismissed : .gone)))))
        case .allowed(let app, let isAllowed):
            guard let slot = slot(of: app) else { return effects.append(.decided(.app(app, .unknown))) }
            _ = notifications.hears(0, from: LaunchID(app: app, number: apps[slot].record.lastLaunch))
            notifications.keep(app, into: &effects) { $0.isAllowed = isAllowed }
            effects.append(.decided(.concern(.notification(.allowed(app, isAllowed)))))
            pushes.isStale = true
            if !isAllowed {
                _ = notifications.takeAway(of: app, into: &effects) { $0.stage == .shown }
                showBadge(0, of: slot, into: &effects)
            }
        }
    }

    /// The system goes on after its restart: what had fired before and was not shown is now.
    mutating func startNotifications(at now: Nanoseconds, into effects: inout [Effect]) {
        for record in notifications.start(into: &effects) {
            guard let slot = slot(of: record.id.app) else { continue }
            show(record, slot, into: &effects)
        }
    }

    /// What the end of each event brings: those whose time has come.
    mutating func settleNotifications(at now: Nanoseconds, into effects: inout [Effect]) {
        guard !notifications.isEmpty, notifications.isStarted, shutdown == .none else { return }
        while let (entry, isLast, due, late) = notifications.takeDue(
            at: wallNow, local: surroundings.zone?.rules, into: &effects)
        {
            effects.append(.decided(.concern(.notification(.fired(entry.id, late: late)))))
            guard let slot = slot(of: entry.id.app) else { continue }
            if isLast { tell(.unscheduled(entry.notification), to: slot, into: &effects) }
            fire(entry.notification, at: due, slot, at: now, into: &effects)
        }
    }

    // MARK: What has fired

    /// An app in front is handed it, and nothing is shown; else the user is told.
    private mutating func fire(
        _ notification: LocalNotification, at due: Nanoseconds, _ slot: Int, at now: Nanoseconds,
        into effects: inout [Effect]
    ) {
        let app = ids[slot]
        guard !apps[slot].isBeingUninstalled, let id = notifications.update(app, { $0.nextID() }),
            let client = notifications.clients[app]
        else { return }
        let types = notification.kinds(allowed: client.allowed(by: policy))
        var record = DeliveredRecord(
            id: id, notification: notification, types: types, fired: due, stage: .shown)
        let handed = client.delivered.count { $0.stage == .handed }
        guard isInFront(slot), handed < policy.notificationsPerApp else {
            notifications.keep(app, into: &effects)
            return show(record, slot, into: &effects)
        }
        record.stage = .handed
        notifications.keep(app, into: &effects)
        notifications.add(record, policy: policy, into: &effects)
        let delivery = LifeCycle.Delivery.inForeground(elseAtOnce: false)
        owe(.notification(.received(notification)), delivery, slot, at: now, into: &effects)
    }

    /// One that a provider has sent has something for the user, whose app is not in front.
    mutating func show(_ remote: RemoteNotification, _ slot: Int, into effects: inout [Effect]) {
        if let record = record(of: remote, .shown, slot, into: &effects) { show(record, slot, into: &effects) }
    }

    /// The same of an app in front, which is to be called for it: should it leave the front before that, it is shown. False
    /// where there is nothing to show, or too much is waiting.
    mutating func hand(_ remote: RemoteNotification, _ slot: Int, into effects: inout [Effect]) -> Bool {
        let handed = notifications.clients[ids[slot]]?.delivered.count { $0.stage == .handed } ?? 0
        guard handed < policy.notificationsPerApp,
            let record = record(of: remote, .handed, slot, into: &effects)
        else { return false }
        notifications.add(record, policy: policy, into: &effects)
        return true
    }

    private mutating func record(
        of remote: RemoteNotification, _ stage: DeliveredRecord.Stage, _ slot: Int, into effects: inout [Effect]
    ) -> DeliveredRecord? {
        guard let presentation = remote.presentation else { return nil }
        let app = ids[slot]
        _ = notifications.hears(0, from: LaunchID(app: app, number: apps[slot].record.lastLaunch))
        guard let id = notifications.update(app, { $0.nextID() }), let client = notifications.clients[app] else {
            return nil
        }
        notifications.keep(app, into: &effects)
        return DeliveredRecord(
            id: id, notification: presentation.notification,
            types: presentation.kinds(allowed: client.allowed(by: policy)),
            fired: wallNow, stage: stage, remote: remote)
    }

    /// Whether the user looks at it, or it is on its way there.
    func isInFront(_ slot: Int) -> Bool {
        let lifeCycle = apps[slot].lifeCycle
        guard lifeCycle.isLive, !lifeCycle.isEnding, !lifeCycle.isPrewarmed else { return false }
        return foreground.front == ids[slot]
    }

    /// Its sound is looked at first, where it has one of its own.
    private mutating func show(_ fired: DeliveredRecord, _ slot: Int, into effects: inout [Effect]) {
        guard let client = notifications.clients[ids[slot]] else { return }
        let shown = fired.types.intersection(client.allowed(by: policy))
        var record = fired
        (record.types, record.stage) = (shown, .shown)
        guard !shown.isEmpty else {
            effects.append(.decided(.concern(.notification(.notShown(fired.id, client.reasonNotToShow(fired))))))
            if client.delivered.contains(where: { $0.id == fired.id }) {
                _ = notifications.takeAway(of: fired.id.app, into: &effects) { $0.id == fired.id }
            }
            return
        }
        guard shown.contains(.sound), case .named(let name) = fired.notification.sound else {
            return show(record, sound: shown.contains(.sound) ? .standard : .none, slot, into: &effects)
        }
        record.stage = .sounding
        notifications.add(record, policy: policy, into: &effects)
        effects.append(.concern(.notification(.examineSound(fired.id, name: name))))
    }

    private mutating func soundExamined(_ id: NotificationID, _ file: SoundFile, into effects: inout [Effect]) {
        guard let record = notifications.delivered(id), record.stage == .sounding, let slot = slot(of: id.app) else {
            return effects.append(.decided(.concern(.notification(.answered(id, .gone)))))
        }
        let fault = file.fault(limit: policy.notificationSound)
        if let fault { effects.append(.decided(.concern(.notification(.soundReplaced(id, fault))))) }
        show(record, sound: fault == nil ? record.notification.sound : .standard, slot, into: &effects)
    }

    /// What is kept comes before what is shown: a restart in between shows nothing twice.
    private mutating func show(
        _ fired: DeliveredRecord, sound: NotificationSound, _ slot: Int, into effects: inout [Effect]
    ) {
        var record = fired
        record.stage = .shown
        if record.types.contains(.alert) {
            notifications.add(record, policy: policy, into: &effects)
        } else if notifications.delivered(record.id) != nil {
            // Without an alert there is nothing to come back to.
            _ = notifications.takeAway(of: record.id.app, into: &effects) { $0.id == record.id }
        }
        if record.types.contains(.badge) { showBadge(max(0, record.notification.badge), of: slot, into: &effects) }
        effects.append(.decided(.concern(.notification(.shown(record.id, record.types)))))
        effects.append(
            .concern(
                .notification(
                    .show(
                        ShownNotification(
                            id: record.id, notification: record.notification, types: record.types, sound: sound)))))
    }

    /// The app leaves the front, or is gone, before it was called: what it was to be handed is shown.
    mutating func showWhatWasHanded(to slot: Int, into effects: inout [Effect]) {
        guard let client = notifications.clients[ids[slot]] else { return }
        // Also of what it has canceled since, which is shown no more: off the front it is called for none.
        apps[slot].lifeCycle.dropForegroundCalls()
        let handed = client.delivered.filter { $0.stage == .handed }
        guard !apps[slot].isBeingUninstalled else {
            _ = notifications.takeAway(of: ids[slot], into: &effects) { $0.stage == .handed }
            return
        }
        for record in handed { show(record, slot, into: &effects) }
    }

    /// The app is called for one that fired while it was in front: that is the end of it.
    mutating func notificationCalled(_ callback: Callback, _ slot: Int, into effects: inout [Effect]) {
        guard case .concern(let call) = callback,
            let record = notifications.clients[ids[slot]]?.delivered.first(where: {
                $0.stage == .handed && $0.call == call
            })
        else { return }
        _ = notifications.takeAway(of: ids[slot], into: &effects) { $0.id == record.id }
    }

    // MARK: The user

    /// The user opens an app by one of its notifications: it is launched with it, or hears of it on its way to the front.
    private mutating func tapped(_ id: NotificationID, at now: Nanoseconds, into effects: inout [Effect]) {
        guard let record = notifications.delivered(id), record.stage == .shown, let slot = slot(of: id.app),
            !apps[slot].isBeingUninstalled
        else { return effects.append(.decided(.concern(.notification(.answered(id, .gone))))) }
        if let refusal = LaunchRules.open(apps[slot].record, circumstances: circumstances) {
            return effects.append(.decided(.app(id.app, .wakeRefused(.user, refusal))))
        }
        effects.append(.decided(.concern(.notification(.answered(id, .tapped)))))
        _ = notifications.takeAway(of: id.app, into: &effects) { $0.id == id }
        let lifeCycle = apps[slot].lifeCycle
        if lifeCycle.isLive, !lifeCycle.isEnding, !lifeCycle.isPrewarmed {
            owe(record.call, .onTheWayToForeground, slot, at: now, into: &effects)
        } else {
            // Also where it is opened again only once what ends has ended.
            let number = apps[slot].record.lastLaunch + (lifeCycle.isPrewarmed && lifeCycle.isLive ? 0 : 1)
            notifications.update(id.app) {
                $0.opening = NotificationClient.Opening(
                    launch: LaunchID(app: id.app, number: number), notification: record)
            }
        }
        if let remote = record.remote { dropHeldPush(remote, of: id.app, into: &effects) }
        open(id.app, at: now, into: &effects)
    }

    // MARK: What apps are told

    /// One that does not run hears of it when it does.
    private mutating func tell(_ news: NotificationNews, to slot: Int, into effects: inout [Effect]) {
        guard let launch = apps[slot].lifeCycle.launch, apps[slot].lifeCycle.isLive else { return }
        if apps[slot].suspension.isSuspendedOrAboutToBe {
            notifications.update(ids[slot]) { $0.isStale = true }
        } else {
            effects.append(.launch(launch, .send(.notification(news))))
        }
    }

    /// It runs again, and may not know what has fired meanwhile.
    mutating func tellStaleNotifications(to launch: LaunchID, _ slot: Int, into effects: inout [Effect]) {
        guard notifications.clients[launch.app]?.isStale ?? false else { return }
        tellAll(to: launch, into: &effects)
    }

    /// It has connected: it is told how it stands, where it has to do with notifications at all.
    mutating func tellNotifications(
        of attachment: Attachment, to launch: LaunchID, _ slot: Int, at now: Nanoseconds, into effects: inout [Effect]
    ) {
        let client = notifications.clients[launch.app]
        if attachment.phase == .starting { tellLaunchPush(apps[slot].lifeCycle.owedNotification, slot, into: &effects) }
        guard client != nil || attachment.notificationActs > 0 else { return }
        if apps[slot].suspension.isSuspendedOrAboutToBe {
            // It hears when it runs again.
            _ = notifications.hears(0, from: launch)
            notifications.update(launch.app) { $0.isStale = true }
        } else {
            tellAll(to: launch, into: &effects)
        }
        guard let opening = client?.opening, opening.launch == launch else { return }
        if attachment.phase == .starting {
            guard !(apps[slot].record.manifest.usesScenes) else {
                // With scenes there are no launch options: it hears of it on its way to the front.
                notifications.update(launch.app) { $0.opening = nil }
                return owe(opening.notification.call, .onTheWayToForeground, slot, at: now, into: &effects)
            }
            guard let remote = opening.notification.remote else {
                return effects.append(
                    .launch(launch, .send(.notification(.launchedBy(opening.notification.notification)))))
            }
            effects.append(.launch(launch, .send(.notification(.launchedByRemote(remote.payload)))))
            // It is among its launch options, and it is called for it too.
            guard !opening.isOwed else { return }
            notifications.update(launch.app) { $0.opening?.isOwed = true }
            owe(opening.notification.call, .onTheWayToForeground, slot, at: now, into: &effects)
        } else {
            notifications.update(launch.app) { $0.opening = nil }
        }
    }

    /// It is launched for a remote notification, which is among its launch options; with scenes there are none.
    mutating func tellLaunchPush(_ push: RemoteNotification?, _ slot: Int, into effects: inout [Effect]) {
        let lifeCycle = apps[slot].lifeCycle
        guard let push, let launch = lifeCycle.launch, !apps[slot].record.manifest.usesScenes,
            lifeCycle.launchReason == .remoteNotification || lifeCycle.launchReason == .newsstand
        else { return }
        effects.append(.launch(launch, .send(.notification(.launchedByRemote(push.payload)))))
    }

    private mutating func tellAll(to launch: LaunchID, into effects: inout [Effect]) {
        notifications.update(launch.app) { $0.isStale = false }
        let client = notifications.clients[launch.app]
        let status = client?.status(of: launch, policy: policy) ?? NotificationStatus()
        effects.append(.launch(launch, .send(.notification(.begins(status)))))
        for entry in client?.scheduled ?? [] {
            effects.append(.launch(launch, .send(.notification(.scheduled(entry.record.notification)))))
        }
    }

    /// The app is gone, and what it has shown with it.
    mutating func forgetNotifications(of app: AppID, into effects: inout [Effect]) {
        guard let client = notifications.clients[app] else { return }
        let shown = client.delivered.filter { $0.stage == .shown }.map(\.id)
        if !shown.isEmpty { effects.append(.concern(.notification(.withdraw(app, shown)))) }
        if client.record.badge != 0 { effects.append(.concern(.notification(.setBadge(app, 0)))) }
        notifications.forget(app)
    }
}
