import LifeCycleModel

/// Events that apps are woken for and handed, with a completion handler, and who is given an opportunity to fetch.
extension Device {
    /// Something happened that the launch rules let the app be woken for: it is, and is handed the event (T02, T11).
    mutating func handOver(
        _ event: WakeEvent, for reason: LaunchReason, _ slot: Int, at now: Nanoseconds, into effects: inout [Effect]
    ) {
        bringToLife(slot, for: reason, by: event, hasHandler: true, at: now, into: &effects)
        owe(event, slot, at: now, into: &effects)
    }

    /// It is there, and is to be handed an event as soon as nothing else is under way.
    mutating func owe(_ event: WakeEvent, _ slot: Int, at now: Nanoseconds, into effects: inout [Effect]) {
        guard !apps[slot].record.manifest.isAdopted else { return }
        var signals: [Signal] = []
        apps[slot].lifeCycle.handOver(event, into: &signals)
        route(signals, slot, at: now, into: &effects)
        settle(slot, into: &effects)
    }

    /// A callback with a completion handler is sent: off the foreground its time begins.
    mutating func handlerGiven(
        _ id: CallbackID, _ callback: Callback, _ slot: Int, at now: Nanoseconds, into next: inout [Signal]
    ) {
        let subject: CompletionHandlers.Subject
        switch callback {
        case .concern(.handleSessionEvents(let session)):
            guard apps[slot].lifeCycle.isLive else { return }
            transfers.callbackSent(ids[slot], session)
            subject = .session(session)
        case .concern(.handleEvent(let event)):
            guard apps[slot].lifeCycle.isLive else { return }
            subject = .event(OpenEvent(callback: id, kind: event.kind))
        case .launch, .didBecomeActive, .willResignActive, .didEnterBackground, .willEnterForeground, .expireTasks,
            .deviceChanged, .memoryWarning, .disconnectScene, .discardScenes, .willTerminate, .concern(.notification),
            .concern(.remoteNotificationsRegistered):
            return
        }
        let isInBackground = apps[slot].lifeCycle.isInBackground(isSuspended: false)
        apps[slot].handlers.given(subject, isInBackground: isInBackground, policy: policy, at: now, into: &next)
        if case .concern(.handleEvent(.backgroundFetch)) = callback, !isInBackground {
            fetches.isOver(for: ids[slot], in: surroundings, policy: policy)
        }
    }

    /// It has come back after the system's restart in the middle of these: it has its time for them anew.
    mutating func goOnWithEvents(_ events: [OpenEvent], _ slot: Int, at now: Nanoseconds) -> [Signal] {
        var signals: [Signal] = []
        for event in events.suffix(OpenEvent.most) {
            apps[slot].handlers.given(
                .event(event), isInBackground: true, policy: policy, at: now, into: &signals)
        }
        return signals
    }

    /// An app has called the completion handler of an event.
    mutating func eventHandled(
        _ callback: CallbackID, _ result: BackgroundFetchResult, by launch: LaunchID, _ slot: Int,
        at now: Nanoseconds, into signals: inout [Signal], effects: inout [Effect]
    ) {
        let isAwaited = apps[slot].handlers.isAwaited(callback)
        guard let event = apps[slot].handlers.event(of: callback),
            let time = apps[slot].handlers.called(.event(event), at: now, into: &signals)
        else { return effects.append(.decided(.launch(launch, .ignoredLate))) }
        effects.append(.decided(.launch(launch, .eventHandled(event.kind, result, after: time))))
        switch event.kind {
        case .backgroundFetch:
            let cost = isAwaited ? time : .zero
            fetches.brought(result, by: launch.app, after: cost, in: surroundings, policy: policy, into: &effects)
        case .remoteNotification: break
        }
    }

    // MARK: Background fetch

    /// An app says how often it would like to fetch.
    mutating func setFetchInterval(
        _ interval: Nanoseconds?, by launch: LaunchID, _ slot: Int, into effects: inout [Effect]
    ) {
        let app = apps[slot]
        guard !app.record.manifest.isAdopted, !app.isBeingUninstalled else {
            return effects.append(.decided(.launch(launch, .ignoredLate)))
        }
        let refusal = LaunchRules.refusal(by: app.record.manifest, of: .backgroundFetch, circumstances: circumstances)
        if let refusal { return effects.append(.decided(.concern(.fetch(.declined(launch, refusal))))) }
        effects.append(.decided(.concern(.fetch(.asked(launch, interval)))))
        fetches.asked(
            interval, by: launch.app, obstacle: obstacleToFetch(launch.app), in: surroundings, policy: policy,
            into: &effects)
    }

