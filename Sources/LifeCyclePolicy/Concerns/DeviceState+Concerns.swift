import LifeCycleModel

/// The device as a concern sees it.
extension DeviceState {
    var wallNow: Nanoseconds { surroundings.clocks.wallNow }
    var awakeNow: Nanoseconds { surroundings.clocks.now }
    var isShuttingDown: Bool { shutdown != .none }

    /// The app's manifest; nil if the app is not installed, or is about to be removed.
    func manifest(of app: AppID) -> AppManifest? {
        slot(of: app).flatMap { apps[$0].isBeingUninstalled ? nil : apps[$0].record.manifest }
    }

    /// The app's launch that can receive messages; nil if there is none.
    func liveLaunch(of app: AppID) -> LaunchID? {
        slot(of: app).flatMap { apps[$0].lifeCycle.isLive ? apps[$0].lifeCycle.launch : nil }
    }

    /// Whether the app has a process, also one that is being ended.
    func hasProcess(_ app: AppID) -> Bool { slot(of: app).map { apps[$0].lifeCycle.launch != nil } ?? false }

    /// The app's newest launch, which may have ended; nil if the app is not installed.
    func lastLaunch(of app: AppID) -> LaunchID? {
        slot(of: app).map { LaunchID(app: app, number: apps[$0].record.lastLaunch) }
    }

    /// Whether the app's process was prewarmed and the app is not launched yet (T28).
    func isPrewarmed(_ app: AppID) -> Bool {
        slot(of: app).map { apps[$0].lifeCycle.isLive && apps[$0].lifeCycle.isPrewarmed } ?? false
    }

    /// Whether the app is suspended or about to be, and so cannot be sent anything.
    func isSuspended(_ app: AppID) -> Bool {
        slot(of: app).map { apps[$0].suspension.isSuspendedOrAboutToBe } ?? false
    }

    /// Whether the app has a launch that the user can return to. The system can call the app on its way to the
    /// foreground.
    func isOpenable(_ app: AppID) -> Bool {
        guard let slot = slot(of: app) else { return false }
        let lifeCycle = apps[slot].lifeCycle
        return lifeCycle.isLive && !lifeCycle.isEnding && !lifeCycle.isPrewarmed
    }

    /// Whether the app is in the foreground, or on its way there, and is not being ended.
    func isInForeground(_ app: AppID) -> Bool { foreground.app == app && isOpenable(app) }

    /// Why the user may not open the app; nil if the user may open the app, or the app is not installed.
    func refusalToOpen(_ app: AppID) -> WakeRefusal? {
        slot(of: app).flatMap { LaunchRules.open(apps[$0].record, circumstances: circumstances) }
    }

    /// The remote notification that caused the launch, until the app is called for it; nil if the launch has another
    /// reason.
    func pushLaunchedFor(_ launch: LaunchID) -> PushID? {
        guard let slot = slot(of: launch.app), apps[slot].lifeCycle.launch == launch,
            let reason = apps[slot].lifeCycle.launchReason, reason == .remoteNotification || reason == .newsstand
        else { return nil }
        return apps[slot].lifeCycle.pendingNotification
    }

    /// Whether the call is queued for the app, or the app has not returned from it.
    func isToBeCalled(_ app: AppID, _ call: ConcernCall) -> Bool {
        slot(of: app).map { apps[$0].lifeCycle.isToBeCalled(call) } ?? false
    }

    /// The app status; nil if the app is not installed.
    func status(of app: AppID) -> AppStatus? { slot(of: app).map { apps[$0].status } }

    /// Whether Background App Refresh is on for the app.
    func allowsRefresh(_ app: AppID) -> Bool {
        slot(of: app).map { LaunchRules.allowsRefresh(apps[$0].record, surroundings.settings) } ?? false
    }

    /// Whether an app is in the foreground that nothing interrupts yet.
    var isInterruptible: Bool {
        !lock.isLocked && foreground.app != nil && foreground.interruption == nil && !isShuttingDown
    }

    /// Whether the app is in the foreground, or on its way there.
    func isForeground(_ app: AppID) -> Bool {
        guard let slot = slot(of: app) else { return false }
        return foreground.app == app || apps[slot].lifeCycle.isLive && apps[slot].published.isForeground
    }

    /// Whether the app is about to be suspended. A concern waits until the app is frozen, so that one event does not
    /// freeze and thaw it.
    func isBeingFrozen(_ app: AppID) -> Bool {
        guard let slot = slot(of: app) else { return false }
        return apps[slot].suspension.isSuspendedOrAboutToBe && !apps[slot].suspension.isFrozen
    }

