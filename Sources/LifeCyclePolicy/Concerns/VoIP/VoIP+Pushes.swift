import LifeCycleModel

/// Registration for VoIP pushes, and their delivery.
extension VoIP {
    /// An app makes a registry that wants VoIP pushes, or one that does not want them any longer.
    mutating func register(
        _ isWanted: Bool, by launch: LaunchID, on device: DeviceState, into actions: inout Actions<Self>
    ) {
        let app = launch.app
        actions.explain(.asked(launch, isWanted))
        guard isWanted else {
            guard clients[app] != nil else { return }
            dropWaiting(of: app, .notRegistered, into: &actions)
            change(app) { ($0.registry, $0.registration) = (nil, .idle) }
            if clients[app]?.record.token != nil { keep(app, into: &actions) { $0.token = nil } }
            return
        }
        change(app) { $0.registry = launch }
        if let token = clients[app]?.token {
            // Apps register at each launch, and get the token each time.
            actions.call(app, .voip(.tokenUpdated(token)), .whenItRuns)
        } else if clients[app]?.registration == .idle {
            change(app) { $0.registration = .makingToken }
            actions.perform(.makeToken(app))
        }
        // An app that is being ended is launched again for the pushes.
        guard device.isOpenable(app) else { return }
        let waiting = clients[app]?.waiting ?? []
        change(app) { ($0.waiting, $0.awaitsLaunch) = ([], false) }
        for waiting in waiting { give(waiting.push, to: app, isAwake: true, into: &actions) }
    }

    /// A token was made; nil if it could not be made.
    mutating func tokenMade(_ token: DeviceToken?, for app: AppID, into actions: inout Actions<Self>) {
        guard clients[app]?.registration == .makingToken else { return }
        guard let token else {
            change(app) { $0.registration = .idle }
            return actions.explain(.registered(app, false))
        }
        change(app) { $0.registration = .persisting }
        keep(app, into: &actions) { $0.token = token }
        // The app may pass its token to a server at once, so the token must survive a crash.
        actions.perform(.confirmToken(app))
    }

    mutating func tokenPersisted(for app: AppID, into actions: inout Actions<Self>) {
        guard let client = clients[app], client.registration == .persisting, let token = client.record.token else {
            return
        }
        change(app) { $0.registration = .idle }
        actions.explain(.registered(app, true))
        actions.call(app, .voip(.tokenUpdated(token)), .whenItRuns)
    }

    // MARK: Arrival

    /// A push came for an app. It launches or wakes the app in any state.
    mutating func pushed(
        _ payload: String, to app: AppID, on device: DeviceState, into actions: inout Actions<Self>
    ) {
        guard device.manifest(of: app) != nil else { return actions.refuse(app, .unknown) }
        guard let client = clients[app], client.token != nil else {
            return actions.explain(.dropped(app, .notRegistered))
        }
        if client.record.misses >= device.policy.voipMisses { return actions.explain(.dropped(app, .tooManyMisses)) }
        guard client.waiting.count + client.open.count < VoIPPush.mostWaiting else {
            return actions.explain(.dropped(app, .tooMany))
        }
        if let refusal = device.refusal(to: app, for: .voipPush, endMayFinish: true) {
            return actions.refuse(app, .wakeRefused(.voipPush, refusal))
        }
        let push = VoIPPush(number: client.record.lastPush + 1, payload: payload)
        keep(app, into: &actions) { $0.lastPush = push.number }
        if device.isOpenable(app), client.registry == device.liveLaunch(of: app) {
            return give(push, to: app, isAwake: device.isInForeground(app), into: &actions)
        }
        actions.explain(.waits(app))
        change(app) { client in
            client.waiting.append(
                VoIPClient.WaitingPush(push: push, until: device.awakeNow + device.policy.voipPush))
            client.awaitsLaunch = device.refusal(to: app, for: .voipPush) == .ending
        }
        guard clients[app]?.awaitsLaunch == false, !device.isInForeground(app) else { return }
        actions.wake(app, for: .voipPush)
    }

    /// The app is called for a push.
    private mutating func give(
        _ push: VoIPPush, to app: AppID, isAwake: Bool, into actions: inout Actions<Self>
    ) {
        change(app) { $0.open.set(VoIPClient.OpenPush(), for: push.number) }
        if isAwake {
            actions.call(app, .voip(.push(push)), .atOnce)
        } else {
            actions.wake(app, for: .voipPush, delivering: .voip(.push(push)))
        }
    }

    /// The app's delegate is being called: its time begins.
    mutating func called(
        _ push: VoIPPush, _ launch: LaunchID, on device: DeviceState, into actions: inout Actions<Self>
    ) {
        guard clients[launch.app]?.open[push.number] != nil else { return }
        actions.explain(.delivered(launch, push.number))
        let until = device.awakeNow + device.policy.voipPush
        change(launch.app) { $0.open.update(push.number) { $0.until = until } }
    }

