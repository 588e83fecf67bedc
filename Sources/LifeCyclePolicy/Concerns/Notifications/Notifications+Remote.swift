import LifeCycleModel

/// Remote notifications: registration, delivery and wakes.
extension Notifications {
    /// An app registers for remote notifications, or unregisters.
    mutating func setRemoteNotifications(
        _ isWanted: Bool, liftsNewsstandThrottle: Bool, by launch: LaunchID,
        into actions: inout Actions<Notifications>
    ) {
        let app = launch.app
        actions.explain(.push(.asked(launch, isWanted)))
        if !isWanted {
            unregister(app, into: &actions)
        } else if pushes.isRegistered(app) {
            // Apps register at each launch, and receive the token each time.
            tellToken(pushes.records[app]?.token, to: app, into: &actions)
        } else if pushes.asked(by: app) {
            actions.perform(.makeDeviceToken(app))
        }
        if isWanted { pushes.said(liftsNewsstandThrottle: liftsNewsstandThrottle, by: app, into: &actions) }
    }

    mutating func unregister(_ app: AppID, into actions: inout Actions<Notifications>) {
        let wasHeld = pushes.unregistered(app, into: &actions)
        if wasHeld { actions.explain(.push(.dropped(app, .unregistered))) }
    }

    /// A token was made; nil if no token could be made.
    mutating func tokenMade(_ token: DeviceToken?, for app: AppID, into actions: inout Actions<Notifications>) {
        guard pushes.made(token, for: app, into: &actions) else { return }
        // The app may pass its token to a provider at once, so the token must survive a crash.
        guard token == nil else { return actions.perform(.confirmToken(app)) }
        actions.explain(.push(.registered(app, false)))
        tellToken(nil, to: app, into: &actions)
    }

    /// Registers an app whose token is persisted, and sends the app the token.
    mutating func tokenPersisted(for app: AppID, into actions: inout Actions<Notifications>) {
        guard let token = pushes.persisted(app) else { return }
        actions.explain(.push(.registered(app, true)))
        tellToken(token, to: app, into: &actions)
    }

    private func tellToken(_ token: DeviceToken?, to app: AppID, into actions: inout Actions<Notifications>) {
        actions.call(app, .notification(.registeredForRemote(token)), .whenItRuns)
    }

    // MARK: Arrival

    /// A remote notification came for an app.
    mutating func pushed(
        _ notification: RemoteNotification, to app: AppID, on device: DeviceState,
        into actions: inout Actions<Notifications>
    ) {
        guard device.manifest(of: app) != nil else { return actions.refuse(app, .unknown) }
        guard pushes.isRegistered(app) else { return actions.explain(.push(.notRegistered(app))) }
        let push = pushes.contents.arrived(notification, for: app)
        if device.isInForeground(app) {
            if let held = pushes.takeHeld(of: app, into: &actions) { deliver(held, on: device, into: &actions) }
            return deliver(push, isNew: true, on: device, into: &actions)
        }
        show(push, on: device, into: &actions)
        guard notification.isContentAvailable else { return actions.explain(.push(.visible(app, nil))) }
        wake(for: push, on: device, into: &actions)
    }

    /// Wakes the app for a remote notification, or holds the notification, or drops it.
    private mutating func wake(
        for push: Push, on device: DeviceState, into actions: inout Actions<Notifications>
    ) {
        let (app, notification) = (push.id.app, push.notification)
        switch admission(of: notification, to: app, on: device) {
        case .admitted:
            _ = pushes.takeHeld(of: app, into: &actions)
            if device.pushReason(of: app) == .newsstand {
                pushes.wokenForNewsstand(app, at: device.wallNow, into: &actions)
            } else if !isNoticed(notification, of: app, policy: device.policy) {
                pushes.woken(app, at: device.wallNow, policy: device.policy, into: &actions)
            }
            deliver(push, on: device, into: &actions)
        case .held(let hold):
            let isOther = pushes.hold(push.id, into: &actions)
            pushes.isStale = true
            actions.explain(.push(.held(app, hold, replacing: isOther)))
        case .lost(let loss):
            actions.explain(.push(notification.isVisible ? .visible(app, loss) : .dropped(app, loss)))
        }
    }

    /// Delivers a remote notification to the app. The visible part of a new notification has not been displayed yet.
    private mutating func deliver(
        _ push: Push, isNew: Bool = false, on device: DeviceState, into actions: inout Actions<Notifications>
    ) {
        let app = push.id.app
        actions.explain(.push(.delivered(push.id)))
        let call = push.id.call
        if isNew, device.isInForeground(app), hand(push, on: device, into: &actions) {
            let wakes = push.notification.isContentAvailable && device.declaresPushMode(app)
            actions.call(app, call, .inForeground(elseAtOnce: wakes))
        } else if device.isInForeground(app) {
            actions.call(app, call, .atOnce)
        } else {
            actions.wake(app, for: device.pushReason(of: app), delivering: call)
        }
    }

    /// Whether the app's permissions let the user notice the notification.
    private func isNoticed(_ notification: RemoteNotification, of app: AppID, policy: Policy) -> Bool {
        guard let presentation = notification.presentation else { return false }
        let client = clients[app] ?? NotificationClient(record: .init(app: app))
        return !presentation.kinds(allowed: client.allowed(by: policy)).isEmpty
    }