    /// Why the launch rules forbid to wake the app; nil if they allow it. With `endMayFinish`, an app that is being
    /// ended is not refused for that reason: its end may be over by the time of the wake.
    func refusal(to wake: AppID, for reason: LaunchReason, endMayFinish: Bool = false) -> WakeRefusal? {
        guard let slot = slot(of: wake), !apps[slot].isBeingUninstalled else { return .ending }
        return LaunchRules.admitConcern(
            reason, app: apps[slot].record, isEnding: !endMayFinish && apps[slot].lifeCycle.isEnding,
            circumstances: circumstances)
    }
}

/// The actions of concerns.
extension DeviceState {
    /// Notifies the concerns of a change that happens after these effects, unless all are idle and the change is not
    /// for them.
    mutating func tell(_ change: DeviceChange, after effects: [Effect]) {
        if areConcernsListening || change.isForIdle { news.list.append(.change(change, place: effects.count)) }
    }

    /// Carries out the actions of concerns.
    mutating func perform(_ actions: [ConcernAction], at now: Nanoseconds, into effects: inout [Effect]) {
        if actions.isEmpty { return }
        putInPlace(actions, into: &effects)
        for action in actions {
            switch action {
            case .effect(let effect, place: nil): effects.append(effect)
            case .effect: break
            case .call(let app, let call, let delivery):
                if let slot = slot(of: app) { enqueue(call, delivery, slot, at: now, into: &effects) }
            case .wake(let app, let reason, let call):
                if let refusal = refusal(to: app, for: reason) {
                    effects.append(.decided(.app(app, .wakeRefused(reason, refusal))))
                } else if let slot = slot(of: app) {
                    // A call without a completion handler gives the app a slice of time.
                    let hasHandler = call?.handler(of: .none) != nil
                    bringToLife(slot, for: reason, hasHandler: hasHandler, at: now, into: &effects)
                    if let call { enqueue(call, .atOnce, slot, at: now, into: &effects) }
                }
            case .hold(let app, let assertion): signal(.asserted(assertion), to: app, at: now, into: &effects)
            case .release(let app, let assertion): signal(.released(assertion), to: app, at: now, into: &effects)
            case .closeHandler(let app, let handler):
                var signals: [Signal] = []
                guard let slot = slot(of: app) else { continue }
                _ = apps[slot].handlers.called(handler, at: now, into: &signals)
                route(signals, slot, at: now, into: &effects)
                settle(slot, into: &effects)
            case .fail(let app, let fault):
                if let slot = slot(of: app) { rely(on: false, else: fault, slot, at: now, into: &effects) }
            case .kill(let app, let reason):
                if let slot = slot(of: app) { kill(slot, reason, at: now, into: &effects) }
            case .interrupt(let kind): beginInterruption(kind, at: now, into: &effects)
            case .endInterruption(let kind):
                if foreground.interruption == kind { dismissInterruption(at: now, into: &effects) }
            case .tell(let change): tell(change, after: effects)
            case .open(let app, let call):
                if isOpenable(app), let slot = slot(of: app) {
                    enqueue(call, .onTheWayToForeground, slot, at: now, into: &effects)
                }
                open(app, at: now, into: &effects)
            }
        }
    }

    private mutating func signal(
        _ signal: Signal, to app: AppID, at now: Nanoseconds, into effects: inout [Effect]
    ) {
        guard let slot = slot(of: app) else { return }
        route([signal], slot, at: now, into: &effects)
        settle(slot, into: &effects)
    }

    private func putInPlace(_ actions: [ConcernAction], into effects: inout [Effect]) {
        var placed: [(place: Int, order: Int, effect: Effect)] = []
        for case .effect(let effect, let place?) in actions { placed.append((place, placed.count, effect)) }
        // The last effects first, so that the places of the others stay valid.
        for (place, _, effect) in placed.sorted(by: { ($0.place, $0.order) > ($1.place, $1.order) }) {
            effects.insert(effect, at: place)
        }
    }
}

extension DeviceChange {
    /// Whether idle concerns are notified too. An attaching app may report something that idle concerns do not know, a
    /// call affects apps that begin to play later, and an app may be launched again after its first end.
    var isForIdle: Bool {
        switch self {
        case .attached, .callsChanged, .exited: true
        default: false
        }
    }
}
