import LifeCycleModel

/// Remote notifications: who has registered for them, and whom they wake.
extension DeviceState {
    /// An app wants remote notifications, or wants none any more.
    mutating func setRemoteNotifications(
        _ isWanted: Bool, liftsNewsstandThrottle: Bool, by launch: LaunchID, _ slot: Int, at now: Nanoseconds,
        into effects: inout [Effect]
    ) {
        let app = apps[slot]
        guard !app.record.manifest.isAdopted, !app.isBeingUninstalled, app.lifeCycle.isLive else {
            return effects.append(.decided(.launch(launch, .ignoredLate)))
        }
        effects.append(.decided(.concern(.push(.asked(launch, isWanted)))))
        if !isWanted {
            unregister(launch.app, into: &effects)
        } else if pushes.isRegistered(launch.app) {
            // It asks at each launch, and is told each time.
            tellToken(pushes.records[launch.app]?.token, slot, at: now, into: &effects)
        } else if pushes.asked(by: launch.app) {
            effects.append(.concern(.notification(.makeDeviceToken(launch.app))))
        }
        if isWanted { pushes.said(liftsNewsstandThrottle: liftsNewsstandThrottle, by: launch.app, into: &effects) }
    }

    mutating func unregister(_ app: AppID, into effects: inout [Effect]) {
        let wasHeld = pushes.unregistered(app, into: &effects)
        if wasHeld { effects.append(.decided(.concern(.push(.dropped(app, .unregistered))))) }
    }

    /// A token was made, or could not be.
    mutating func tokenMade(
        _ token: DeviceToken?, for app: AppID, at now: Nanoseconds, into effects: inout [Effect]
    ) {
        guard let slot = slot(of: app), pushes.made(token, for: app, into: &effects) else { return }
        // The app may pass its token to a provider at once, so the token must survive a crash.
        guard token == nil else { return effects.append(.concern(.notification(.confirmToken(app)))) }
        effects.append(.decided(.concern(.push(.registered(app, false)))))
        tellToken(nil, slot, at: now, into: &effects)
    }

    /// Registers an app whose token is persisted, and sends it the token.
    mutating func tokenPersisted(for app: AppID, at now: Nanoseconds, into effects: inout [Effect]) {
        guard let slot = slot(of: app), let token = pushes.persisted(app) else { return }
        effects.append(.decided(.concern(.push(.registered(app, true)))))
        tellToken(token, slot, at: now, into: &effects)
    }

    private mutating func tellToken(
        _ token: DeviceToken?, _ slot: Int, at now: Nanoseconds, into effects: inout [Effect]
    ) {
        owe(.remoteNotificationsRegistered(token), .whenItRuns, slot, at: now, into: &effects)
    }

    // MARK: What comes

    /// A remote notification came for an app.
    mutating func pushed(
        _ notification: RemoteNotification, to app: AppID, at now: Nanoseconds, into effects: inout [Effect]
    ) {
        guard let slot = slot(of: app), !apps[slot].isBeingUninstalled else {
            return effects.append(.decided(.app(app, .unknown)))
        }
        guard pushes.isRegistered(app) else { return effects.append(.decided(.concern(.push(.notRegistered(app))))) }
        if isInFront(slot) {
            if let held = pushes.takeHeld(of: app, into: &effects) { deliver(held, slot, at: now, into: &effects) }
            return deliver(notification, isNew: true, slot, at: now, into: &effects)
        }
        show(notification, slot, into: &effects)
        guard notification.isContentAvailable else {
            return effects.append(.decided(.concern(.push(.forPeople(app, nil)))))
        }
        wake(slot, for: notification, at: now, into: &effects)
    }

    /// Wakes the app for it, or holds it back, or lets it go.
    private mutating func wake(
        _ slot: Int, for notification: RemoteNotification, at now: Nanoseconds, into effects: inout [Effect]
    ) {
        let app = ids[slot]
        switch admission(of: notification, slot) {
        case .admitted:
            _ = pushes.takeHeld(of: app, into: &effects)
            if pushReason(slot) == .newsstand {
                pushes.wokenForNewsstand(app, at: wallNow, into: &effects)
            } else if !isNoticed(notification, slot) {
                pushes.woken(app, at: wallNow, policy: policy, into: &effects)
            }
            deliver(notification, slot, at: now, into: &effects)
        case .held(let hold):
            let isOther = pushes.hold(notification, for: app, into: &effects)
            pushes.isStale = true
            effects.append(.decided(.concern(.push(.held(app, hold, replacing: isOther)))))
        case .lost(let loss):
            effects.append(
                .decided(.concern(.push(notification.isForPeople ? .forPeople(app, loss) : .dropped(app, loss)))))
        }
    }

    /// One that is new, and has something for the user, was shown to nobody yet.
    private mutating func deliver(
        _ notification: RemoteNotification, isNew: Bool = false, _ slot: Int, at now: Nanoseconds,
        into effects: inout [Effect]
    ) {
        effects.append(.decided(.concern(.push(.delivered(ids[slot], notification)))))
        if isNew, isInFront(slot), hand(notification, slot, into: &effects) {
            let delivery = LifeCycle.Delivery.inForeground(elseAtOnce: wakes(notification, slot))
            owe(.handleEvent(.remoteNotification(notification)), delivery, slot, at: now, into: &effects)
        } else if isInFront(slot) {
            owe(.handleEvent(.remoteNotification(notification)), .atOnce, slot, at: now, into: &effects)
        } else {
            handOver(.remoteNotification(notification), for: pushReason(slot), slot, at: now, into: &effects)
        }
    }