    /// The delegate's method has returned. By now the app must have reported a call.
    mutating func returned(
        _ push: Int64, to launch: LaunchID, on device: DeviceState, into actions: inout Actions<Self>
    ) {
        guard let entry = clients[launch.app]?.open[push], entry.until != nil else { return actions.ignore(launch) }
        if !entry.hasCall, device.policy.voipPushNeedsCall {
            return missed(push, launch, on: device, into: &actions)
        }
        finish(push, of: launch.app) { $0.hasReturned = true }
    }

    mutating func completed(_ push: Int64, by launch: LaunchID, into actions: inout Actions<Self>) {
        guard clients[launch.app]?.open[push]?.until != nil else { return actions.ignore(launch) }
        finish(push, of: launch.app) { $0.isCompleted = true }
    }

    private mutating func finish(_ push: Int64, of app: AppID, _ step: (inout VoIPClient.OpenPush) -> Void) {
        change(app) { client in
            client.open.update(push, step)
            if let entry = client.open[push], entry.hasReturned, entry.isCompleted { client.open.remove(push) }
        }
    }

    /// The times of the app's pushes that are over. If a delegate has not returned yet, the app should have reported a
    /// call by now.
    mutating func endTimesOfPushes(of app: AppID, on device: DeviceState, into actions: inout Actions<Self>) {
        guard let client = clients[app] else { return }
        let isLate = { (push: VoIPClient.WaitingPush) in push.until <= device.awakeNow }
        let late = client.waiting.filter(isLate)
        if !late.isEmpty {
            for _ in late { actions.explain(.dropped(app, .noRegistry)) }
            change(app) { client in
                client.waiting.removeAll(where: isLate)
                if client.waiting.isEmpty { client.awaitsLaunch = false }
            }
            // An app cannot run for pushes without end by making no registry.
            keep(app, into: &actions) { $0.misses += Int32(clamping: late.count) }
        }
        for (push, entry) in client.open {
            guard let until = entry.until, until <= device.awakeNow else { continue }
            if !entry.hasCall, device.policy.voipPushNeedsCall, let launch = device.liveLaunch(of: app) {
                // The end of the app ends its other pushes.
                return missed(push, launch, on: device, into: &actions)
            }
            change(app) { $0.open.remove(push) }
        }
    }

    private mutating func missed(
        _ push: Int64, _ launch: LaunchID, on device: DeviceState, into actions: inout Actions<Self>
    ) {
        change(launch.app) { $0.open.remove(push) }
        countMiss(of: launch, into: &actions)
        actions.kill(launch.app, .noCallReported)
    }

    /// The app has exited by itself. If a push that it handled has no call yet, the exit is one miss.
    mutating func exited(_ launch: LaunchID, on device: DeviceState, into actions: inout Actions<Self>) {
        guard device.policy.voipPushNeedsCall,
            clients[launch.app]?.open.contains(where: { $0.value.until != nil && !$0.value.hasCall }) == true
        else { return }
        countMiss(of: launch, into: &actions)
    }

    private mutating func countMiss(of launch: LaunchID, into actions: inout Actions<Self>) {
        keep(launch.app, into: &actions) { $0.misses += 1 }
        actions.explain(.missed(launch, clients[launch.app]?.record.misses ?? 0))
    }

    /// The pushes that wait for a registry are lost.
    mutating func dropWaiting(of app: AppID, _ loss: VoIPLoss, into actions: inout Actions<Self>) {
        for _ in clients[app]?.waiting ?? [] { actions.explain(.dropped(app, loss)) }
        change(app) { ($0.waiting, $0.awaitsLaunch) = ([], false) }
    }

    /// The app was being ended when a push came. It is launched again now.
    mutating func launchForWaiting(_ app: AppID, on device: DeviceState, into actions: inout Actions<Self>) {
        guard clients[app]?.awaitsLaunch == true, device.liveLaunch(of: app) == nil,
            device.refusal(to: app, for: .voipPush) == nil
        else { return }
        change(app) { $0.awaitsLaunch = false }
        actions.wake(app, for: .voipPush)
    }

    /// A launch ends, and with it what it had not handled.
    mutating func ended(_ launch: LaunchID, into actions: inout Actions<Self>) {
        let app = launch.app
        guard let client = clients[app] else { return }
        for _ in client.open { actions.explain(.dropped(app, .launchEnded)) }
        // The pushes that wait are for the next launch, if the app was being ended when they came.
        if !client.awaitsLaunch { dropWaiting(of: app, .launchEnded, into: &actions) }
        if client.record.launch == launch {
            for call in client.record.calls { end(call.id, of: launch, .launchEnded, into: &actions) }
        }
        change(app) { client in
            (client.registry, client.open, client.holds) = (nil, SortedMap(), [])
            client.hasAudio = false
            client.forgetAnswers()
        }
    }
}