    private enum Admission {
        case admitted
        case held(PushHold)
        case lost(PushLoss)
    }

    private func admission(of notification: RemoteNotification, to app: AppID, on device: DeviceState) -> Admission {
        let reason = device.pushReason(of: app)
        switch device.refusal(to: app, for: reason) {
        case nil: break
        case .notUnlockedSinceStart?: return .held(.notUnlockedSinceStart)
        case .ending?: return .held(.ending)
        case .shuttingDown?: return .held(.shuttingDown)
        case let refusal?: return .lost(.refused(refusal))
        }
        let (now, policy) = (device.wallNow, device.policy)
        if reason == .newsstand, !pushes.allowsNewsstandWake(of: app, at: now, policy: policy) {
            return .lost(.newsstandThrottled)
        }
        // A visible notification is not held back, and neither is the wake of its app.
        if isNoticed(notification, of: app, policy: policy) { return .admitted }
        if device.surroundings.settings.lowPowerMode { return .held(.lowPowerMode) }
        if device.surroundings.isBatteryLow(by: device.policy) { return .held(.battery) }
        if reason == .newsstand { return .admitted }
        return pushes.throttled(app, at: now, policy: policy) == nil ? .admitted : .held(.throttled)
    }

    // MARK: Held notifications

    /// Delivers, drops or keeps each remote notification that is held back.
    mutating func releaseHeldPushes(on device: DeviceState, into actions: inout Actions<Notifications>) {
        let now = device.wallNow
        guard !pushes.isEmpty, pushes.isDue(at: now) else { return }
        var until: Nanoseconds?
        var waitsForFreeze = false
        for app in pushes.holders {
            guard let held = pushes.held(for: app) else { continue }
            if device.isInForeground(app) {
                // The user has opened the app: it gets the notification at once.
                _ = pushes.takeHeld(of: app, into: &actions)
                deliver(held, on: device, into: &actions)
                continue
            }
            switch admission(of: held.notification, to: app, on: device) {
            case .admitted where device.isBeingFrozen(app): waitsForFreeze = true
            case .admitted: wake(for: held, on: device, into: &actions)
            case .lost(let loss): dropHeldPush(of: app, loss, into: &actions)
            case .held(.throttled):
                let time = pushes.throttled(app, at: now, policy: device.policy)
                until = [until, time].compactMap(\.self).min()
            case .held: break
            }
        }
        pushes.looked(until: until, isStale: waitsForFreeze)
    }

    /// Drops the remote notification that is held back for the app; does nothing if no notification is held.
    mutating func dropHeldPush(of app: AppID, _ loss: PushLoss, into actions: inout Actions<Notifications>) {
        guard pushes.takeHeld(of: app, into: &actions) != nil else { return }
        actions.explain(.push(.dropped(app, loss)))
    }

    /// Removes remote notifications that no record, no call and no opening app refers to.
    mutating func dropUnusedPushes(on device: DeviceState, into actions: inout Actions<Notifications>) {
        for id in pushes.contents.toSettle {
            let client = clients[id.app]
            let isRecorded =
                pushes.records[id.app]?.held == id || client?.delivered.contains { $0.push == id } ?? false
            let isInUse =
                isRecorded || client?.opening?.notification.push == id && client?.opening?.isCallPending == false
                || device.isToBeCalled(id.app, id.call) || actions.list.contains { $0.call == id.call }
            pushes.contents.settle(id, isRecorded: isRecorded, isInUse: isInUse, into: &actions)
        }
    }
}

extension PushID {
    /// The call that delivers the notification to its app.
    fileprivate var call: ConcernCall { .notification(.receivedRemote(.of(self))) }
}

extension DeviceState {
    /// The launch reason of a remote notification for the app. The reason is Newsstand if the app declares the mode
    /// `newsstand-content` and not `remote-notification`.
    fileprivate func pushReason(of app: AppID) -> LaunchReason {
        let modes = manifest(of: app)?.backgroundModes ?? []
        return modes.contains(.newsstandContent) && !modes.contains(.remoteNotification)
            ? .newsstand : .remoteNotification
    }

    /// Whether the app declares the mode that lets it receive remote notifications in the background.
    fileprivate func declaresPushMode(_ app: AppID) -> Bool {
        let modes = manifest(of: app)?.backgroundModes ?? []
        return pushReason(of: app).requiredMode.map(modes.contains) ?? false
    }
}

extension TerminationReason {
    /// Whether the app is killed for breaking a rule. The remote notification that is held back for it is then dropped.
    var isAppsFault: Bool {
        switch self {
        case .watchdog, .lostContact, .tasksNotEnded, .sessionEventsNotHandled, .eventNotHandled,
            .noCallReported, .wokenTooOften, .tooManyTasks, .tooManyRequests, .tooMuchDisk:
            true
        case .exited, .launchFailed, .cutOff, .didNotExit, .forceQuit, .memory, .exitsOnSuspend, .shutdown,
            .deviceShutdown, .systemGone, .uninstalled, .updated, .notFreezable, .fault:
            false
        }
    }
}