    /// Whether a person sees or hears anything of it, as far as its app may show something.
    private func isNoticed(_ notification: RemoteNotification, _ slot: Int) -> Bool {
        guard let presentation = notification.presentation else { return false }
        let client = notifications.clients[ids[slot]] ?? NotificationClient(record: .init(app: ids[slot]))
        return !presentation.kinds(allowed: client.allowed(by: policy)).isEmpty
    }

    /// Whether its app is to be called for it also off the foreground.
    private func wakes(_ notification: RemoteNotification, _ slot: Int) -> Bool {
        let mode = pushReason(slot).requiredMode
        return notification.isContentAvailable
            && mode.map(apps[slot].record.manifest.backgroundModes.contains) ?? false
    }

    /// What a remote notification wakes an app for: one that has not declared that it wants them as such, but is of
    /// Newsstand, to begin a download.
    private func pushReason(_ slot: Int) -> LaunchReason {
        let modes = apps[slot].record.manifest.backgroundModes
        return modes.contains(.newsstandContent) && !modes.contains(.remoteNotification)
            ? .newsstand : .remoteNotification
    }

    private enum PushAdmission {
        case admitted
        case held(PushHold)
        case lost(PushLoss)
    }

    private func admission(of notification: RemoteNotification, _ slot: Int) -> PushAdmission {
        let reason = pushReason(slot)
        let refusal = LaunchRules.admit(
            reason, app: apps[slot].record, isEnding: apps[slot].lifeCycle.isEnding, circumstances: circumstances)
        switch refusal {
        case nil: break
        case .notUnlockedSinceStart?: return .held(.notUnlockedSinceStart)
        case .ending?: return .held(.ending)
        case .shuttingDown?: return .held(.shuttingDown)
        case let refusal?: return .lost(.refused(refusal))
        }
        if reason == .newsstand, !pushes.allowsNewsstandWake(of: ids[slot], at: wallNow, policy: policy) {
            return .lost(.newsstandThrottled)
        }
        // What a person sees is not put off, nor the app's work for it.
        if isNoticed(notification, slot) { return .admitted }
        let settings = surroundings.settings
        if settings.lowPowerMode { return .held(.lowPowerMode) }
        if surroundings.isBatteryLow { return .held(.battery) }
        if reason == .newsstand { return .admitted }
        return pushes.throttled(ids[slot], at: wallNow, policy: policy) == nil ? .admitted : .held(.throttled)
    }

    // MARK: What was held back

    /// What the end of each event brings: what is held back may be handed over, or is gone.
    mutating func settlePushes(at now: Nanoseconds, into effects: inout [Effect]) {
        guard !pushes.isEmpty, pushes.isStarted, pushes.isDue(at: wallNow) else { return }
        var until: Nanoseconds?
        for app in pushes.holders {
            guard let slot = slot(of: app), let held = pushes.records[app]?.held else { continue }
            if isInFront(slot) {
                // The user has opened it: at once.
                _ = pushes.takeHeld(of: app, into: &effects)
                deliver(held, slot, at: now, into: &effects)
                continue
            }
            switch admission(of: held, slot) {
            case .admitted: wake(slot, for: held, at: now, into: &effects)
            case .lost(let loss):
                _ = pushes.takeHeld(of: app, into: &effects)
                effects.append(.decided(.concern(.push(.dropped(app, loss)))))
            case .held(.throttled):
                if let time = pushes.throttled(app, at: wallNow, policy: policy), until.map({ time < $0 }) ?? true {
                    until = time
                }
            case .held: break
            }
        }
        pushes.looked(until: until)
    }

    /// The user has opened the app by what was shown of it: it is handed over by that.
    mutating func dropHeldPush(_ push: RemoteNotification, of app: AppID, into effects: inout [Effect]) {
        if pushes.records[app]?.held == push { _ = pushes.takeHeld(of: app, into: &effects) }
    }

    /// Its app was swiped away, or killed: what is held back for it is gone.
    mutating func dropHeldPush(of app: AppID, _ loss: PushLoss, into effects: inout [Effect]) {
        guard pushes.takeHeld(of: app, into: &effects) != nil else { return }
        effects.append(.decided(.concern(.push(.dropped(app, loss)))))
    }
}

extension TerminationReason {
    /// Whether the app is killed for what it did: what was held back for it goes with it.
    var isAppsFault: Bool {
        switch self {
        case .watchdog, .lostContact, .tasksNotEnded, .sessionEventsNotHandled, .eventNotHandled, .tooManyTasks,
            .tooManyRequests, .tooMuchDisk:
            true
        case .exited, .launchFailed, .cutOff, .didNotExit, .forceQuit, .memory, .exitsOnSuspend, .shutdown,
            .deviceShutdown, .systemGone, .uninstalled, .updated, .notFreezable:
            false
        }
    }
}