    /// What the end of each event brings: time that has passed, apps whose turn it is.
    mutating func carryFetches(at now: Nanoseconds, into effects: inout [Effect]) {
        guard fetches.isStarted else { return }
        if fetches.isStale {
            let obstacles = fetches.clients.keys.map { (app: $0, obstacle: obstacleToFetch($0)) }
            fetches.changed(obstacles, in: surroundings, policy: policy, into: &effects)
        }
        fetches.timePassed(in: surroundings, policy: policy)
        // What is only about to be suspended is let be so first: nobody is frozen and thawed in one go.
        while fetches.hasRoom(policy: policy), let app = fetches.due.first(where: { !isBeingFrozen($0) }) {
            offerFetch(to: app, at: now, into: &effects)
        }
    }

    /// It is an app's turn: it is woken for it, unless it is in front and sees to itself.
    private mutating func offerFetch(to app: AppID, at now: Nanoseconds, into effects: inout [Effect]) {
        guard let slot = slot(of: app) else { return fetches.forget(app, in: surroundings, policy: policy) }
        let isInFront = foreground.front == app || apps[slot].lifeCycle.isLive && apps[slot].published.isForeground
        let refusal = LaunchRules.admit(
            .backgroundFetch, app: apps[slot].record, isEnding: apps[slot].lifeCycle.isEnding,
            circumstances: circumstances)
        let lateness = fetches.lateness(of: app, in: surroundings, policy: policy)
        fetches.had(app, isGiven: refusal == nil && !isInFront, in: surroundings, policy: policy, into: &effects)
        if isInFront { return }
        if let refusal { return effects.append(.decided(.concern(.fetch(.missed(app, refusal))))) }
        effects.append(.decided(.concern(.fetch(.offered(app, late: lateness)))))
        handOver(.backgroundFetch, for: .backgroundFetch, slot, at: now, into: &effects)
    }

    private func isBeingFrozen(_ app: AppID) -> Bool {
        guard let slot = slot(of: app) else { return false }
        return apps[slot].suspension.isSuspendedOrAboutToBe && !apps[slot].suspension.isFrozen
    }

    private func obstacleToFetch(_ app: AppID) -> FetchObstacle? {
        refusalToFetch(app).map { .refused($0) } ?? fetchHold.map { .held($0) }
    }

    /// Why an app may not be woken to fetch. That it is being ended passes.
    private func refusalToFetch(_ app: AppID) -> WakeRefusal? {
        guard let slot = slot(of: app), !apps[slot].isBeingUninstalled else { return .ending }
        // One that was installed anew without the library knows no fetches.
        if apps[slot].record.manifest.isAdopted { return .modeNotDeclared }
        return LaunchRules.admit(
            .backgroundFetch, app: apps[slot].record, isEnding: false, circumstances: circumstances)
    }

    /// What keeps the whole device from looking for news.
    private var fetchHold: FetchHold? {
        let settings = surroundings.settings
        if settings.network == .none || !isConnected { return .network }
        if settings.lowPowerMode { return .lowPowerMode }
        if surroundings.isBatteryLow { return .battery }
        return settings.lowDataMode ? .lowDataMode : nil
    }
}

extension Event {
    /// Whether it may change who can be woken; what happens all the time does not.
    var mayChangeAdmission: Bool {
        switch self {
        case .device(let event): event.mayChangeAdmission
        case .process(_, .exited): true
        case .process, .app, .concern, .deadlineReached: false
        }
    }
}

extension DeviceEvent {
    fileprivate var mayChangeAdmission: Bool {
        switch self {
        case .appInstalled, .appUninstalled, .appOpened, .appForceQuit, .deviceUnlocked, .settingChanged,
            .backgroundRefreshChanged, .deviceShutdownBegan, .deviceStarted, .shutdownBegan, .networkChanged,
            .appSwitched, .interruptionAccepted:
            true
        case .homePressed, .wakeOccurred, .memoryRanLow, .memoryRanShort, .interruptionBegan, .interruptionDismissed,
            .deviceLocked, .inputOccurred, .clockWasSet:
            false
        }
    }
}
